"""Assignment backends: the only code that touches every stored entry in every iteration.

It reads rows and affine forms, gives labels and moved sums, and knows nothing of what a
cluster means. `ReferenceBackend` is the reference in numpy and scipy; `NativeBackend` gives
the same answers faster where the compiled core is there. `make_backend` chooses.

A backend remembers nothing of what it was asked: whoever assigns the same rows again hands
it the `Assignment` of the last time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import (
    AffineForm,
    Array,
    Labels,
    Margins,
    Matrix,
    Moments,
    PackedSlopes,
    costs,
)
from textclust.geometry.rows import squared_norms
from textclust.geometry.table import CostTable

__all__ = [
    "Assignment",
    "AssignmentBackend",
    "Nearest",
    "ReferenceBackend",
    "make_backend",
    "moments",
    "nearest",
    "own_products",
    "pack_slopes",
]

_TABLE_ENTRIES = 1 << 22  # of the cost table held at a time: 32 MB in float64


@dataclass(frozen=True, eq=False)
class Assignment:
    """The cheapest cluster of every row, ties to the lowest number.

    A backend may keep more in one of its own kind, for the next time.
    """

    labels: Labels

    def leads(self, rows: Labels) -> Array:
        """By how much more each of some rows costs at least in any cluster but its own.

        There is room for the rounding of double precision; where nothing is known it is
        minus infinity.
        """
        return np.full(len(rows), -np.inf)

    def renumbered(self, order: Labels) -> Assignment:
        """The same after the clusters were put in this order, but for ties."""
        return Assignment(np.argsort(order)[self.labels])


class AssignmentBackend(Protocol):
    """What the rows of one matrix can be asked."""

    X: Matrix

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> Assignment:
        """The cheapest cluster of every row.

        `changed` marks the clusters whose part of the form is not what it was for the
        previous assignment, but for the rounding of double precision; None is all of them.
        """

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        """What each of some ascending rows costs in every cluster."""

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        """What each of some rows costs in the cluster named for it."""

    def margins(self, form: AffineForm, labels: Labels) -> Margins:
        """How every row sits in the cluster named for it."""

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        """Move weighted rows from the sums of their sources to those of their targets.

        No rows are all rows; without sources they come from nowhere.
        """

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        """These slopes for a form that is asked about next."""


def make_backend(
    X: Matrix, threads: int | None = None, apart: Labels | None = None
) -> AssignmentBackend:
    """The fastest backend there is for this matrix; None is a thread for each processor.

    Rows set apart are asked for by number, and nobody reads what `assign` and `margins` say
    of them.
    """
    from textclust.geometry.native_backend import NativeBackend

    return NativeBackend(X, threads, apart) if NativeBackend.takes(X) else ReferenceBackend(X)


class Nearest(NamedTuple):
    """For each document the cheapest cluster, its cost, and the same of the runner-up."""

    labels: Labels
    cost: Array
    second: Labels
    second_cost: Array

    @classmethod
    def by(cls, tabulate: Callable[[slice], Array], n: int, k: int) -> Self:
        """From a table of n documents and k clusters, a block of documents at a time."""
        parts = [_two_cheapest(tabulate(block)) for block in _blocks(n, k)]
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def nearest(X: Matrix, form: AffineForm) -> Nearest:
    """The cheapest cluster of every row of X and the runner-up, in double precision."""
    backend, every = make_backend(X), np.arange(X.shape[0])

    def tabulate(block: slice) -> Array:
        return backend.table(form, every[block]).exactly()

    return Nearest.by(tabulate, len(every), len(form.offsets))


def moments(X: Matrix, labels: Labels, weights: Array, k: int) -> Moments:
    """The weighted sum of the rows of each cluster and its weight, in float64."""
    sums = np.zeros((X.shape[1], k)).T
    make_backend(X).shift(sums, None, None, labels, weights)
    return Moments(sums, np.bincount(labels, weights=weights, minlength=k).astype(np.float64))


def pack_slopes(slopes: Array, backend: AssignmentBackend | None) -> PackedSlopes:
    """These slopes packed for a backend, if there is one to use them."""
    return PackedSlopes(squared_norms(slopes)) if backend is None else backend.pack_slopes(slopes)


def own_products(X: Matrix, labels: Labels, slopes: Array) -> Array:
    """<x_i, B_h> for the cluster h of each row."""
    form = AffineForm(slopes, np.zeros(len(slopes)))
    return -make_backend(X).costs_at(form, np.arange(X.shape[0]), labels)


class ReferenceBackend:
    """The reference."""

    def __init__(self, X: Matrix) -> None:
        self.X = X

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> Assignment:
        labels = np.empty(self.X.shape[0], dtype=np.intp)
        for rows in _blocks(len(labels), len(form.offsets)):
            labels[rows] = costs(self.X[rows], form).argmin(axis=1)
        return Assignment(labels)

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        def exact(chosen: Labels) -> Array:
            return costs(self.X[rows[chosen]], form)

        return CostTable.of_rows((len(rows), len(form.offsets)), exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found = np.empty(len(rows))
        for part in _blocks(len(rows), len(form.offsets)):
            table = costs(self.X[rows[part]], form)
            found[part] = table[np.arange(len(table)), labels[part]]
        return found

    def margins(self, form: AffineForm, labels: Labels) -> Margins:
        def tabulate(block: slice) -> Array:
            return costs(self.X[block], form)

        found = Nearest.by(tabulate, len(labels), len(form.offsets))
        rivals = np.where(found.labels == labels, found.second_cost - found.cost, -np.inf)
        return Margins(found.cost, rivals)

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        X = self.X if rows is None else self.X[rows]
        sums += _sums(X, targets, weights, len(sums))
        if sources is not None:
            sums -= _sums(X, sources, weights, len(sums))

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        return PackedSlopes(squared_norms(slopes))


def _sums(X: Matrix, labels: Labels, weights: Array, k: int) -> Array:
    n = X.shape[0]
    member = sp.csc_array((weights, labels, np.arange(n + 1)), shape=(k, n))
    if not sp.issparse(X):
        return np.asarray(member @ X)
    return np.asarray((member.tocsr() @ X).todense())


def _two_cheapest(table: Array) -> Nearest:
    """Of each row of a table, which is used up."""
    each, labels = np.arange(len(table)), table.argmin(axis=1)
    cost = table[each, labels]
    table[each, labels] = np.inf
    second = table.argmin(axis=1)
    return Nearest(labels, cost, second, table[each, second])


def _blocks(n: int, k: int) -> Iterator[slice]:
    step = max(1, _TABLE_ENTRIES // max(k, 1))
    for begin in range(0, max(n, 1), step):
        yield slice(begin, min(n, begin + step))
