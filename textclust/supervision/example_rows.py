"""Example clusters as lists of row numbers: what may be given, and which example a row is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from textclust.errors import InputError

__all__ = ["example_labels", "example_of_each", "example_rows"]

Labels = NDArray[np.int64]


def example_labels(examples: Sequence[Labels], n_rows: int) -> NDArray[np.intp]:
    """The number of the example of each row, -1 for none; the examples are sound."""
    found = np.full(n_rows, -1)
    for number, rows in enumerate(examples):
        found[rows] = number
    return found


def example_of_each(examples: Iterable[Iterable[int]], n_rows: int) -> Labels:
    """The number of the example each row belongs to, or -1."""
    if not isinstance(examples, Iterable):
        raise InputError(f"examples is {examples!r}: give a list of lists of row numbers")
    membership = np.full(n_rows, -1, dtype=np.int64)
    for number, example in enumerate(examples):
        rows = _rows(example, f"examples[{number}]", n_rows)
        taken = rows[membership[rows] >= 0]
        if taken.size:
            raise InputError(
                f"examples[{number}]: row {taken[0]} is already in "
                f"examples[{membership[taken[0]]}]: a row belongs to one example cluster at most"
            )
        membership[rows] = number
    return membership


def _rows(example: Iterable[int], name: str, n_rows: int) -> Labels:
    if isinstance(example, (str, bytes)) or not isinstance(example, Iterable):
        raise InputError(
            f"{name} is {example!r}: give each example cluster as a list of row numbers"
        )
    rows = example.tolist() if isinstance(example, np.ndarray) else list(example)
    for row in rows:
        if not isinstance(row, (int, np.integer)) or isinstance(row, bool):
            raise InputError(f"{name}: {row!r} is not a row number: give integers, from 0 on")
        if not 0 <= row < n_rows:
            raise InputError(f"{name}: there is no row {row}: they run from 0 to {n_rows - 1}")
    return np.unique(np.array(rows, dtype=np.int64))


def example_rows(examples: Iterable[Iterable[int]] | None, n_rows: int) -> list[Labels]:
    """The rows of each example, ascending; none for None, and an example must have some."""
    if examples is None:
        return []
    examples = list(examples) if isinstance(examples, Iterable) else examples
    membership = example_of_each(examples, n_rows)
    found = [np.flatnonzero(membership == number) for number in range(len(examples))]
    empty = [number for number, rows in enumerate(found) if not len(rows)]
    if empty:
        raise InputError(f"examples[{empty[0]}] has no rows: leave it out, or give some")
    return found
