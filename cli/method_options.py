"""The options that methods declare for themselves, made of the registry.

A parameter of one method is an option of `textclust cluster` by being declared; what several
methods have by the same name is one option, which takes what any of them takes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from textclust.errors import InputError
from textclust.methods import METHODS
from textclust.parameters import Parameter, Seconds

from . import durations, options
from .added_options import WithOptions
from .declared import Option

__all__ = ["Chosen", "MethodOption", "declared_options", "of_methods"]

Chosen = Mapping[str, Any]  # values of parameters, by name


@dataclass(frozen=True)
class MethodOption:
    """A parameter on the command line, by all methods that have it."""

    name: str
    declared: Mapping[str, Parameter]  # by method

    @property
    def spelling(self) -> str:
        """As it is typed: --n-init."""
        given = next(iter(self.declared.values())).option
        return "--" + (given or self.name.replace("_", "-"))

    @property
    def help(self) -> str:
        """What is declared, followed by the methods that have it where not all do."""
        texts: dict[str, list[str]] = {}
        for method, parameter in self.declared.items():
            texts.setdefault(parameter.help, []).append(method)
        return " ".join(_for_methods(text, methods) for text, methods in texts.items())

    @property
    def words(self) -> list[str]:
        """What can be given beside numbers; none stands for None."""
        words = [word for rule in self._rules for word in rule.words]
        return list(dict.fromkeys("none" if word is None else word for word in words))

    @property
    def kind(self) -> type:
        """bool for a flag, str for one of the words, else int or float."""
        kinds = {rule.kind for rule in self._rules}
        return next(kind for kind in (float, int, bool, str) if kind in kinds)

    @property
    def is_time(self) -> bool:
        """Whether it is typed with units of time."""
        return all(isinstance(rule, Seconds) for rule in self._rules)

    def annotation(self) -> Any:
        """The type and the words that the option is made of."""
        if self.kind is bool:
            opposite = f"/--no-{self.spelling[2:]}" if self.words else ""
            return Annotated[bool | None, Option(self.spelling + opposite, help=self.help)]
        if self.kind is str:
            choices = options.choices(self.name, self.words)
            return Annotated[choices | None, Option(self.spelling, help=self.help)]
        number = durations.METAVAR if self.is_time else "NUMBER"
        metavar = "|".join([number, *self.words])
        return Annotated[str | None, Option(self.spelling, metavar=metavar, help=self.help)]

    def value(self, given: Any) -> Any:
        """What is given, as the methods take it."""
        if self.kind is bool:
            return given
        word = str(given)
        if word in self.words:
            return None if word == "none" else word
        if self.is_time:
            return durations.seconds(word, self.spelling)
        try:
            number = self.kind(word)
        except ValueError:
            number = None
        if number is None or not any(rule.allows(number) for rule in self._rules):
            raise InputError(f"{self.spelling} must be {self._rules[0]}; got {given}")
        return number

    @property
    def _rules(self) -> list[Any]:
        return [parameter.rule for parameter in self.declared.values()]


def declared_options() -> dict[str, MethodOption]:
    """Every parameter of a method that is for the command line, by name."""
    found: dict[str, dict[str, Parameter]] = {}
    for name, method in METHODS.items():
        for parameter, declared in method.parameters.items():
            if declared.option is not None:
                found.setdefault(parameter, {})[name] = declared
    return {name: MethodOption(name, declared) for name, declared in found.items()}


def of_methods(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of all methods, and hand it those given, as `chosen`.

    What the command has an option for itself is left to it.
    """
    own = {"--" + name.replace("_", "-") for name in inspect.signature(command).parameters}

    def added() -> dict[str, MethodOption]:
        declared = declared_options().items()
        return {name: option for name, option in declared if option.spelling not in own}

    def shared() -> list[inspect.Parameter]:
        return [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option.annotation()
            )
            for name, option in added().items()
        ]

    def chosen(values: dict[str, Any]) -> Chosen:
        of_name = added()
        given = {name: value for name, value in values.items() if value is not None}
        return {name: of_name[name].value(value) for name, value in given.items()}

    return WithOptions(command, "chosen", shared, chosen)


def _for_methods(text: str, methods: list[str]) -> str:
    others = [name for name in METHODS if name not in methods]
    if not others:
        return text
    few = len(methods) <= len(others)
    scope = f"for {', '.join(methods)}" if few else f"not for {', '.join(others)}"
    return f"{text.removesuffix('.')}; {scope}."
