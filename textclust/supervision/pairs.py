"""Pairs and weights as a caller gives them, checked and made arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from textclust.errors import InputError
from textclust.supervision.links import Rows, Weights

__all__ = ["Pairs", "given_labels", "given_pairs", "given_weights"]

Pairs = Iterable[Sequence[int]]


def given_pairs(pairs: Pairs, name: str) -> Rows:
    """Pairs of row numbers as an array of two columns."""
    try:
        array = np.asarray(pairs if isinstance(pairs, np.ndarray) else list(pairs))
    except (TypeError, ValueError):
        array = np.empty(1, dtype=object)
    if not len(array):
        return np.empty((0, 2), dtype=np.intp)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{name} must be pairs (i, j) of row numbers, two in each")
    if array.dtype.kind not in "iu":
        raise InputError(
            f"{name} must be whole row numbers, not {array.dtype.name}; "
            "Constraints.from_csv takes pairs of document ids"
        )
    if array.min() < 0:
        i, j = array[(array < 0).any(axis=1)][0]
        raise InputError(f"{name} has the pair ({i}, {j}); row numbers begin at 0")
    return array.astype(np.intp)


def given_weights(weights: ArrayLike | None, n: int) -> Weights:
    """One number of at least 0 for each of n pairs; all 1 where none are given."""
    if weights is None:
        return np.ones(n)
    try:
        array = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("weights must be numbers, one for each pair") from None
    if array.shape != (n,):
        raise InputError(
            f"weights must be one number for each of the {n} pairs, must-links first; "
            f"got the shape {array.shape}"
        )
    wrong = ~(np.isfinite(array) & (array >= 0))
    if wrong.any():
        place = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"weights must be finite and at least 0; the one of pair {place} is {array[place]:g}"
        )
    return array


def given_labels(labels: ArrayLike) -> Rows:
    """A label for each row as an array of whole numbers, -1 where it is not known."""
    array = np.asarray(labels)
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iu"):
        raise InputError("labels must be one whole number for each row, -1 where none is known")
    if len(array) and array.min() < -1:
        raise InputError(f"labels must be 0 or more, or -1 for unknown; got {array.min()}")
    return array.astype(np.intp)
