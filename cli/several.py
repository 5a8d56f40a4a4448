"""An option with several values after it: --examples folder1 folder2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.core import TyperCommand

from textclust.errors import InputError

__all__ = ["WithExamples"]

_OPTION = "--examples"
_END = ("-\0",)  # what no argument can be


class WithExamples(TyperCommand):
    """A command whose --examples takes all values up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_spread(args)))


def _spread(arguments: list[str]) -> Iterator[str]:
    """The same arguments with the option before each of its values."""
    several, needs_value = False, False
    for argument in [*arguments, *_END]:
        is_option = argument.startswith("-") and argument != "-"
        if is_option and needs_value:
            raise InputError(f"{_OPTION} needs a value: name at least one folder after it")
        if argument == _OPTION:
            several = needs_value = True
            continue
        if is_option:
            several = False
        elif several:
            yield _OPTION
            needs_value = False
        if argument not in _END:
            yield argument
