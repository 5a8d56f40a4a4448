"""The command line reference, from the commands themselves: python -m textclust.cli.reference."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, get_args

import click

from . import output
from .added_options import typed_parameters
from .commands import InPanels
from .declared import Argument, Option
from .panels import METHOD, REST, in_panels

__all__ = ["Described", "parameters", "reference", "spellings", "walk"]


@dataclass(frozen=True)
class Described:
    """An argument or option of a command, in words."""

    parameter: str  # of the function
    name: str  # as it is typed
    help: str
    default: str


def reference() -> str:
    """docs/cli.md: every command with its arguments and options."""
    from .main import app

    head = (
        "# Command line reference\n\nGenerated from the commands themselves by `make reference`.\n"
    )
    return "\n".join([head, *(_section(path, call) for path, call in walk(app))])


def walk(app: click.Group, path: str = "textclust") -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command of an app, with the words that call it."""
    groups = [each for each in app.commands.values() if isinstance(each, click.Group)]
    for command in app.commands.values():
        if isinstance(command, InPanels):
            yield f"{path} {command.name}", command.call
    for group in groups:
        yield from walk(group, f"{path} {group.name}")


def parameters(call: Callable[..., Any]) -> Iterator[Described]:
    """The arguments and options of a command."""
    for each in typed_parameters(call):
        kind, info = get_args(each.annotation)
        given = "required" if each.default is each.empty else _shown(each.default)
        yield Described(
            each.name, _name(each.name, info), (info.help or "") + _choices(kind), given
        )


def spellings(app: click.Group) -> dict[str, str]:
    """What is typed for every option of an app, by the name of its parameter."""
    every = (described for _, call in walk(app) for described in parameters(call))
    options = {each.parameter: each.name.split()[0].split("/")[0] for each in every}
    return {name: option for name, option in options.items() if option.startswith("--")}


def _section(path: str, call: Callable[..., Any]) -> str:
    described = list(parameters(call))
    arguments = [each for each in described if not each.name.startswith("-")]
    options = [(each.parameter, each) for each in described if each.name.startswith("-")]
    rest = METHOD if path.endswith(" cluster") else REST
    lines = _table(arguments, "argument")
    for panel, those in in_panels(options, rest).items():
        lines += [f"**{panel}**", "", *_table(those, "option")]
    return "\n".join([f"## {path}", "", _options_as_code(inspect.getdoc(call) or ""), "", *lines])


def _table(described: list[Described], kind: str) -> list[str]:
    rows = [f"| `{_cell(p.name)}` | {_options_as_code(p.help)} | {p.default} |" for p in described]
    return [f"| {kind} | what it does | default |", "|---|---|---|", *rows, ""] if rows else []


def _options_as_code(text: str) -> str:
    """The names of options as code, which a page keeps in one line."""
    return re.sub(r"(?<![\w`-])--[a-z][a-z-]*", r"`\g<0>`", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _name(name: str, info: Argument | Option) -> str:
    if isinstance(info, Argument):
        return info.metavar
    spelt = info.spellings[0] if info.spellings else "--" + name.replace("_", "-")
    return f"{spelt} {info.metavar}" if info.metavar else spelt


def _choices(kind: Any) -> str:
    kinds = [each for each in (kind, *get_args(kind)) if isinstance(each, type)]
    choices = [choice for each in kinds if issubclass(each, enum.Enum) for choice in each]
    return f" One of {', '.join(f'`{choice.value}`' for choice in choices)}." if choices else ""


def _shown(default: Any) -> str:
    if default is None or default is False:
        return ""
    if default is True:
        return "on"
    return f"`{default.value if isinstance(default, enum.Enum) else default}`"


if __name__ == "__main__":
    output.print_lines(reference(), end="")
