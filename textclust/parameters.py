"""Parameters are declared, not checked by hand.

A class lists what each of its parameters may be; `check` says, for the first one that
is something else, the value, the rule and the name. Arrays pass the rules that say so
and are checked against the data where the data is known. The rules need no numpy, so that the
command line can make options of them: types of other libraries are named by their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, fields, replace
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeGuard, TypeVar

from textclust.errors import InputError
from textclust.registry import load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

__all__ = [
    "Anything",
    "Dataclass",
    "Flag",
    "FloatType",
    "Init",
    "Jobs",
    "Never",
    "Number",
    "OneOf",
    "Parameter",
    "Parameters",
    "RandomState",
    "Randomness",
    "Range",
    "Registered",
    "Rule",
    "Seconds",
    "Settings",
    "Whole",
    "check",
    "fill_open",
    "settings_of",
]

Settings = dict[str, Any]  # values by the names of parameters
Init: TypeAlias = "str | ArrayLike"  # a start by name, as centres, or as a label for each row
RandomState: TypeAlias = "int | np.random.RandomState | np.random.Generator | None"


class Dataclass(Protocol):
    """Something whose parameters are the fields of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Owner = TypeVar("Owner", bound=Dataclass)


class Rule(Protocol):
    """What a parameter may be."""

    def allows(self, value: object) -> bool: ...

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Parameter:
    """A rule, and what the command line says of it."""

    rule: Rule
    help: str  # one line
    option: str | None = ""  # where its option has another name; None where it has none

    def allows(self, value: object) -> bool:
        return self.rule.allows(value)

    def __str__(self) -> str:
        return str(self.rule)


Parameters = Mapping[str, Parameter]


@dataclass(frozen=True)
class Whole:
    """A whole number, at least `least`; None too, or some words."""

    kind: ClassVar[type] = int
    least: int
    words: tuple[str | None, ...] = ()

    def allows(self, value: object) -> bool:
        if value is None or isinstance(value, str):
            return value in self.words
        return _is_whole(value) and int(value) >= self.least

    def __str__(self) -> str:
        return " or ".join([f"a whole number of at least {self.least}", *map(repr, self.words)])


@dataclass(frozen=True)
class Number:
    """A number between `least` and `most`."""

    kind: ClassVar[type] = float
    least: float
    most: float = float("inf")
    words: tuple[str | None, ...] = ()

    def allows(self, value: object) -> bool:
        if value is None or isinstance(value, str):
            return value in self.words
        if not isinstance(value, Real) or isinstance(value, bool):
            return False
        return self.least <= float(value) <= self.most and isfinite(float(value))

    def __str__(self) -> str:
        upper = "" if self.most == float("inf") else f" and at most {self.most}"
        return " or ".join([f"a number of at least {self.least}{upper}", *map(repr, self.words)])


@dataclass(frozen=True)
class Seconds:
    """A time above 0; None is no limit."""

    kind: ClassVar[type] = float
    words: ClassVar[tuple[str | None, ...]] = (None,)

    def allows(self, value: object) -> bool:
        return value is None or (Number(0.0).allows(value) and value != 0)

    def __str__(self) -> str:
        return "a number of seconds above 0 or None"


@dataclass(frozen=True)
class OneOf:
    """One of some words, or an instance of one of some types, each named by its place."""

    kind: ClassVar[type] = str
    words: tuple[str | None, ...]
    types: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        if value is None or isinstance(value, str):
            return value in self.words
        return isinstance(value, tuple(map(load, self.types)))

    def __str__(self) -> str:
        names = [place.partition(":")[2] for place in self.types]
        return "one of " + ", ".join([*map(repr, self.words), *names])


@dataclass(frozen=True)
class Registered:
    """A name that a registry has, or what `OneOf` allows."""

    kind: ClassVar[type] = str
    registry: Mapping[str, object]
    before: tuple[str | None, ...] = ()  # words that are listed before the names
    types: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        return OneOf(self.words, self.types).allows(value)

    def __str__(self) -> str:
        return str(OneOf(self.words, self.types))

    @property
    def words(self) -> tuple[str | None, ...]:
        """All names there are by now."""
        return (*self.before, *self.registry)


@dataclass(frozen=True)
class Flag:
    """True or False, or some words."""

    kind: ClassVar[type] = bool
    words: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        if isinstance(value, str):
            return value in self.words
        return isinstance(value, bool) or type(value).__name__ == "bool"

    def __str__(self) -> str:
        return " or ".join(["True or False", *map(repr, self.words)])


@dataclass(frozen=True)
class Never:
    """A flag that is never set."""

    kind: ClassVar[type] = bool
    words: ClassVar[tuple[str, ...]] = ()
    because: str = "as the method is in no paper"

    def allows(self, value: object) -> bool:
        return value is False

    def __str__(self) -> str:
        return f"False, {self.because}"


@dataclass(frozen=True)
class Range:
    """Two whole numbers from `least` to `most`, the first not above the second."""

    least: int
    most: int

    def allows(self, value: object) -> bool:
        if not isinstance(value, tuple | list) or len(value) != 2:
            return False
        whole = all(map(Whole(self.least).allows, value))
        return whole and bool(value[0] <= value[1] <= self.most)

    def __str__(self) -> str:
        return f"two whole numbers from {self.least} to {self.most}, the first not above the second"


class FloatType:
    """float32 or float64, by name or type."""

    def allows(self, value: object) -> bool:
        return getattr(value, "__name__", str(value)) in ("float32", "float64", "float")

    def __str__(self) -> str:
        return "float32 or float64"


class Jobs:
    """How many threads or processes: None is the default, and negative numbers count back."""

    def allows(self, value: object) -> bool:
        return value is None or (_is_whole(value) and int(value) != 0)

    def __str__(self) -> str:
        return "None or a whole number other than 0"


class Randomness:
    """What can start a generator of random numbers."""

    def allows(self, value: object) -> bool:
        if value is None or _is_whole(value):
            return value is None or int(value) >= 0
        return isinstance(value, (load("numpy.random:RandomState"), load("numpy.random:Generator")))

    def __str__(self) -> str:
        return "None, a whole number of at least 0, a RandomState or a Generator"


class Anything:
    """Checked where it is used."""

    def allows(self, value: object) -> bool:
        return True

    def __str__(self) -> str:
        return "anything"


def settings_of(owner: Dataclass) -> Settings:
    """Every parameter of a dataclass by name."""
    return {each.name: getattr(owner, each.name) for each in fields(owner)}


def fill_open(owner: Owner, chosen: Settings) -> Owner:
    """The same parameters, those that are open ("auto" or None) as chosen; given ones stay."""
    filled = {name: value for name, value in chosen.items() if _is_open(getattr(owner, name))}
    return replace(owner, **filled)


def check(owner: object, rules: Mapping[str, Rule]) -> None:
    """Raise an InputError for the first attribute of `owner` that breaks its rule."""
    for name, rule in rules.items():
        value = getattr(owner, name)
        if not rule.allows(value):
            shown = repr(value) if len(repr(value)) < 80 else type(value).__name__
            raise InputError(f"{name} must be {rule}; got {shown}")


def _is_open(value: object) -> bool:
    return value is None or (isinstance(value, str) and value == "auto")


def _is_whole(value: object) -> TypeGuard[Integral]:
    return isinstance(value, Integral) and not isinstance(value, bool)
