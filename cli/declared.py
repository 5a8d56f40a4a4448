"""Options and arguments as functions declare them, and what click makes of them.

A parameter annotated with `Annotated[kind, Option(...)]` or `Annotated[kind, Argument(...)]` is one
of the command; its name spells the option where nothing else is given.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Iterable
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["Argument", "Option", "made"]

_NUMBERS: dict[type, Any] = {
    int: (click.INT, click.IntRange),
    float: (click.FLOAT, click.FloatRange),
}


class Option:
    """An option: how it is typed, where not as its parameter is named, and what it is for."""

    def __init__(
        self,
        *spellings: str,
        help: str,  # noqa: A002
        metavar: str | None = None,
        min: float | None = None,  # noqa: A002
        max: float | None = None,  # noqa: A002
    ) -> None:
        self.spellings, self.help, self.metavar = spellings, help, metavar
        self.least, self.most = min, max

    def made(self, parameter: Parameter, kind: type, several: bool) -> click.Option:
        """The option of click for a parameter of one such value, or of several."""
        spellings = self.spellings or ("--" + parameter.name.replace("_", "-"),)
        return click.Option(
            [parameter.name, *spellings],
            type=self._type(kind),
            is_flag=kind is bool,
            multiple=several,
            callback=_listed if several else None,
            help=self.help,
            metavar=self.metavar or ("NUMBER" if kind in _NUMBERS else None),
            show_default=kind is not bool,
            **_default(parameter, several),
        )

    def _type(self, kind: type) -> Any:
        if kind in _NUMBERS:
            plain, limited = _NUMBERS[kind]
            has_limits = (self.least, self.most) != (None, None)
            return limited(self.least, self.most) if has_limits else plain
        return _type(kind)


class Argument:
    """An argument: what stands for it in the help, what it is, and which names complete it."""

    def __init__(
        self,
        *,
        metavar: str,
        help: str,  # noqa: A002
        names: Callable[[], Iterable[str]] | None = None,
    ) -> None:
        self.metavar, self.help, self.names = metavar, help, names

    def made(self, parameter: Parameter, kind: type, several: bool) -> click.Argument:
        """The argument of click: files complete it, unless names do."""
        return _DescribedArgument(
            [parameter.name],
            type=_type(kind),
            nargs=-1 if several else 1,
            metavar=self.metavar,
            shell_complete=self._complete,
            description=self.help,
            **_default(parameter, several),
        )

    def _complete(self, context: Any, parameter: Any, begun: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        if self.names is None:
            return [CompletionItem(begun, type="file")]
        return [CompletionItem(name) for name in self.names() if name.startswith(begun)]


class _DescribedArgument(click.Argument):
    """An argument that the help describes as it does options."""

    def __init__(self, *given: Any, description: str, **more: Any) -> None:
        super().__init__(*given, **more)
        self._description = description

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Its name and what it is."""
        required = "  [required]" if self.required else ""
        return self.make_metavar(ctx), self._description + required


class _OneOf(click.Choice[str]):
    """One of the values of an enumeration, as its member."""

    def __init__(self, kind: type[enum.StrEnum]) -> None:
        super().__init__([member.value for member in kind])
        self._kind = kind

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        return self._kind(super().convert(str(value), param, ctx))


def made(parameter: Parameter) -> click.Parameter:
    """What click makes of a parameter of a function."""
    annotated, declared = get_args(parameter.annotation)
    kinds = get_args(annotated) if isinstance(annotated, types.UnionType) else (annotated,)
    (kind,) = (each for each in kinds if each is not types.NoneType)
    several = get_origin(kind) is list
    found: click.Parameter = declared.made(
        parameter, get_args(kind)[0] if several else kind, several
    )
    return found


def _listed(context: Any, parameter: Any, values: tuple[Any, ...]) -> list[Any] | None:
    """The values of an option that can be given several times; None where it was not."""
    return list(values) or None


def _default(parameter: Parameter, several: bool) -> dict[str, Any]:
    """What click is given as the default; to give it None is to say that there is one."""
    if parameter.default is parameter.empty:
        return {"required": True}
    return {"required": False} if several else {"required": False, "default": parameter.default}


def _type(kind: type) -> Any:
    if issubclass(kind, enum.StrEnum):
        return _OneOf(kind)
    return click.Path(path_type=Path) if kind is Path else kind
