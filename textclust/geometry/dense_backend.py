"""The backend for dense rows: products in blocks by BLAS, and only of rows that may have moved.

Scores are in float32, and doubtful ones settled in float64; see `screening` for how far single
precision can be trusted, and `drift` for why most rows need not be looked at in every iteration.
Blocks are cut alike whatever the threads, so that their number changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from textclust import native
from textclust.geometry.affine import (
    AffineForm,
    Array,
    Estimates,
    Labels,
    Matrix,
    PackedSlopes,
    costs,
)
from textclust.geometry.assignment import (
    Assignment,
    Clusters,
    Movable,
    MovingBackend,
    SingleMoves,
    make_backend,
)
from textclust.geometry.dense_sums import add_dense_rows, dense_step
from textclust.geometry.drift import BoundedAssignment, Drift, LengthBins, ScaledSlopes
from textclust.geometry.lasting_moves import BoundedMoves, JoiningScores
from textclust.geometry.optimum import ClusterOptimum, best_moves
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.rows import squared_norms
from textclust.geometry.screening import LARGEST, ROUNDING, RowMeasures
from textclust.geometry.table import CostTable
from textclust.threads import available, blas_on_one, share

__all__ = ["DenseBackend"]

_FEW = 1 << 14  # entries of a matrix that numpy passes through as quickly at once
_SCORES = 1 << 17  # of a block of rows in all clusters
_ROWS = 64, 4096  # of a block, at least and at most
_BLOCKS = 4  # at least, where these are large enough
_WORTH_SHARING = 1 << 20  # products
_SAMPLE = 1 << 10  # rows by which to judge which clusters to look at
_SHARES = (0, 16, 8, 4, 2)  # of the clusters, the fastest, to look at in all rows: one in so many
_ONCE = 0.4  # of the time to look at all rows in all clusters, to look at them in a few
_ALL = slice(None)
_AGAIN = 1.3  # times as long a row takes that is looked at by itself


class DenseBackend:
    """Rows of one C-contiguous array of floats."""

    grid = 0.0

    def __init__(self, X: Array, threads: int | None = None, apart: Labels | None = None) -> None:
        self.X = X
        self._is_apart = np.zeros(X.shape[0], dtype=bool)
        if apart is not None:
            self._is_apart[apart] = True
        self._threads = available() if threads is None else threads

    @staticmethod
    def takes(X: Matrix) -> bool:
        """Whether X is of this kind, and large enough for blocks to pay."""
        return bool(
            isinstance(X, np.ndarray)
            and X.ndim == 2
            and X.size >= _FEW
            and X.flags.c_contiguous
            and X.dtype in (np.float32, np.float64)
            and X.dtype.isnative
        )

    def of(self, rows: Labels) -> MovingBackend:
        return make_backend(self.X[rows], self._threads)

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> BoundedAssignment:
        before = previous if isinstance(previous, BoundedAssignment) else None
        with blas_on_one():
            found, _ = self._bounded(form, before, self._doubtful)
            doubtful = self._doubtful(found)
            if len(doubtful):
                found.labels[doubtful] = self._tabulated(form, doubtful).argmin(axis=1)
                found.low[doubtful], found.high[doubtful] = -np.inf, np.inf
        return found

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        rough, exact = partial(self._estimated, form), partial(self._tabulated, form)
        return CostTable.of_chosen(rows, len(form.offsets), rough, exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found, slopes = np.empty(len(rows)), np.ascontiguousarray(form.slopes)

        def cost(begin: int, end: int) -> None:
            block = self.X[rows[begin:end]].astype(np.float64, copy=False)
            found[begin:end] = np.einsum("ij,ij->i", block, slopes[labels[begin:end]])

        self._share(cost, len(rows), dense_step(self.X), 4)
        if form.scales is not None:
            found *= form.scales[labels]
        return np.subtract(form.offsets[labels], found, out=found)

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        scores = JoiningScores(best, rows)

        def may_move(found: BoundedAssignment) -> Labels:
            return np.flatnonzero(scores.can_gain(found, _ALL))

        known = previous.bounds if isinstance(previous, BoundedMoves) else previous
        before = known if isinstance(known, BoundedAssignment) else None
        with blas_on_one():
            bounds, some = self._bounded(scores.form, before, may_move)
            some = some[scores.can_gain(bounds, some)]
            targets, gains = self._best_moves(best, rows, some)
        found = np.flatnonzero((rows.weights[some] > 0) & (gains > rows.least[some]))
        return BoundedMoves(some[found], targets[found], gains[found], bounds)

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        core, growth = native.module("sums"), clusters.growth
        if images is not None or core is None or len(moves.rows) == 0:
            return ReferenceBackend(self.X).move_in_turn(moves, rows, clusters, noise, images)
        labels, d = rows.labels[moves.rows], self.X.shape[1]
        total = core.move_in_turn(
            np.arange(len(labels) + 1) * d,
            np.tile(np.arange(d, dtype=np.int32), len(labels)),
            self.X[moves.rows].ravel(),
            np.arange(len(labels)),
            moves.targets.astype(np.int32),
            labels,
            rows.weights[moves.rows].astype(np.float64),
            rows.squares[moves.rows].astype(np.float64),
            d,
            self.grid,
            noise,
            growth.by_length,
            core.Sums(clusters.sums.T),
            growth.squares,
            growth.masses,
            clusters.sizes,
            clusters.floor,
        )
        rows.labels[moves.rows] = labels
        return float(total)

    def shift(
        self,
        sums: Array,
        rows: Labels | None,
        sources: Labels | None,
        targets: Labels,
        weights: Array,
    ) -> None:
        add_dense_rows(self.X, sums, rows, sources, targets, weights, self._threads)

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        return PackedSlopes(squared_norms(slopes))

    def _bounded(
        self,
        form: AffineForm,
        before: BoundedAssignment | None,
        doubtful: Callable[[BoundedAssignment], Labels],
    ) -> tuple[BoundedAssignment, Labels]:
        """Labels with bounds on scores in a form, where possible by what these were before.

        Rows that are doubtful by that, and only these, are looked at; they are the second result.
        """
        screen = _Screen.of(form, self._measures)
        scaled = screen.scaled
        fast: Labels | None = None
        if before is not None and before.scaled.slopes.shape == scaled.slopes.shape:
            drift = Drift(before.scaled, scaled, self._bins)
            fast = self._worth_looking_at(before, drift)
        if before is None or fast is None:
            labels = np.zeros(len(self.X), dtype=np.intp) if before is None else before.labels
            low, high = np.empty((2, len(labels)))
            found = BoundedAssignment(labels.copy(), low, high, scaled)
            self._look(screen, found, None)
            return found, np.arange(len(labels))
        found = drift.moved(before, scaled, fast)
        if len(fast):
            self._look_at_clusters(screen, found, fast)
        looked_at = doubtful(found)
        self._look(screen, found, looked_at)
        return found, looked_at

    def _best_moves(
        self, best: ClusterOptimum, rows: Movable, some: Labels
    ) -> tuple[Labels, Array]:
        """Where each of some rows had best move, and what that takes off, in double precision."""
        targets, gains = np.empty(len(some), dtype=np.intp), np.empty(len(some))

        def find(begin: int, end: int) -> None:
            part = some[begin:end]
            labels, weights, squares, _ = (each[part] for each in rows)
            products = -costs(self.X[part], best.products)
            moves = best_moves(best, products, labels, weights, squares)
            targets[begin:end], gains[begin:end] = moves

        self._share(find, len(some), dense_step(self.X), best.form.slopes.size)
        return targets, gains

    def _worth_looking_at(self, before: BoundedAssignment, drift: Drift) -> Labels | None:
        """The clusters to look at in all rows so that few rows are left; None for all of them."""
        k = len(before.scaled.offsets)
        some = slice(None, None, max(1, len(before.labels) // _SAMPLE))
        order = drift.fastest_first()
        least, found = float(k), None
        for part in _SHARES:
            if least <= _ONCE * k:
                break
            fast = order[: k // part if part else 0]
            price = _AGAIN * k * drift.lost(before, some, fast)
            if len(fast):
                price += _ONCE * k + (1.0 - _ONCE) * len(fast)
            if price < least:
                least, found = price, fast
        return found

    def _doubtful(self, found: BoundedAssignment) -> Labels:
        """The rows that may be nearer to another cluster, of those that anybody asks for."""
        with np.errstate(invalid="ignore"):
            return np.flatnonzero(~((found.low > found.high) | self._is_apart))

    def _look(self, screen: _Screen, found: BoundedAssignment, rows: Labels | None) -> None:
        """Find the cluster of the best score of some rows, or of all, and bounds on the scores."""

        def look(begin: int, end: int) -> None:
            some = slice(begin, end) if rows is None else rows[begin:end]
            scores, labels = screen.scores(self._light[some]), found.labels[some]
            errors, every = screen.errors(some), np.arange(len(labels))
            best = scores[labels, every]
            scores[labels, every] = -np.inf
            second = scores.max(axis=0)
            lost = np.flatnonzero(~(best > second))
            if len(lost):
                others = scores[:, lost]
                labels, places = labels.copy(), every[: len(lost)]
                labels[lost] = others.argmax(axis=0)
                again = others[labels[lost], places]
                others[labels[lost], places] = -np.inf
                second[lost] = np.maximum(best[lost], others.max(axis=0))
                best[lost] = again
                found.labels[some] = labels
            with np.errstate(invalid="ignore"):  # beyond float32 nothing is known
                found.low[some], found.high[some] = best - errors, second + errors

        n, k = self.X.shape[0] if rows is None else len(rows), len(screen.offsets)
        self._share(look, n, self._step(k), k * self.X.shape[1])

    def _look_at_clusters(
        self, screen: _Screen, found: BoundedAssignment, clusters: Labels
    ) -> None:
        """Take the scores in some clusters into the bounds of all rows."""
        among, k = screen.of_clusters(clusters), len(screen.offsets)
        places = np.full(k, -1)
        places[clusters] = np.arange(len(clusters))

        def look(begin: int, end: int) -> None:
            some = slice(begin, end)
            scores, errors = among.scores(self._light[some]), among.errors(some)
            own = places[found.labels[some]]
            inside = np.flatnonzero(own >= 0)
            found.low[begin + inside] = scores[own[inside], inside] - errors[inside]
            scores[own[inside], inside] = -np.inf
            found.high[some] = np.maximum(found.high[some], scores.max(axis=0) + errors)

        n = self.X.shape[0]
        self._share(look, n, self._step(len(clusters)), len(clusters) * self.X.shape[1])

    def _estimated(self, form: AffineForm, rows: Labels) -> Estimates:
        screen, k = _Screen.of(form, self._measures), len(form.offsets)
        found = np.empty((len(rows), k))

        def score(begin: int, end: int) -> None:
            np.negative(screen.scores(self._light[rows[begin:end]]).T, out=found[begin:end])

        with blas_on_one():
            self._share(score, len(rows), self._step(k), k * self.X.shape[1])
        return Estimates(found, screen.errors(rows))

    def _tabulated(self, form: AffineForm, rows: Labels) -> Array:
        found = np.empty((len(rows), len(form.offsets)))

        def tabulate(begin: int, end: int) -> None:
            found[begin:end] = costs(self.X[rows[begin:end]], form)

        with blas_on_one():
            self._share(tabulate, len(rows), dense_step(self.X), form.slopes.size)
        return found

    @cached_property
    def _light(self) -> Array:
        """The rows in single precision."""
        with np.errstate(over="ignore"):  # rows with such values are never settled
            return self.X.astype(np.float32, copy=False)

    @cached_property
    def _measures(self) -> RowMeasures:
        d = self.X.shape[1]
        with np.errstate(over="ignore"):
            lengths = np.sqrt(squared_norms(self.X))
        totals = lengths * d**0.5
        for measures in (lengths, totals):
            measures[~(totals < LARGEST)] = np.inf
        return RowMeasures(lengths, totals, np.full(len(lengths), (d + 9.0) * ROUNDING))

    @cached_property
    def _bins(self) -> LengthBins:
        """The rows by their length."""
        return LengthBins(self._measures.lengths)

    def _step(self, k: int) -> int:
        """How many rows there are in a block whose scores in k clusters are held."""
        return min(max(_SCORES // k, _ROWS[0]), _ROWS[1])

    def _share(self, work: Callable[[int, int], None], size: int, step: int, each: int) -> None:
        """Do the work in blocks, on all threads where it is worth it; `each` is that of a row."""
        step = min(step, max(_ROWS[0], -(-size // _BLOCKS)))
        cuts = [*range(0, size, step), size]
        share(work, cuts, self._threads if size * each >= _WORTH_SHARING else 1)


class _Screen(NamedTuple):
    """A form in single precision, for rows of which something is known."""

    form: AffineForm  # with its reach
    measures: RowMeasures
    scaled: ScaledSlopes
    slopes: Array  # d x k
    offsets: Array

    @classmethod
    def of(cls, form: AffineForm, measures: RowMeasures) -> _Screen:
        """That of a form."""
        scaled = ScaledSlopes.of(form)
        form = replace(form, reach=float(scaled.lengths.max()))
        with np.errstate(over="ignore"):  # then no row is settled
            slopes = np.ascontiguousarray(scaled.slopes.T, dtype=np.float32)
            return cls(form, measures, scaled, slopes, scaled.offsets.astype(np.float32))

    def of_clusters(self, clusters: Labels) -> _Screen:
        """The same with some of the clusters."""
        slopes = np.ascontiguousarray(self.slopes[:, clusters])
        return self._replace(slopes=slopes, offsets=self.offsets[clusters])

    def errors(self, rows: Labels | slice) -> Array:
        """How far the scores of some rows may be off."""
        reach = self.form.reach
        return self.measures.of(rows).score_errors(self.form, np.inf if reach is None else reach)

    def scores(self, rows: Array) -> Array:
        """Of some rows in float32, a column for each."""
        with np.errstate(all="ignore"):
            found = rows @ self.slopes
            found -= self.offsets
        return np.asarray(found.T)
