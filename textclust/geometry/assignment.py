"""Assignment backends: the only code that touches every stored entry in every iteration.

It reads rows and affine forms, gives labels and moved sums, and knows nothing of what a
cluster means. `ReferenceBackend` is the reference in numpy and scipy; `NativeBackend` gives
the same answers faster for sparse rows where the compiled core is there, and `DenseBackend`
for dense rows. `make_backend` chooses.

A backend remembers nothing of what it was asked: whoever assigns the same rows again hands
it the `Assignment` of the last time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import (
    AffineForm,
    Array,
    Labels,
    Matrix,
    Moments,
    PackedSlopes,
    costs,
)
from textclust.geometry.dense_sums import add_dense_rows, members
from textclust.geometry.grid import exact_sums
from textclust.geometry.optimum import ClusterOptimum, Growth, best_moves
from textclust.geometry.parts import PartedRows
from textclust.geometry.rows import squared_norms
from textclust.geometry.table import CostTable

__all__ = [
    "Assignment",
    "AssignmentBackend",
    "Clusters",
    "Movable",
    "MovingBackend",
    "Nearest",
    "ReferenceBackend",
    "SingleMoves",
    "make_backend",
    "moments",
    "nearest",
    "own_products",
    "pack_slopes",
    "sums_as_table",
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


class Movable(NamedTuple):
    """Rows in clusters, each of which may move by itself."""

    labels: Array
    weights: Array
    squares: Array  # <x, x> of each
    least: Array  # what a move of each must take off the energy of the clusters


@dataclass(frozen=True, eq=False)
class SingleMoves:
    """The best move of each of some ascending rows, and what it takes off the energy of clusters.

    A backend may keep more in one of its own kind, for the next time.
    """

    rows: Labels
    targets: Labels
    gains: Array
    among_all: SingleMoves | None = field(default=None, kw_only=True)  # where rows were chosen

    def of(self, chosen: Array) -> SingleMoves:
        """Those of the chosen rows, which are numbered anew."""
        targets = self.targets[chosen]
        rows = np.arange(len(targets))
        return SingleMoves(rows, targets, self.gains[chosen], among_all=self)


@dataclass(frozen=True, eq=False)
class Clusters:
    """What single moves need to know of clusters, and change as they are made."""

    sums: Array  # k x d, term by term in memory
    growth: Growth
    sizes: Array  # documents of any weight in each
    floor: float = 0.0  # the mass that no move may take a cluster below

    def energy(
        self, h: int, product: float = 0.0, weight: float = 0.0, square: float = 0.0
    ) -> float:
        """Of one cluster, with a row or without it where its weight is below zero."""
        growth = self.growth
        length = growth.squares[h] + 2.0 * weight * product + weight * weight * square
        if growth.by_length:
            return -math.sqrt(max(length, 0.0))
        mass = growth.masses[h] + weight
        return float(-length / mass) if mass > 0.0 else 0.0

    def add(self, h: int, product: float, weight: float, square: float, size: int) -> None:
        """Put a row into what is known of a cluster, but for its sums; or take it out."""
        self.growth.squares[h] += 2.0 * weight * product + weight * weight * square
        self.growth.masses[h] += weight
        self.sizes[h] += size


class MovingBackend(Protocol):
    """What rows can be asked that move one by one."""

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        """The best moves of the rows that can take more than their least off the energy.

        The optimum knows how clusters grow, and each has documents. `changed` is as for `assign`;
        `previous` may be what was assigned to these rows last.
        """

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        """Make these moves one after the other, but for those that have come to bring only noise.

        Labels and clusters change; all that the moves take off the energy is returned. `images`
        are what rows add to the sums, where that is not the rows.
        """


class AssignmentBackend(MovingBackend, Protocol):
    """What the rows of one matrix can be asked.

    Rows that `shift` adds up are rounded to multiples of `grid`, so that sums are exact whatever
    the order of the additions; with 0 they are not rounded.
    """

    X: Matrix
    grid: float

    def of(self, rows: Labels) -> MovingBackend:
        """Some ascending rows, which are numbered anew, to be moved."""

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
    X: Matrix, threads: int | None = None, apart: Labels | None = None, grid: float = 0.0
) -> AssignmentBackend:
    """The fastest backend there is for this matrix; None is a thread for each processor.

    Rows set apart are asked for by number, and nobody reads what `assign` says of them.
    """
    from textclust.geometry.dense_backend import DenseBackend
    from textclust.geometry.native_backend import NativeBackend

    if isinstance(X, PartedRows):
        return X.backend(grid)
    if DenseBackend.takes(X):
        return DenseBackend(X, threads, apart)
    if NativeBackend.takes(X):
        return NativeBackend(X, threads, apart, grid)
    return ReferenceBackend(X, grid)


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

    def __init__(self, X: Matrix, grid: float = 0.0) -> None:
        self.X, self.grid = X, grid

    def of(self, rows: Labels) -> ReferenceBackend:
        return ReferenceBackend(self.X[rows], self.grid)

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

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        targets, gains = np.empty(len(rows.labels), dtype=np.intp), np.empty(len(rows.labels))
        for block in _blocks(len(gains), len(best.energies)):
            labels, weights, squares, _ = (part[block] for part in rows)
            products = -costs(self.X[block], best.products)
            moves = best_moves(best, products, labels, weights, squares)
            targets[block], gains[block] = moves
        found = np.flatnonzero((rows.weights > 0) & (gains > rows.least))
        return SingleMoves(found, targets[found], gains[found])

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        adding, total = self if images is None else ReferenceBackend(images), 0.0
        for i, target in zip(moves.rows.tolist(), moves.targets.tolist(), strict=True):
            source, weight, square = int(rows.labels[i]), float(rows.weights[i]), rows.squares[i]
            left = clusters.growth.masses[source] - weight
            if clusters.sizes[source] == 1 or left < clusters.floor:
                continue
            here, there = (self._product(i, clusters.sums[h]) for h in (source, target))
            gain = clusters.energy(source) - clusters.energy(source, here, -weight, square)
            gain -= clusters.energy(target, there, weight, square) - clusters.energy(target)
            if not gain > noise:
                continue
            adding._move_row(i, weight, clusters.sums[source], clusters.sums[target])
            clusters.add(source, here, -weight, square, -1)
            clusters.add(target, there, weight, square, 1)
            rows.labels[i] = target
            total += gain
        return total

    def _move_row(self, i: int, weight: float, source: Array, target: Array) -> None:
        """Take a weighted row out of one sum and into another."""
        if not sp.issparse(self.X):
            values, terms = weight * self.X[i].astype(np.float64), slice(None)
        else:
            part = slice(self.X.indptr[i], self.X.indptr[i + 1])
            values, terms = weight * self.X.data[part].astype(np.float64), self.X.indices[part]
        if self.grid:
            values = np.rint(values / self.grid) * self.grid
        source[terms] -= values
        target[terms] += values

    def _product(self, i: int, slopes: Array) -> float:
        """<x_i, B> in the order of the stored entries."""
        if not sp.issparse(self.X):
            terms = self.X[i].astype(np.float64) * slopes
        else:
            part = slice(self.X.indptr[i], self.X.indptr[i + 1])
            terms = self.X.data[part].astype(np.float64) * slopes[self.X.indices[part]]
        return float(np.add.accumulate(terms)[-1]) if len(terms) else 0.0

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        if not sp.issparse(self.X):
            add_dense_rows(self.X, sums, rows, sources, targets, weights)
            return
        X = self.X if rows is None else self.X[rows]
        for labels, sign in ((targets, 1.0), (sources, -1.0)):
            if labels is not None and self.grid:
                moved = exact_sums(X, labels, sign * weights, len(sums), self.grid)
                sums += sums_as_table(moved)
            elif labels is not None:
                sums += _sums(X, labels, sign * weights, len(sums))

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        return PackedSlopes(squared_norms(slopes))


def _sums(X: Matrix, labels: Labels, weights: Array, k: int) -> Array:
    return sums_as_table(members(labels, weights, k).tocsr() @ X)


def sums_as_table(sums: Matrix) -> Array:
    """Sums of clusters as a table, k x d."""
    return np.asarray(sums.todense())


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
