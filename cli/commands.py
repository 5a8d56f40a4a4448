"""Commands with their options in panels, and one with an option of several values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

from textclust.errors import InputError

from . import panels

__all__ = ["InPanels", "WithExamples"]

_OPTION = "--examples"


class InPanels(TyperCommand):
    """A command whose help groups its options by what they are about."""

    rest = panels.REST

    def format_options(self, ctx: Any, formatter: Any) -> None:
        records = [(each, each.get_help_record(ctx)) for each in self.get_params(ctx)]
        shown = [(each, record) for each, record in records if record is not None]
        arguments = [record for each, record in shown if each.param_type_name == "argument"]
        options = [
            (each.name or "", record) for each, record in shown if each.param_type_name == "option"
        ]
        grouped = {"Arguments": arguments} if arguments else {}
        for title, of_panel in {**grouped, **panels.in_panels(options, self.rest)}.items():
            with formatter.section(title):
                formatter.write_dl(of_panel)


class WithExamples(InPanels):
    """A command whose --examples takes all values up to the next option.

    Where no PATH stands elsewhere, the last of them is PATH, if another is left.
    """

    rest = panels.METHOD

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with_value = {
            name
            for each in self.get_params(ctx)
            if each.param_type_name == "option" and not getattr(each, "is_flag", False)
            for name in each.opts
        }
        return super().parse_args(ctx, _spread(args, with_value))


def _spread(arguments: Sequence[str], with_value: set[str]) -> list[str]:
    """The same arguments with the option before each of its values, and PATH where it belongs.

    >>> _spread(["--examples", "a", "b", "folder", "-k", "3"], {"-k"})
    ['--examples', 'a', '--examples', 'b', '-k', '3', 'folder']
    >>> _spread(["--examples", "a", "b", "-k", "3", "folder"], {"-k"})
    ['--examples', 'a', '--examples', 'b', '-k', '3', 'folder']
    """
    given, rest = list(arguments), list[str]()
    if "--" in given:
        end = given.index("--")
        given, rest = given[:end], given[end:]
    others: list[list[str]] = []  # in their order, beside the values of the option
    values: list[list[str]] = []  # for each time that the option is given
    has_path = len(rest) > 1
    while given:
        word = given.pop(0)
        if word == _OPTION:
            named = []
            while given and not _is_option(given[0]):
                named.append(given.pop(0))
            if not named:
                raise InputError(f"{_OPTION} needs a value: name at least one folder after it")
            values.append(named)
            others.append([])
        elif _is_option(word):
            others.append([word, given.pop(0)] if word in with_value and given else [word])
        else:
            has_path = True
            others.append([word])
    path = [] if has_path else _last_of_several(values)
    spread = iter(values)
    found = [
        word
        for words in others
        for word in (words or [each for name in next(spread) for each in (_OPTION, name)])
    ]
    return [*found, *path, *rest]


def _last_of_several(values: list[list[str]]) -> list[str]:
    """Take the last value, of the last time that there were several."""
    for named in reversed(values):
        if len(named) > 1:
            return [named.pop()]
    return []


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"
