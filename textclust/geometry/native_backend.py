"""The backend on the compiled core: float32 to find the best, float64 where that is not sure.

See `screening` for how far single precision can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import (
    AffineForm,
    Array,
    Estimates,
    Labels,
    Matrix,
    PackedSlopes,
)
from textclust.geometry.assignment import (
    Assignment,
    Clusters,
    Movable,
    MovingBackend,
    Nearest,
    ReferenceBackend,
    SingleMoves,
    make_backend,
)
from textclust.geometry.chosen_rows import ChosenRows
from textclust.geometry.optimum import (
    ClusterOptimum,
    joining_costs_by_products,
    leaving_costs,
)
from textclust.geometry.packing import Packed, Packer, Rows, TermSplit
from textclust.geometry.screening import (
    LARGEST,
    ROUNDING,
    RowMeasures,
    Scores,
    ScreenedAssignment,
    ScreenedMoves,
)
from textclust.geometry.table import CostTable
from textclust.threads import available, share

__all__ = ["NativeBackend"]

_MANY_ENTRIES = 1 << 22  # from here on a copy of rows may take more room than it is worth,
_KEPT = 4.0  # where it has so many entries for each row that it is taken from
_ROWS = 1 << 18  # of which a few numbers are held at a time
_TABLE_ENTRIES = 1 << 20  # of tables in double precision held at a time
_PARTS = 3  # for each thread, so that a slow one does not hold up the rest
_WORTH_SHARING = 0.5  # milliseconds: waking a thread takes a tenth of one
# What things take on one processor, in milliseconds, about; for the decision to share them.
_ADD, _COPY, _FETCH = 1.2e-7, 7e-7, 3e-6


class NativeBackend:
    """Rows of one CSR matrix, bound to the compiled core."""

    def __init__(
        self,
        X: Matrix,
        threads: int | None = None,
        apart: Labels | None = None,
        grid: float = 0.0,
    ) -> None:
        self._core = native.module("assignment")
        self._indptr = X.indptr.astype(np.int64, copy=False)
        self._rows = (self._indptr, X.indices.astype(np.int32, copy=False), X.data)
        self.X, self._shape, self.grid = X, X.shape, grid
        self._threads = available() if threads is None else threads
        self._entries = X.nnz / X.shape[0]  # of a row, on average
        self._is_apart = np.zeros(X.shape[0], dtype=bool)
        if apart is not None:
            self._is_apart[apart] = True
        self._screened_rows = np.flatnonzero(~self._is_apart)
        self._packer = Packer(self._core, self._rows[1], X.shape[1], self._share)
        self._divided: tuple[TermSplit | None, Rows, Rows | None] | None = None

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

    def of(self, rows: Labels) -> MovingBackend:
        if len(rows) * self._entries > max(_MANY_ENTRIES, _KEPT * self._shape[0]):
            return ChosenRows(self, rows)
        return make_backend(self.X[rows], self._threads, grid=self.grid)

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
        rough, exact = partial(self._estimated, form), partial(self._tabulated, form)
        return CostTable.of_chosen(rows, len(form.offsets), rough, exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        found, clusters = np.empty(len(rows)), labels.astype(np.int32)
        wanted, plain = rows.astype(np.int64, copy=False), _plain(form)

        def cost(begin: int, end: int) -> None:
            self._core.costs_at(*self._rows, wanted, clusters, begin, end, *plain, found)

        self._share(cost, len(rows), len(rows) * self._entries * _FETCH)
        return found

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        last = previous if isinstance(previous, ScreenedMoves) else None
        leaving = self._leaving(best, rows, last, changed)
        if not self._in_single_precision(rows):
            every = np.flatnonzero(rows.weights > 0)
            return self._best_moves(best, rows, leaving, every, every[:0])
        joins = self._joins(best, rows, None if last is None else last.joins, changed)
        found = joins.above(rows.least - leaving)
        stale = found[joins.second[found] > joins.best[found]]
        if len(stale):  # whose best cluster changed: another may be the best by now
            for begin in range(0, len(stale), _ROWS):
                some = stale[begin : begin + _ROWS]
                joins.replace_rows(some, self._joined(best, rows, wanted=some))
            found = joins.above(rows.least - leaving)
        found = found[rows.weights[found] > 0]
        known = joins.is_settled(found)
        moves = self._best_moves(best, rows, leaving, found[~known], found[known], joins.labels)
        return ScreenedMoves(moves.rows, moves.targets, moves.gains, joins, leaving)

    def _leaving(
        self, best: ClusterOptimum, rows: Movable, last: ScreenedMoves | None, changed: Array | None
    ) -> Array:
        """What each row adds to the energy of its own cluster, anew where that changed."""
        asked = rows.weights > 0
        if last is not None and changed is not None:
            asked &= changed[rows.labels]
        anew = np.flatnonzero(asked)
        leaving = np.zeros(len(rows.labels)) if last is None else last.leaving.copy()
        for begin in range(0, len(anew), _ROWS):
            some = anew[begin : begin + _ROWS]
            labels, weights, squares, _ = (part[some] for part in rows)
            products = -self.costs_at(best.products, some, labels)
            leaving[some] = leaving_costs(best, products, labels, weights, squares)
        return leaving

    def _best_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        leaving: Array,
        unknown: Labels,
        known: Labels,
        targets: Array | None = None,
    ) -> SingleMoves:
        """The best moves of rows whose target is known, and of others, in double precision."""
        assert best.growth is not None
        found: list[tuple[Labels, Labels, Array]] = []
        if len(known) and targets is not None:
            aims = targets[known].astype(np.intp)
            products = -self.costs_at(best.products, known, aims)
            growth = best.growth.of(aims)
            joined = growth.energies(products, rows.weights[known], rows.squares[known])
            found.append((known, aims, leaving[known] - (joined - best.energies[aims])))
        step = max(1, _TABLE_ENTRIES // len(best.energies))
        for begin in range(0, len(unknown), step):
            some = unknown[begin : begin + step]
            labels, weights, squares, _ = (part[some] for part in rows)
            products = -self._tabulated(best.products, some)
            added = joining_costs_by_products(best, products, labels, weights, squares)
            every = np.arange(len(some))
            added[every, labels] = np.inf
            aims = added.argmin(axis=1)
            found.append((some, aims, leaving[some] - added[every, aims]))
        if not found:
            return SingleMoves(known, known, np.zeros(0))
        chosen, aims, gains = map(np.concatenate, zip(*found, strict=True))
        order = np.argsort(chosen)
        order = order[gains[order] > rows.least[chosen[order]]]
        return SingleMoves(chosen[order], aims[order], gains[order])

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        growth = clusters.growth
        if images is not None:
            return ReferenceBackend(self.X).move_in_turn(moves, rows, clusters, noise, images)
        return float(
            self._core.move_in_turn(
                *self._rows,
                moves.rows.astype(np.int64, copy=False),
                moves.targets.astype(np.int32),
                rows.labels,
                np.ascontiguousarray(rows.weights, dtype=np.float64),
                np.ascontiguousarray(rows.squares, dtype=np.float64),
                self.grid,
                noise,
                growth.by_length,
                clusters.sums.T,
                growth.squares,
                growth.masses,
                clusters.sizes,
                clusters.floor,
            )
        )

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
            self._core.shift(*self._rows, *moved, begin, end, self.grid, sums.T)

        duration = len(targets) * self._entries * _FETCH
        self._share(move, self._shape[1], duration, lambda: self._term_parts)

    def _screened(
        self, form: AffineForm, clusters: Labels | None = None, rows: Labels | None = None
    ) -> Scores:
        """The best and the second score of every row among all clusters of the form, or some.

        Of some rows alone where these are named; nothing is said of the others then.
        """
        n, packed = self._shape[0], self._packed(form, clusters)
        slopes, padded = self._bound_slopes(packed), _padded(form, packed, clusters)
        labels, best, second = np.empty(n, np.int32), *np.empty((2, n), np.float32)
        if rows is None:  # nothing is known of rows set apart
            labels[:], best[:], second[:] = 0, 0.0, np.inf

        def screen(begin: int, end: int) -> None:
            self._core.screen(slopes, wanted, begin, end, *padded, best, second, labels)

        wanted = self._screened_rows if rows is None else rows
        duration = len(wanted) * self._entries * packed.k * _ADD
        cuts = (lambda: self._screened_parts) if rows is None else None
        self._share(screen, len(wanted), duration, cuts)
        if rows is None:
            errors = self._measures.score_errors(form, packed.largest)
            return Scores.within(labels, best, second, errors)
        errors = self._measures.of(rows).score_errors(form, packed.largest)
        return Scores.within(labels[rows], best[rows], second[rows], errors)

    def _rescreened(self, last: Scores, form: AffineForm, changed: Array) -> Scores:
        """The same from the last result, looking at the clusters that changed since.

        Of the clusters that did not change, all but a row's own score at most its last
        second; where that does not settle a row, it is screened against all.
        """
        clusters = np.flatnonzero(changed)
        found = last.updated(self._screened(form, clusters), clusters, changed)
        rows = self._unsettled(found)
        if len(rows):
            found.replace_rows(rows, self._screened(form, rows=rows))
        return found

    def _joins(
        self, best: ClusterOptimum, rows: Movable, last: Scores | None, changed: Array | None
    ) -> Scores:
        """What joining another cluster takes off at most, looking at those that changed."""
        k = len(best.energies)
        if last is None or changed is None or 2 * self._room(changed.sum()) > self._room(k):
            return self._joined(best, rows)
        clusters = np.flatnonzero(changed)
        if len(clusters) == 0:
            return Scores(*(part.copy() for part in last))
        places = np.full(k, -1, dtype=np.int32)
        places[clusters] = np.arange(len(clusters))
        among = self._joined(best, rows._replace(labels=places[rows.labels]), clusters)
        return last.updated(among, clusters, changed)

    def _joined(
        self,
        best: ClusterOptimum,
        rows: Movable,
        clusters: Labels | None = None,
        wanted: Labels | None = None,
    ) -> Scores:
        """The most that joining a cluster takes off its energy, the next, and their error.

        Among all clusters, or among some, by whose numbers the rows are labelled; of some rows
        alone where these are named.
        """
        packed, some = self._packed(best.form, clusters), rows
        assert best.growth is not None
        growth = best.growth if clusters is None else best.growth.of(clusters)
        chosen: Labels | slice = slice(None) if wanted is None else wanted
        if wanted is None:
            wanted = np.flatnonzero(rows.weights > 0)
        else:
            some = Movable(*(part[wanted] for part in rows))
        count = len(some.labels)
        if not packed.largest < LARGEST**0.5:
            nothing = np.full((3, count), np.inf, dtype=np.float32)
            return Scores(np.zeros(count, dtype=np.int32), *nothing)
        slopes = self._bound_slopes(packed)
        of_clusters = np.zeros((2, packed.tiles.shape[0] * packed.tiles.shape[2]), np.float32)
        if growth.by_length:
            of_clusters[:, : packed.k] = np.sqrt(growth.squares), growth.squares
        else:
            of_clusters[:, : packed.k] = growth.masses, growth.squares / growth.masses
        of_rows = (
            rows.weights.astype(np.float32),
            rows.squares.astype(np.float32),
            rows.labels.astype(np.int32, copy=False),
        )
        labels = np.zeros(len(rows.labels), dtype=np.int32)
        best_of, second = scores = np.empty((2, len(labels)), dtype=np.float32)
        scores[:, chosen] = -np.inf

        def join(begin: int, end: int) -> None:
            given, found = (growth.by_length, *of_rows), (best_of, second, labels)
            self._core.join(slopes, wanted, begin, end, *of_clusters, *given, *found)

        self._share(join, len(wanted), len(wanted) * self._entries * packed.k * _ADD)
        errors = self._measures.of(chosen).joining_errors(best, some, packed.largest)
        return Scores.within(labels[chosen], best_of[chosen], second[chosen], errors)

    def _in_single_precision(self, rows: Movable) -> bool:
        """Whether what joining takes off can be said in float32."""
        sizes = float(self._measures.lengths.max()), float(rows.weights.max())
        return all(LARGEST**-0.5 < size < LARGEST**0.5 for size in sizes)

    def _unsettled(self, found: Scores) -> Labels:
        """The rows to look at again, of those that anybody asks for."""
        rows = found.unsettled
        return rows[~self._is_apart[rows]]

    def pack_slopes(self, slopes: Array) -> PackedSlopes:
        by_term = np.ascontiguousarray(slopes.T, dtype=np.float64)
        return PackedSlopes(*self._packer.pack(by_term, "ready"))

    def _packed(self, form: AffineForm, clusters: Labels | None = None) -> Packed:
        """The slopes of a form, of all its clusters or of some."""
        packed = form.packed
        if not isinstance(packed, Packed):
            packed = self._packer.pack(_plain(form)[0], "in passing")[1]
        return packed if clusters is None else packed.of(self._core, clusters)

    def _bound_slopes(self, packed: Packed) -> Any:
        """Packed slopes with the rows of this matrix, as the core reads them."""
        if self._divided is None or self._divided[0] is not packed.split:
            divided = None if packed.split is None else packed.split.divide(self._light_rows)
            self._divided = (packed.split, *(divided or (self._light_rows, None)))
        _, rows, rest = self._divided
        return self._core.Slopes(rows, packed.tiles, packed.k, rest, packed.postings)

    def _room(self, k: int) -> int:
        """How many clusters the core looks at where it is asked for so many."""
        tiles, width = self._core.tiling(max(k, 1))
        return int(tiles * width)

    def _estimated(self, form: AffineForm, rows: Labels) -> Estimates:
        """What some ascending rows cost in every cluster, in float32."""
        packed = self._packed(form)
        slopes, padded = self._bound_slopes(packed), _padded(form, packed)
        scores = np.empty((len(rows), padded.shape[1]), dtype=np.float32)
        wanted, k = rows.astype(np.int64, copy=False), len(form.offsets)

        def score(begin: int, end: int) -> None:
            self._core.score(slopes, wanted, begin, end, *padded, scores)

        self._share(score, len(rows), len(rows) * self._entries * k * _ADD)
        errors = self._measures.of(rows).score_errors(form, packed.largest)
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

    @cached_property
    def _light_rows(self) -> tuple[Array, Array, Array]:
        """The rows with values in single precision."""
        indptr, indices, data = self._rows
        with np.errstate(over="ignore"):  # rows with such values are never settled
            return indptr, indices, data.astype(np.float32, copy=False)

    @cached_property
    def _measures(self) -> RowMeasures:
        """For each row what the error of its scores depends on."""
        squares, totals = np.empty((2, self._shape[0]))

        def measure(begin: int, end: int) -> None:
            self._core.measure(self._indptr, self._rows[2], begin, end, squares, totals)

        self._share(measure, self._shape[0], len(self._rows[1]) * _COPY)
        np.sqrt(squares, out=squares)
        for measures in (squares, totals):
            measures[~(totals < LARGEST)] = np.inf
        roundings = np.diff(self._indptr).astype(
            np.float32
        )  # exact: powers of two times few digits
        roundings += 9.0
        roundings *= ROUNDING
        return RowMeasures(squares, totals, roundings)

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


def _padded(form: AffineForm, packed: Packed, clusters: Labels | None = None) -> Array:
    """Scales and offsets as long as the tiles are."""
    padded = np.zeros((2, packed.tiles.shape[0] * packed.tiles.shape[2]), dtype=np.float32)
    padded[1] = np.inf
    chosen = slice(None) if clusters is None else clusters
    with np.errstate(over="ignore"):  # then no row is settled
        padded[0, : packed.k] = 1.0 if form.scales is None else form.scales[chosen]
        padded[1, : packed.k] = form.offsets[chosen]
    return padded


def _plain(form: AffineForm) -> tuple[Array, Array, Array]:
    """Slopes term by term, scales and offsets, as the core reads them."""
    scales = np.ones(len(form.offsets)) if form.scales is None else form.scales
    return (
        np.ascontiguousarray(form.slopes.T, dtype=np.float64),
        np.ascontiguousarray(scales, dtype=np.float64),
        np.ascontiguousarray(form.offsets, dtype=np.float64),
    )
