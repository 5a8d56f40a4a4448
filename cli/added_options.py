"""Options that a command is given beside its own.

They are made when they are asked for: what --help says of all commands needs those of none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import Parameter, Signature, signature
from typing import Any

__all__ = ["WithOptions", "typed_parameters"]

_LATE_TYPES = dict.fromkeys(("LeaveOut", "Reading", "TermSpace"), Any)  # for type checkers alone


class WithOptions:
    """A command with further options in the place of `name`, handed what is made of them.

    To `inspect` it is a function with all these options as its parameters.
    """

    def __init__(
        self,
        command: Callable[..., None],
        name: str,
        shared: Callable[[], Sequence[Parameter]],
        made: Callable[[dict[str, Any]], object],
    ) -> None:
        self.__name__, self.__doc__ = command.__name__, command.__doc__
        self.__annotations__: dict[str, Any] = {}  # its signature has them all
        self._command, self._name, self._made = command, name, made
        self._make_shared = shared

    def __call__(self, **values: Any) -> None:
        chosen = {parameter.name: values.pop(parameter.name) for parameter in self._shared}
        self._command(**values, **{self._name: self._made(chosen)})

    @cached_property
    def _shared(self) -> Sequence[Parameter]:
        return self._make_shared()

    @cached_property
    def __signature__(self) -> Signature:
        every: list[Parameter] = []
        for each in typed_parameters(self._command):
            is_place = each.name == self._name
            every += self._shared if is_place else [each.replace(kind=each.KEYWORD_ONLY)]
        return Signature(every)


def typed_parameters(call: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function, their annotations as types rather than strings."""
    return list(signature(call, locals=_LATE_TYPES, eval_str=True).parameters.values())
