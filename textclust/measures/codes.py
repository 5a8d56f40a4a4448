"""Labels of any kind as numbers from 0, and what is wrong with those that cannot be."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from textclust.errors import InputError

__all__ = ["Codes", "Labels", "codes_of", "is_unlabelled", "listed"]

Labels = Iterable[Hashable]
Codes = NDArray[np.int64]


def codes_of(labels: Labels, name: str) -> Codes:
    """Number the labels 0, 1, ... as they first appear, so that their names play no part."""
    if (
        isinstance(labels, np.ndarray)
        and labels.ndim == 1
        and labels.dtype.kind in "iu"
        and labels.size
    ):
        _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[codes]
    values = listed(labels, name)
    numbers: dict[Hashable, int] = {}
    try:
        found = [numbers.setdefault(value, len(numbers)) for value in values]
    except TypeError:
        row, value = next((r, v) for r, v in enumerate(values) if not _is_hashable(v))
        raise InputError(
            f"{name}: the label at position {row} is a {type(value).__name__}: "
            "give one plain label, such as a string or an integer, per document"
        ) from None
    missing = [label for label in numbers if _is_missing(label)]
    if missing:
        raise InputError(
            f"{name}: the document at position {found.index(numbers[missing[0]])} has no label "
            f"({missing[0]!r}): leave such documents out first"
        )
    return np.array(found, dtype=np.int64)


def listed(labels: Labels, name: str) -> list[Hashable]:
    """The labels as a list; an InputError for what has no order, or none at all."""
    ordered = isinstance(labels, Iterable) and not isinstance(
        labels, (str, bytes, Mapping, AbstractSet)
    )
    shape = getattr(labels, "shape", (1,))
    if not ordered or len(shape) != 1:
        kind = type(labels).__name__ + (f" of shape {shape}" if len(shape) != 1 else "")
        raise InputError(f"{name} is a {kind}: give a list or 1-d array, one label per document")
    values = list(labels.tolist() if hasattr(labels, "tolist") else labels)
    if not values:
        raise InputError(f"{name} has no labels: give one label per document")
    return values


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_unlabelled(label: object) -> bool:
    """Whether this stands for no label: None, NaN, pandas.NA, -1, and "-1" as numpy writes it."""
    return _is_missing(label) or label in (-1, "-1")


def _is_missing(label: object) -> bool:
    try:
        return label is None or bool(operator.ne(label, label))  # NaN is not itself
    except TypeError:  # pandas.NA will not say
        return True
