"""The one kernel: every distortion is affine in the document.

    cost(i, h) = a_i + c_h - <x_i, B_h>

`a` depends on the document alone, `B` and `c` on the prototypes alone, so one
sparse-times-dense product serves every distortion and the zeros of x are never
touched. This is the readable reference; nothing here knows what a cluster means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

__all__ = [
    "AffineForm",
    "Array",
    "Labels",
    "Matrix",
    "Moments",
    "Nearest",
    "Unary",
    "costs",
    "moments",
    "nearest",
]

Array = npt.NDArray[Any]
Labels = npt.NDArray[np.intp]
Matrix = Any  # a CSR matrix or array, or a dense ndarray: the kernel treats them alike

_TABLE_ENTRIES = 1 << 22  # of the cost table held at a time: 32 MB in float64


@dataclass(frozen=True)
class AffineForm:
    """What the prototypes alone contribute to every cost: slopes B and offsets c."""

    slopes: Array
    offsets: Array


@dataclass(frozen=True)
class Nearest:
    """For each document the cheapest cluster, its cost, and the cost of the runner-up."""

    labels: Labels
    cost: Array
    second: Labels
    second_cost: Array


class Moments(NamedTuple):
    """All that a prototype needs to know of its cluster."""

    sums: Array  # k x d
    masses: Array  # k


@dataclass(frozen=True)
class Unary:
    """U: what each cluster costs some of the documents on top; infinity forbids it."""

    documents: Labels  # ascending row numbers
    costs: Array  # one row for each of the documents, one column for each cluster


def costs(X: Matrix, form: AffineForm) -> Array:
    """The table c_h - <x_i, B_h> for all rows of X; add a_i for the distortion itself."""
    table = np.asarray(X @ np.ascontiguousarray(form.slopes.T, dtype=np.float64))
    return np.subtract(form.offsets, table, out=table)


def nearest(X: Matrix, form: AffineForm, unary: Unary | None = None) -> Nearest:
    """The cheapest cluster of every row, ties to the lowest number, in bounded memory."""
    n, k = X.shape[0], len(form.offsets)
    labels, second = np.zeros(n, dtype=np.intp), np.zeros(n, dtype=np.intp)
    cost, second_cost = np.empty(n), np.full(n, np.inf)
    for rows in _blocks(n, k):
        table = costs(X[rows], form)
        if unary is not None:
            begin, end = np.searchsorted(unary.documents, [rows.start, rows.stop])
            table[unary.documents[begin:end] - rows.start] += unary.costs[begin:end]
        each = np.arange(len(table))
        best = table.argmin(axis=1)
        labels[rows], cost[rows] = best, table[each, best]
        if k > 1:
            table[each, best] = np.inf
            next_best = table.argmin(axis=1)
            second[rows], second_cost[rows] = next_best, table[each, next_best]
    return Nearest(labels, cost, second, second_cost)


def moments(X: Matrix, labels: Labels, weights: Array, k: int) -> Moments:
    """The weighted sum of the rows of each cluster, k x d, and its weight, in float64."""
    n = X.shape[0]
    member = sp.csr_array((weights, labels, np.arange(n + 1)), shape=(n, k)).T.tocsr()
    total = member @ X
    sums = np.asarray(total.todense() if sp.issparse(total) else total, dtype=np.float64)
    return Moments(sums, np.bincount(labels, weights=weights, minlength=k).astype(np.float64))


def _blocks(n: int, k: int) -> Iterator[slice]:
    step = max(1, _TABLE_ENTRIES // max(k, 1))
    for begin in range(0, n, step):
        yield slice(begin, min(n, begin + step))
