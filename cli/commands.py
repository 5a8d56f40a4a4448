"""Commands made of functions, their options in panels, and one with an option of several values."""

from __future__ import annotations

import inspect
from collections import UserDict
from collections.abc import Callable, Sequence
from typing import Any, cast

import click

from textclust.errors import InputError
from textclust.registry import load

from . import panels
from .added_options import typed_parameters
from .declared import made

__all__ = ["InOrder", "InPanels", "Later", "WithExamples"]

_OPTION = "--examples"


class InPanels(click.Command):
    """A function as a command, whose help groups its options by what they are about.

    Its options are made when they are asked for: what --help says of all commands needs none.
    """

    rest = panels.REST

    def __init__(self, name: str, call: Callable[..., None]) -> None:
        super().__init__(name, callback=call, help=inspect.getdoc(call))
        self.call = call

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self.params:
            self.params = [made(each) for each in typed_parameters(self.call)]
        return super().get_params(ctx)

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


class Later(UserDict[str, Any]):
    """Commands by name, each imported from its place when it is looked up.

    At a place is a command, or a function that one is made of.
    """

    def __getitem__(self, name: str) -> click.Command:
        found = self.data[name]
        if isinstance(found, str):
            found = load(found)
            found = found if isinstance(found, click.Command) else InPanels(name, found)
            self.data[name] = found
        return cast(click.Command, found)


class InOrder(click.Group):
    """Commands that the help lists in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


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
