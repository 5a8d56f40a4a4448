"""Columns of a DataFrame as documents, by what pandas, polars and pyarrow have in common.

None of them is imported: whoever gives a DataFrame has done so.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from numbers import Integral, Real
from typing import Any

from textclust.errors import InputError
from textclust.text.dates import cell_date
from textclust.text.decoding import encodable

__all__ = [
    "Keys",
    "column",
    "date_of",
    "id_of",
    "index_of",
    "is_missing",
    "is_table",
    "label_of",
    "listed_columns",
    "values_of",
]

_LISTED = 12  # columns in a message


@dataclass(frozen=True, eq=False)
class Keys:
    """What documents were called where they came from, where that is more than their id as text.

    `ids` are as they were given: numbers, moments or texts. `index` is that of the Series or
    DataFrame, if there was one.
    """

    ids: Sequence[Hashable]
    index: Any = None

    def select(self, rows: Sequence[int]) -> Keys:
        """Those of some rows, in this order."""
        index = None if self.index is None else self.index[list(rows)]
        return Keys([self.ids[row] for row in rows], index)


def is_table(given: object) -> bool:
    """Whether something has columns with names, as a DataFrame has."""
    return hasattr(given, "columns") and hasattr(given, "__getitem__")


def column(table: Any, name: object, parameter: str) -> Any:
    """The column of this name, which a parameter gave."""
    names = _columns(table)
    if names.count(name) == 1:
        return table[name]
    wrong = "two columns" if name in names else "no column"
    raise InputError(
        f"the DataFrame has {wrong} {name!r}; {parameter}= names one of: {listed_columns(table)}"
    )


def listed_columns(table: Any) -> str:
    """The names of its columns in a line."""
    names = _columns(table)
    return ", ".join(map(str, names[:_LISTED])) + (", ..." if len(names) > _LISTED else "")


def _columns(table: Any) -> list[Any]:
    return list(getattr(table, "column_names", table.columns))


def values_of(given: Iterable[object]) -> list[Any]:
    """A list of what a column, an array or anything else holds."""
    for method in ("to_list", "tolist", "to_pylist"):
        if hasattr(given, method):
            return list(getattr(given, method)())
    return list(given)


def index_of(given: object) -> Any:
    """The index of a Series or DataFrame of pandas; None for what has none."""
    index = getattr(given, "index", None)
    return index if hasattr(index, "names") else None


def is_missing(value: object) -> bool:
    """Whether this is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA will not say
        return True
    except ValueError:  # an array, which is something
        return False


def id_of(value: object) -> str:
    """An id as text; the levels of an index of several with slashes between."""
    if isinstance(value, tuple):
        return "/".join(map(id_of, value))
    if is_missing(value):
        raise InputError("an id or a value of the index is missing; give each document its own")
    return encodable(_number_or_text(value))


def label_of(value: object) -> str | None:
    """A known class as text; None where it is missing or empty."""
    if is_missing(value):
        return None
    text = encodable(_number_or_text(value))
    return text if text.strip() else None


def date_of(value: object, document: str) -> datetime | None:
    """The moment that a value says; None where it is missing."""
    if is_missing(value) or value == "":
        return None
    if hasattr(value, "astype"):  # of numpy
        value = value.astype("datetime64[us]").item()
    if hasattr(value, "to_pydatetime"):  # a Timestamp, which may be finer
        value = value.to_pydatetime(warn=False)
    found = cell_date(value)
    if found is None:
        raise InputError(
            f"the date of {document[:80]!r} is {str(value)[:40]!r}; write it as 2024-05-31, "
            "give datetimes, or None where it is not known"
        )
    return found


def _number_or_text(value: object) -> str:
    """Whole numbers without a point: a column of them with a gap in it has turned to floats."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Real) and not isinstance(value, Integral) and value % 1 == 0:
        return str(int(float(value)))
    return str(value)
