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
from dataclasses import dataclass, field, replace
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
)
from textclust.geometry.optimum import ClusterOptimum, Growth
from textclust.geometry.parts import PartedRows
from textclust.geometry.sparse_sums import mostly_zeros, sparse_sums, squares_of, with_room
from textclust.geometry.table import CostTable

__all__ = [
    "Assignment",
    "AssignmentBackend",
    "Clusters",
    "Movable",
    "MovingBackend",
    "Nearest",
    "SingleMoves",
    "compact_moments",
    "make_backend",
    "moments",
    "nearest",
    "own_products",
    "pack_slopes",
    "table_blocks",
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

    sums: Matrix  # k x d: a table, term by term in memory, which moves change; or CSR
    growth: Growth
    sizes: Array  # documents of any weight in each
    floor: float = 0.0  # the mass that no move may take a cluster below

    def with_room(self, X: Matrix, moves: SingleMoves, rows: Movable) -> Clusters:
        """The same with sums that moves can change: those in CSR are a copy, with room for them."""
        if not sp.issparse(self.sums):
            return self
        clusters = np.concatenate([rows.labels[moves.rows], moves.targets])
        return replace(self, sums=with_room(self.sums, X, np.tile(moves.rows, 2), clusters))

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

        Labels and clusters change, but for sums in CSR, which labels give again; all that the
        moves take off the energy is returned. `images`
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

    def pack_slopes(self, slopes: Matrix) -> PackedSlopes:
        """These slopes for a form that is asked about next."""


def make_backend(
    X: Matrix, threads: int | None = None, apart: Labels | None = None, grid: float = 0.0
) -> AssignmentBackend:
    """The fastest backend there is for this matrix; None is a thread for each processor.

    Rows set apart are asked for by number, and nobody reads what `assign` says of them.
    """
    from textclust.geometry.dense_backend import DenseBackend
    from textclust.geometry.native_backend import NativeBackend
    from textclust.geometry.reference_backend import ReferenceBackend

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
        parts = [_two_cheapest(tabulate(block)) for block in table_blocks(n, k)]
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


def compact_moments(X: Matrix, labels: Labels, weights: Array, k: int) -> Moments:
    """The same with sums in CSR, where a table of them would be large and mostly zeros."""
    is_csr = sp.issparse(X) and X.format == "csr"
    if not is_csr or not mostly_zeros((k, X.shape[1]), X.nnz):
        return moments(X, labels, weights, k)
    masses = np.bincount(labels, weights=weights, minlength=k).astype(np.float64)
    return Moments(sparse_sums(X, labels, weights, k), masses)


def pack_slopes(slopes: Matrix, backend: AssignmentBackend | None) -> PackedSlopes:
    """These slopes packed for a backend, if there is one to use them."""
    return PackedSlopes(squares_of(slopes)) if backend is None else backend.pack_slopes(slopes)


def own_products(X: Matrix, labels: Labels, slopes: Array) -> Array:
    """<x_i, B_h> for the cluster h of each row."""
    form = AffineForm(slopes, np.zeros(len(slopes)))
    return -make_backend(X).costs_at(form, np.arange(X.shape[0]), labels)


def _two_cheapest(table: Array) -> Nearest:
    """Of each row of a table, which is used up."""
    each, labels = np.arange(len(table)), table.argmin(axis=1)
    cost = table[each, labels]
    table[each, labels] = np.inf
    second = table.argmin(axis=1)
    return Nearest(labels, cost, second, table[each, second])


def table_blocks(n: int, k: int) -> Iterator[slice]:
    """So many rows of n by k entries that a table of them is not large."""
    step = max(1, _TABLE_ENTRIES // max(k, 1))
    for begin in range(0, max(n, 1), step):
        yield slice(begin, min(n, begin + step))
