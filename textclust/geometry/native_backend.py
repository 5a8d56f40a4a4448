"""The backend on the compiled core: float32 to find the best, float64 where that is not sure.

A score in float32 differs from the true one by no more than the rounding of its sum:
with m stored entries in the row and u = 2^-24,

    |error| <= (m + 9) u (|c_h| + sum_j |x_j| |s_h B_hj|),

whatever the order of the additions, and the sum is at most |x|_2 |s_h B_h|_2 and at most
|x|_1 |s_h B_h|_inf; one u of it is for slopes that double precision has rounded otherwise.
A row whose best score leads by more than twice that bound is settled; the others are
computed again in float64. So no label differs from the reference's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import (
    AffineForm,
    Array,
    Estimates,
    Labels,
    Margins,
    Matrix,
    Packed,
    PackedSlopes,
)
from textclust.geometry.assignment import Assignment, Nearest
from textclust.geometry.rows import squared_norms
from textclust.geometry.table import CostTable
from textclust.threads import available, share

__all__ = ["NativeBackend", "ScreenedAssignment"]

_ROUNDING = 2.0**-24
_SMALLEST = 2.0**-96  # over u, what float32 products may lose by underflow, with room to spare
_LARGEST = 2.0**60  # slopes and values beyond it might overflow in float32
_STRETCHES = 8  # of terms added up one by one, so that no digit depends on the threads
_PARTS = 3  # for each thread, so that a slow one does not hold up the rest
_WORTH_SHARING = 0.5  # milliseconds: waking a thread takes a tenth of one
# What things take on one processor, in milliseconds, about; for the decision to share them.
_ADD, _COPY, _FETCH = 1.2e-7, 7e-7, 3e-6
_ALL = slice(None)


class _Scores(NamedTuple):
    """For each row the cluster of the best score, that and the next score, and their error."""

    labels: Array
    best: Array
    second: Array
    bound: Array

    @property
    def unsettled(self) -> Labels:
        """The rows whose best score does not lead by more than the error."""
        with np.errstate(invalid="ignore"):  # beyond float32 nothing is settled
            return np.flatnonzero(~(self.best - self.second > 2 * self.bound))


@dataclass(frozen=True, eq=False)
class ScreenedAssignment(Assignment):
    """Labels with the scores they were settled by."""

    scores: _Scores

    def leads(self, rows: Labels) -> Array:
        best, second, bound = (part[rows] for part in self.scores[1:])
        with np.errstate(invalid="ignore"):  # beyond float32 nothing is known
            leads = np.subtract(best, second, dtype=np.float64)
            leads -= 3.0 * bound  # two for the scores, one for rounding
        leads[np.isnan(leads)] = -np.inf
        return leads

    def renumbered(self, order: Labels) -> ScreenedAssignment:
        labels = np.argsort(order)[self.labels]
        return ScreenedAssignment(labels, self.scores._replace(labels=labels.astype(np.int32)))


class NativeBackend:
    """Rows of one CSR matrix, bound to the compiled core."""

    def __init__(self, X: Matrix, threads: int | None = None, apart: Labels | None = None) -> None:
        self._core = native.module("assignment")
        self._indptr = X.indptr.astype(np.int64, copy=False)
        self._rows = (self._indptr, X.indices.astype(np.int32, copy=False), X.data)
        self.X, self._shape = X, X.shape
        self._threads = available() if threads is None else threads
        self._entries = X.nnz / X.shape[0]  # of a row, on average
        self._is_apart = np.zeros(X.shape[0], dtype=bool)
        if apart is not None:
            self._is_apart[apart] = True
        self._screened_rows = np.flatnonzero(~self._is_apart)
        self._tiles: dict[str, Array] = {}

    @staticmethod
    def takes(X: Matrix) -> bool:
        """Whether the core is there and knows matrices of this kind."""
        return bool(
            sp.issparse(X)
            and X.format == "csr"
            and X.nnz
            and X.shape[1] <= np.iinfo(np.int32).max
            and X.data.dtype in (np.float32, np.float64)
            and X.data.dtype.isnative
            and native.module("assignment") is not None
        )

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> ScreenedAssignment:
        k = len(form.offsets)
        if (
            not isinstance(previous, ScreenedAssignment)
            or changed is None
            or 2 * self._room(changed.sum()) > self._room(k)
        ):
            found = self._screened(form)
        elif changed.any():
            found = self._rescreened(previous.scores, form, changed)
        else:  # ties may fall anew where clusters were renumbered
            found = previous.scores._replace(labels=previous.scores.labels.copy())
        doubtful = self._unsettled(found)
        if len(doubtful):
            found.labels[doubtful] = self._exactly(form, doubtful).labels
            found.second[doubtful] = np.inf  # the best score may be another's: look again
        return ScreenedAssignment(found.labels.astype(np.intp), found)

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        def rough(chosen: Labels) -> Estimates:
            return self._estimated(form, rows[chosen])

        def exact(chosen: Labels) -> Array:
            return self._tabulated(form, rows[chosen])

        return CostTable((len(rows), len(form.offsets)), rough, exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found, clusters = np.empty(len(rows)), labels.astype(np.int32)
        wanted, plain = rows.astype(np.int64, copy=False), _plain(form)

        def cost(begin: int, end: int) -> None:
            self._core.costs_at(*self._rows, wanted, clusters, begin, end, *plain, found)

        self._share(cost, len(rows), len(rows) * self._entries * _FETCH)
        return found

    def margins(self, form: AffineForm, labels: Labels) -> Margins:
        found = self._screened(form)
        with np.errstate(invalid="ignore"):  # beyond float32; looked at again below
            costs, leads = found.bound - found.best, found.best - found.second - 2 * found.bound
        rivals = np.where(found.labels == labels, leads, -np.inf)
        beyond = np.flatnonzero(~np.isfinite(costs))
        if len(beyond):
            exact = self._exactly(form, beyond)
            costs[beyond], leads = exact.cost, exact.second_cost - exact.cost
            rivals[beyond] = np.where(exact.labels == labels[beyond], leads, -np.inf)
        return Margins(costs, rivals)

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        moved = (
            None if rows is None else rows.astype(np.int64, copy=False),
            None if sources is None else sources.astype(np.int32),
            targets.astype(np.int32),
            np.ascontiguousarray(weights, dtype=np.float64),
        )

        def move(begin: int, end: int) -> None:
            self._core.shift(*self._rows, *moved, begin, end, sums.T)

        duration = len(targets) * self._entries * _FETCH
        self._share(move, self._shape[1], duration, lambda: self._term_parts)

    def _screened(self, form: AffineForm) -> _Scores:
        """The best and the second score of every row among all clusters of the form."""
        n, k = self._shape[0], len(form.offsets)
        packed, padded, largest = self._padded(form)
        best, labels = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.int32)
        second = np.full(n, np.inf, dtype=np.float32)  # nothing is known of rows set apart

        def screen(begin: int, end: int) -> None:
            found = (best, second, labels)
            self._core.screen(*self._light_rows, wanted, begin, end, packed, *padded, *found)

        wanted = self._screened_rows
        duration = len(wanted) * self._entries * k * _ADD
        self._share(screen, len(wanted), duration, lambda: self._screened_parts)
        bound = self._bound(form) if largest < _LARGEST else np.full(n, np.inf)
        return _Scores(labels, best, second, bound)

    def _padded(self, form: AffineForm) -> tuple[Array, Array, float]:
        """The slopes in tiles, scales and offsets as long as these, and no slope larger than."""
        slopes, scales, offsets = _plain(form)
        packed, largest = form.packed or self._pack(slopes, "in passing")[1]
        padded = np.zeros((2, packed.shape[0] * packed.shape[2]), dtype=np.float32)
        padded[1] = np.inf
        with np.errstate(over="ignore"):  # then no row is settled
            padded[0, : len(scales)], padded[1, : len(offsets)] = scales, offsets
        return packed, padded, largest

    def _rescreened(self, last: _Scores, form: AffineForm, changed: Array) -> _Scores:
        """The same from the last result, looking at the clusters that changed since.

        Of the clusters that did not change, all but a row's own score at most its last
        second; where that does not settle a row, it is screened against all.
        """
        clusters = np.flatnonzero(changed)
        among = self._screened(form.of(clusters))
        bound = np.maximum(last.bound, among.bound)
        stays = ~changed[last.labels]
        rival = np.where(stays, last.best, -np.inf)  # the own score, where it still holds
        wins = among.best > rival
        labels = np.where(wins, clusters[among.labels], last.labels).astype(np.int32)
        best = np.maximum(among.best, rival)
        second = np.maximum(last.second, np.where(wins, among.second, among.best))
        second = np.maximum(second, np.where(wins, rival, -np.inf))
        found = _Scores(labels, best, second, bound)
        rows = self._unsettled(found)
        if len(rows):
            again = NativeBackend(self.X[rows], self._threads)._screened(form)
            for mine, theirs in zip(found, again, strict=True):
                mine[rows] = theirs
        return found

    def _unsettled(self, found: _Scores) -> Labels:
        """The rows to look at again, of those that anybody asks for."""
        rows = found.unsettled
        return rows[~self._is_apart[rows]]

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        by_term = np.ascontiguousarray(slopes.T, dtype=np.float64)
        return PackedSlopes(*self._pack(by_term, "ready"))

    def _pack(self, slopes: Array, place: str) -> tuple[Array, Packed]:
        """The squared lengths, and the slopes in tiles; these are good until the place is taken."""
        d, k = slopes.shape
        tiles, width = self._core.tiling(k)
        packed = self._tiles.get(place)
        if packed is None or packed.shape != (tiles, d, width):
            packed = self._tiles[place] = np.zeros((tiles, d, width), dtype=np.float32)
        cuts = np.arange(_STRETCHES + 1) * d // _STRETCHES
        parts = np.zeros((_STRETCHES, k))

        def fill(begin: int, end: int) -> None:
            for part in range(begin, end):
                self._core.pack(slopes, cuts[part], cuts[part + 1], packed, parts[part])

        self._share(fill, _STRETCHES, d * k * _COPY, lambda: np.arange(_STRETCHES + 1))
        squares = parts.sum(axis=0)
        return squares, (packed, float(np.sqrt(squares.max())))

    def _room(self, k: int) -> int:
        """How many clusters the core looks at where it is asked for so many."""
        tiles, width = self._core.tiling(max(k, 1))
        return int(tiles * width)

    def _estimated(self, form: AffineForm, rows: Labels) -> Estimates:
        """What some ascending rows cost in every cluster, in float32."""
        packed, padded, largest = self._padded(form)
        scores = np.empty((len(rows), padded.shape[1]), dtype=np.float32)
        wanted, k = rows.astype(np.int64, copy=False), len(form.offsets)

        def score(begin: int, end: int) -> None:
            self._core.score(*self._light_rows, wanted, begin, end, packed, *padded, scores)

        self._share(score, len(rows), len(rows) * self._entries * k * _ADD)
        errors = self._bound(form, rows) if largest < _LARGEST else np.full(len(rows), np.inf)
        return Estimates(np.negative(scores[:, :k], dtype=np.float64), errors)

    def _tabulated(self, form: AffineForm, rows: Labels) -> Array:
        """The same in float64."""
        plain, wanted = _plain(form), rows.astype(np.int64, copy=False)
        found = np.empty((len(rows), len(form.offsets)))

        def tabulate(begin: int, end: int) -> None:
            self._core.table(*self._rows, wanted, begin, end, *plain, found)

        self._share(tabulate, len(rows), found.size * self._entries * 2 * _ADD)
        return found

    def _exactly(self, form: AffineForm, rows: Labels) -> Nearest:
        """The cheapest cluster of some rows and the runner-up, in float64."""

        def tabulate(block: slice) -> Array:
            return self._tabulated(form, rows[block])

        return Nearest.by(tabulate, len(rows), len(form.offsets))

    def _bound(self, form: AffineForm, rows: Labels | slice = _ALL) -> Array:
        """How far a score in float32 may be from the true one, for each row."""
        lengths, totals, roundings = (measure[rows] for measure in self._measures)
        scales = 1.0 if form.scales is None else np.abs(form.scales)
        offset = float(np.abs(form.offsets).max())
        if form.reach is None:
            largest = float((scales * np.abs(form.slopes).max(axis=1)).max())
            reach = float((scales * np.sqrt(squared_norms(form.slopes))).max())
            size = np.minimum(lengths * reach, totals * largest)
        else:
            size = lengths * form.reach
        return np.asarray(roundings * (size + (offset + _SMALLEST)))

    @cached_property
    def _light_rows(self) -> tuple[Array, Array, Array]:
        """The rows with values in single precision."""
        indptr, indices, data = self._rows
        with np.errstate(over="ignore"):  # rows with such values are never settled
            return indptr, indices, data.astype(np.float32, copy=False)

    @cached_property
    def _measures(self) -> tuple[Array, Array, Array]:
        """For each row its length, the total of the sizes of its entries, and (m + 9) u."""
        squares, totals = np.empty((2, self._shape[0]))

        def measure(begin: int, end: int) -> None:
            self._core.measure(self._indptr, self._rows[2], begin, end, squares, totals)

        self._share(measure, self._shape[0], len(self._rows[1]) * _COPY)
        np.sqrt(squares, out=squares)
        for measures in (squares, totals):
            measures[~(totals < _LARGEST)] = np.inf
        return squares, totals, (np.diff(self._indptr) + 9.0) * _ROUNDING

    @cached_property
    def _screened_parts(self) -> Array:
        """Where to cut the screened rows so that each part has about as many entries."""
        ends = np.cumsum(np.diff(self._indptr)[self._screened_rows])
        shares = np.linspace(0, ends[-1] if len(ends) else 0, self._parts + 1)
        cuts = np.searchsorted(ends, shares)
        cuts[0], cuts[-1] = 0, len(ends)
        return cuts

    @cached_property
    def _term_parts(self) -> Array:
        """Where to cut the terms so that each part has about as many entries."""
        sample = self._rows[1][:: max(1, len(self._rows[1]) // 10_000)]
        cuts = np.quantile(sample, np.linspace(0, 1, self._threads + 1)).astype(np.intp)
        cuts[0], cuts[-1] = 0, self._shape[1]
        return np.unique(cuts)

    def _share(
        self,
        work: Callable[[int, int], None],
        size: int,
        duration: float,
        cuts: Callable[[], Array] | None = None,
    ) -> None:
        """Do the work in parts on all threads, or at once where that is as quick.

        Without `cuts` all parts have the same size.
        """
        if size == 0:
            return
        if self._threads == 1 or duration < _WORTH_SHARING:
            work(0, size)
        else:
            even = np.arange(self._parts + 1) * size // self._parts
            share(work, even if cuts is None else cuts(), self._threads)

    @property
    def _parts(self) -> int:
        return self._threads * _PARTS


def _plain(form: AffineForm) -> tuple[Array, Array, Array]:
    """Slopes term by term, scales and offsets, as the core reads them."""
    scales = np.ones(len(form.offsets)) if form.scales is None else form.scales
    return (
        np.ascontiguousarray(form.slopes.T, dtype=np.float64),
        np.ascontiguousarray(scales, dtype=np.float64),
        np.ascontiguousarray(form.offsets, dtype=np.float64),
    )
