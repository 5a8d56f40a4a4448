"""What a value in a model file may be. A schema is made of these; each checks itself.

A length or a shape names its sizes, such as "documents". A size is what the first value says that
has it; every later one has to agree.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

__all__ = [
    "AnyOf",
    "Field",
    "Flag",
    "Items",
    "Map",
    "MismatchError",
    "Plain",
    "Real",
    "Record",
    "Sizes",
    "Table",
    "Text",
    "Whole",
    "either",
    "maybe",
]

_TYPES = {
    "float": ("float32", "float64"),
    "whole": ("int8", "int16", "int32", "int64"),
    "float or flag": ("float32", "float64", "bool"),
}
_SHOWN = 60  # characters of a name that a file gives


class MismatchError(ValueError):
    """A value that is not what its field may hold; says which field, and what it may hold."""


@dataclass
class Sizes:
    """The sizes met so far, and where each was."""

    known: dict[str, tuple[int, str]] = field(default_factory=dict)

    def agree(self, name: str, count: int, where: str) -> None:
        """Note a size; a MismatchError where an earlier field has another."""
        before, place = self.known.setdefault(name, (count, where))
        if before != count:
            raise MismatchError(f"{where} is for {count:,} {name}, {place} for {before:,}")

    def of(self, name: str) -> int:
        return self.known[name][0]


class Field(Protocol):
    """What a field of JSON may hold."""

    def check(self, value: object, where: str, sizes: Sizes) -> None: ...


@dataclass(frozen=True)
class Text:
    """A string, of these words alone where some are named, or that a pattern matches."""

    words: tuple[str, ...] = ()
    pattern: str = ""

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if not isinstance(value, str) or not _is_encodable(value):
            raise MismatchError(f"{where} is not {self}")
        if self.words and value not in self.words:
            raise MismatchError(f"{where} is not {self}")
        if self.pattern and not re.fullmatch(self.pattern, value):
            raise MismatchError(f"{where} is not {self}")

    def __str__(self) -> str:
        if self.words:
            return " or ".join(f'"{word}"' for word in self.words)
        return f"a text like {self.pattern}" if self.pattern else "a text"


@dataclass(frozen=True)
class Whole:
    """A whole number in a range, both ends included."""

    least: int = 0
    most: int = 2**53

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if type(value) is not int or not self.least <= value <= self.most:
            raise MismatchError(f"{where} is not {self}")

    def __str__(self) -> str:
        upper = "" if self.most == 2**53 else f" to {self.most:,}"
        return f"a whole number {'from' if upper else 'of at least'} {self.least:,}{upper}"


@dataclass(frozen=True)
class Real:
    """A finite number in a range, both ends included."""

    least: float = -sys.float_info.max
    most: float = sys.float_info.max

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if type(value) not in (int, float) or not self.least <= value <= self.most:  # type: ignore[operator]
            raise MismatchError(f"{where} is not {self}")

    def __str__(self) -> str:
        if self == Real():
            return "a finite number"
        upper = "" if self.most == sys.float_info.max else f" and at most {self.most:g}"
        return f"a finite number of at least {self.least:g}{upper}"


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if type(value) is not bool:
            raise MismatchError(f"{where} is not {self}")

    def __str__(self) -> str:
        return "true or false"


@dataclass(frozen=True)
class AnyOf:
    """What one of some fields may hold, or null."""

    fields: tuple[Field, ...]
    null: bool = True

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if value is None and self.null:
            return
        if len(self.fields) == 1:
            self.fields[0].check(value, where, sizes)
        elif not any(_fits(each, value, where, sizes) for each in self.fields):
            raise MismatchError(f"{where} is not {self}")

    def __str__(self) -> str:
        return " or ".join([*map(str, self.fields), *(["null"] if self.null else [])])


@dataclass(frozen=True)
class Items:
    """A list of so many items, all alike, or one item for each of some fields."""

    item: Field | tuple[Field, ...]
    count: str | None = None
    distinct: bool = False

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if not isinstance(value, list):
            raise MismatchError(f"{where} is not a list")
        if isinstance(self.item, tuple):
            if len(value) != len(self.item):
                raise MismatchError(f"{where} is not a list of {len(self.item)}")
            for place, (each, item) in enumerate(zip(value, self.item, strict=True)):
                item.check(each, f"{where}[{place}]", sizes)
            return
        if self.count is not None:
            sizes.agree(self.count, len(value), where)
        for place, each in enumerate(value):
            self.item.check(each, f"{where}[{place}]", sizes)
        if self.distinct and len(set(value)) < len(value):
            raise MismatchError(f"{where} has an item twice")

    def __str__(self) -> str:
        if isinstance(self.item, tuple):
            return f"a list of: {'; '.join(map(str, self.item))}"
        count = "" if self.count is None else f", one for each of the {self.count}"
        return f"a list ({self.item}){count}"


@dataclass(frozen=True)
class Map:
    """An object whose names are free and whose values are alike."""

    item: Field

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if not isinstance(value, dict):
            raise MismatchError(f"{where} is not an object")
        for name, each in value.items():
            Text().check(name, f"a name in {where}", sizes)
            self.item.check(each, f"{where}.{name[:_SHOWN]}", sizes)

    def __str__(self) -> str:
        return f"an object ({self.item} by name)"


@dataclass(frozen=True)
class Record:
    """An object with these fields. Those of `optional` may be missing; others may not be there.

    Where it is open, other fields hold any plain data.
    """

    fields: Mapping[str, Field]
    optional: frozenset[str] = frozenset()
    is_open: bool = False

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        if not isinstance(value, dict):
            raise MismatchError(f"{where} is not an object")
        prefix = f"{where}." if where else ""
        for name, each in self.fields.items():
            if name in value:
                each.check(value[name], prefix + name, sizes)
            elif name not in self.optional:
                raise MismatchError(f"{prefix}{name} is missing")
        for name in value.keys() - self.fields.keys():
            if not self.is_open:
                raise MismatchError(f"{prefix}{name[:_SHOWN]} is no field of a model")
            Plain().check(value[name], f"{prefix}{name[:_SHOWN]}", sizes)

    def __str__(self) -> str:
        return "an object with fields"


@dataclass(frozen=True)
class Plain:
    """Any plain data, of texts that can be written."""

    def check(self, value: object, where: str, sizes: Sizes) -> None:
        level: list[Any] = [value]
        while level:
            for each in level:
                if isinstance(each, str) and not _is_encodable(each):
                    raise MismatchError(f"{where} has half of a letter in a text")
                if isinstance(each, dict):
                    Text().check("".join(each), f"a name in {where}", sizes)
            inner = [v.values() if isinstance(v, dict) else v for v in level if _is_nested(v)]
            level = [each for outer in inner for each in outer]

    def __str__(self) -> str:
        return "any plain data"


@dataclass(frozen=True)
class Table:
    """An array of a kind and shape, with values in a range."""

    kinds: str  # "float", "whole", "float or flag", or a type of numpy
    shape: tuple[str, ...] = ()  # nothing is said of the shape
    least: float | None = None
    most: float | None = None
    infinite: bool = False  # whether values may be
    gaps: bool = False  # whether they may be NaN

    def check_header(self, where: str, shape: tuple[int, ...], dtype: Any, sizes: Sizes) -> None:
        """A MismatchError where the array that is described so is none of these."""
        if dtype.newbyteorder("=").str not in self._types:
            raise MismatchError(f"{where} has numbers of type {dtype}, not {self.type_in_words}")
        if self.shape and len(shape) != len(self.shape):
            raise MismatchError(f"{where} has {len(shape)} dimensions, not {len(self.shape)}")
        for name, count in zip(self.shape, shape, strict=False):
            one_more = name.endswith(" + 1")
            sizes.agree(name.removesuffix(" + 1"), count - one_more, where)

    def check_values(self, where: str, values: Any) -> None:
        """A MismatchError where a value is not in the range."""
        if values.dtype.kind == "f":
            if not self.gaps and np.isnan(values).any():
                raise MismatchError(f"{where} has a value that is no number")
            values = values[~np.isnan(values)] if self.gaps else values
            if not self.infinite and np.isinf(values).any():
                raise MismatchError(f"{where} has a value that is not finite")
        if self.least is not None and values.size and values.min() < self.least:
            raise MismatchError(f"{where} has a value below {self.least:g}")
        if self.most is not None and values.size and values.max() > self.most:
            raise MismatchError(f"{where} has a value above {self.most:g}")

    @property
    def _types(self) -> set[str]:
        """The types of numpy that are of these kinds, as its headers write them."""
        named = (np.dtype(kind).str for kind in _TYPES.get(self.kinds, (self.kinds,)))
        return set(named)

    @property
    def type_in_words(self) -> str:
        return " or ".join(_TYPES.get(self.kinds, (self.kinds,)))

    def __str__(self) -> str:
        shape = " x ".join(self.shape) or "of the distortion's shape"
        ends = [f"from {self.least:g}"] if self.least is not None else []
        ends += [f"to {self.most:g}"] if self.most is not None else []
        ends += ["or NaN"] if self.gaps else []
        return f"{self.type_in_words}, {shape}" + (f", {' '.join(ends)}" if ends else "")


def maybe(*fields: Field) -> AnyOf:
    """What one of these may hold, or null."""
    return AnyOf(fields)


def either(*fields: Field) -> AnyOf:
    """What one of these may hold."""
    return AnyOf(fields, null=False)


def _fits(each: Field, value: object, where: str, sizes: Sizes) -> bool:
    try:
        each.check(value, where, sizes)
    except MismatchError:
        return False
    return True


def _is_nested(value: object) -> bool:
    return isinstance(value, dict | list)


def _is_encodable(text: str) -> bool:
    """Whether a text has no half of a letter, a lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
