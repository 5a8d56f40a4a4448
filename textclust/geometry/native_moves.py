"""Single moves of sparse rows on the compiled core.

What joining a cluster takes off is known in float32, and where that is not sure in float64; see
`screening` for how far single precision can be trusted.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import (
    Assignment,
    Clusters,
    Movable,
    SingleMoves,
)
from textclust.geometry.native_rows import ADD, NativeRows
from textclust.geometry.optimum import (
    ClusterOptimum,
    joining_costs_by_products,
    leaving_costs,
)
from textclust.geometry.reference_backend import ReferenceBackend
from textclust.geometry.screening import LARGEST, Scores, ScreenedMoves

__all__ = ["NativeMoves"]

_ROWS = 1 << 18  # of which a few numbers are held at a time
_TABLE_ENTRIES = 1 << 20  # of tables in double precision held at a time


class NativeMoves:
    """What rows that are bound to the core can be asked that move one by one."""

    def __init__(self, X: Matrix, rows: NativeRows, grid: float) -> None:
        self._X, self._rows, self._grid = X, rows, grid

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

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        growth = clusters.growth
        if len(moves.rows) == 0:
            return 0.0
        if images is not None:
            return ReferenceBackend(self._X).move_in_turn(moves, rows, clusters, noise, images)
        return float(
            self._rows.sums.move_in_turn(
                *self._rows.csr,
                moves.rows.astype(np.int64, copy=False),
                moves.targets.astype(np.int32),
                rows.labels,
                np.ascontiguousarray(rows.weights, dtype=np.float64),
                np.ascontiguousarray(rows.squares, dtype=np.float64),
                self._X.shape[1],
                self._grid,
                noise,
                growth.by_length,
                self._rows.bound_sums(clusters.with_room(self._X, moves, rows).sums),
                growth.squares,
                growth.masses,
                clusters.sizes,
                clusters.floor,
            )
        )

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
            products = -self._rows.costs_at(best.products, some, labels)
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
            products = -self._rows.costs_at(best.products, known, aims)
            growth = best.growth.of(aims)
            joined = growth.energies(products, rows.weights[known], rows.squares[known])
            found.append((known, aims, leaving[known] - (joined - best.energies[aims])))
        step = max(1, _TABLE_ENTRIES // len(best.energies))
        for begin in range(0, len(unknown), step):
            some = unknown[begin : begin + step]
            labels, weights, squares, _ = (part[some] for part in rows)
            products = -self._rows.tabulated(best.products, some)
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

    def _joins(
        self, best: ClusterOptimum, rows: Movable, last: Scores | None, changed: Array | None
    ) -> Scores:
        """What joining another cluster takes off at most, looking at those that changed."""
        k = len(best.energies)
        if (
            last is None
            or changed is None
            or 2 * self._rows.room(changed.sum()) > self._rows.room(k)
        ):
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
        packed, some = self._rows.packed(best.form, clusters), rows
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
        slopes = self._rows.bound_slopes(packed)
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
            self._rows.core.join(slopes, wanted, begin, end, *of_clusters, *given, *found)

        self._rows.share(join, len(wanted), len(wanted) * self._rows.entries * packed.k * ADD)
        errors = self._rows.measures.of(chosen).joining_errors(best, some, packed.largest)
        return Scores.within(labels[chosen], best_of[chosen], second[chosen], errors)

    def _in_single_precision(self, rows: Movable) -> bool:
        """Whether what joining takes off can be said in float32."""
        sizes = float(self._rows.measures.lengths.max()), float(rows.weights.max())
        return all(LARGEST**-0.5 < size < LARGEST**0.5 for size in sizes)
