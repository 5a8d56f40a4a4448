"""An option with several values after it: --examples folder1 folder2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand

__all__ = ["WithExamples"]

_OPTION = "--examples"


class WithExamples(TyperCommand):
    """A command whose --examples takes all values up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_spread(args)))


def _spread(arguments: list[str]) -> Iterator[str]:
    """The same arguments with the option before each of its values."""
    several, first = False, False
    for argument in arguments:
        if argument == _OPTION:
            several, first = True, True
            continue
        if argument.startswith("-") and argument != "-":
            if first:
                yield _OPTION  # without a value, which is told
            several = first = False
        elif several:
            yield _OPTION
            first = False
        yield argument
    if first:
        yield _OPTION
