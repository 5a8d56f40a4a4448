"""Assignment backends: the only code that touches every stored entry in every iteration.

It reads rows and affine forms, gives labels and moved sums, and knows nothing of what a
cluster means. `ReferenceBackend` is the reference in numpy and scipy; `NativeBackend` gives
the same answers faster where the compiled core is there. `make_backend` chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import (
    AffineForm,
    Array,
    Estimates,
    Labels,
    Margins,
    Matrix,
    Moments,
    Nearest,
    PackedSlopes,
    costs,
)
from textclust.geometry.rows import squared_norms

__all__ = [
    "AssignmentBackend",
    "ReferenceBackend",
    "make_backend",
    "moments",
    "nearest",
    "own_products",
    "pack_slopes",
]

_TABLE_ENTRIES = 1 << 22  # of the cost table held at a time: 32 MB in float64


class AssignmentBackend(Protocol):
    """What the rows of one matrix can be asked."""

    def labels(self, form: AffineForm, changed: Array | None = None) -> Labels:
        """The cheapest cluster of every row, ties to the lowest number.

        `changed` marks the clusters whose part of the form is not what it was the last
        time; None is all of them.
        """

    def leads(self, rows: Labels) -> Array:
        """By how much more each of some rows costs at least in any cluster but its own.

        Its own is the one that `labels` named last. There is room for the rounding of
        double precision; where nothing is known it is minus infinity.
        """

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        """These slopes for a form whose labels are asked for next."""

    def renumbered(self, labels: Labels, order: Labels, form: AffineForm) -> Labels:
        """The cheapest cluster of every row, after the clusters were put in this order.

        The labels are those before. `form` is of the same prototypes, but for the rounding
        of double precision.
        """

    def nearest(self, form: AffineForm) -> Nearest:
        """The cheapest cluster of every row, its cost, and the runner-up."""

    def table(self, form: AffineForm, rows: Labels) -> Array:
        """What each of some rows costs in every cluster."""

    def estimates(self, form: AffineForm, rows: Labels) -> Estimates:
        """The same of ascending rows, sooner and within a known error."""

    def margins(self, form: AffineForm, labels: Labels) -> Margins:
        """How every row sits in the cluster named for it."""

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        """What each of some rows costs in the cluster named for it."""

    def differences(
        self, form: AffineForm, rows: Labels, sources: Labels, targets: Labels
    ) -> Array:
        """How much more each of some rows costs in its target than in its source."""

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


def make_backend(
    X: Matrix, threads: int | None = None, apart: Labels | None = None
) -> AssignmentBackend:
    """The fastest backend there is for this matrix; None is a thread for each processor.

    Rows set apart are asked for by number, and nobody reads what `labels` and `margins` say
    of them.
    """
    from textclust.geometry.native_backend import NativeBackend

    return NativeBackend(X, threads, apart) if NativeBackend.takes(X) else ReferenceBackend(X)


def nearest(X: Matrix, form: AffineForm) -> Nearest:
    """The cheapest cluster of every row of X and the runner-up."""
    return make_backend(X).nearest(form)


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

    def labels(self, form: AffineForm, changed: Array | None = None) -> Labels:
        labels = np.empty(self.X.shape[0], dtype=np.intp)
        for rows in _blocks(len(labels), len(form.offsets)):
            labels[rows] = costs(self.X[rows], form).argmin(axis=1)
        return labels

    def leads(self, rows: Labels) -> Array:
        return np.full(len(rows), -np.inf)

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        return PackedSlopes(squared_norms(slopes))

    def renumbered(self, labels: Labels, order: Labels, form: AffineForm) -> Labels:
        return self.labels(form)

    def nearest(self, form: AffineForm) -> Nearest:
        n, k = self.X.shape[0], len(form.offsets)
        labels, second = np.zeros(n, dtype=np.intp), np.zeros(n, dtype=np.intp)
        cost, second_cost = np.empty(n), np.full(n, np.inf)
        for rows in _blocks(n, k):
            table = costs(self.X[rows], form)
            each = np.arange(len(table))
            best = table.argmin(axis=1)
            labels[rows], cost[rows] = best, table[each, best]
            if k > 1:
                table[each, best] = np.inf
                next_best = table.argmin(axis=1)
                second[rows], second_cost[rows] = next_best, table[each, next_best]
        return Nearest(labels, cost, second, second_cost)

    def table(self, form: AffineForm, rows: Labels) -> Array:
        return costs(self.X[rows], form)

    def estimates(self, form: AffineForm, rows: Labels) -> Estimates:
        return Estimates(self.table(form, rows), np.zeros(len(rows)))

    def margins(self, form: AffineForm, labels: Labels) -> Margins:
        found = self.nearest(form)
        rivals = np.where(found.labels == labels, found.second_cost - found.cost, -np.inf)
        return Margins(found.cost, rivals)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found = np.empty(len(rows))
        for part in _blocks(len(rows), len(form.offsets)):
            table = costs(self.X[rows[part]], form)
            found[part] = table[np.arange(len(table)), labels[part]]
        return found

    def differences(
        self, form: AffineForm, rows: Labels, sources: Labels, targets: Labels
    ) -> Array:
        return self.costs_at(form, rows, targets) - self.costs_at(form, rows, sources)

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


def _sums(X: Matrix, labels: Labels, weights: Array, k: int) -> Array:
    n = X.shape[0]
    member = sp.csr_array((weights, labels, np.arange(n + 1)), shape=(n, k)).T.tocsr()
    total = member @ X
    return np.asarray(total.todense() if sp.issparse(total) else total)


def _blocks(n: int, k: int) -> Iterator[slice]:
    step = max(1, _TABLE_ENTRIES // max(k, 1))
    for begin in range(0, n, step):
        yield slice(begin, min(n, begin + step))
