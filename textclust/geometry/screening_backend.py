"""What backends share that find the best in single precision and settle the rest in double.

How a table of scores is filled differs from one kind of matrix to the other; what may be
concluded from it does not. See `screening` for how far single precision can be trusted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Estimates, Labels, Matrix
from textclust.geometry.assignment import Movable, Nearest, SingleMoves
from textclust.geometry.optimum import ClusterOptimum, joining_costs_by_products, leaving_costs
from textclust.geometry.screening import LARGEST, RowMeasures, Scores, ScreenedMoves
from textclust.geometry.table import CostTable

__all__ = ["ScreeningBackend"]

_TABLE_ENTRIES = 1 << 20  # of tables in double precision held at a time


class ScreeningBackend(ABC):
    """Rows of one matrix, some of which nobody asks `assign` for."""

    def __init__(self, X: Matrix, apart: Labels | None, grid: float) -> None:
        self.X, self.grid = X, grid
        self._is_apart = np.zeros(X.shape[0], dtype=bool)
        if apart is not None:
            self._is_apart[apart] = True

    @property
    @abstractmethod
    def _measures(self) -> RowMeasures:
        """For each row what the error of its scores depends on."""

    @abstractmethod
    def _some(self, rows: Labels) -> Self:
        """Some of the rows alone."""

    @abstractmethod
    def _pays(self, changed: Array) -> bool:
        """Whether to look at the clusters that changed takes much less than to look at all."""

    @abstractmethod
    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        """What each of some rows costs in the cluster named for it, in double precision."""

    @abstractmethod
    def _estimated(self, form: AffineForm, rows: Labels) -> Estimates:
        """What some ascending rows cost in every cluster, in single precision."""

    @abstractmethod
    def _tabulated(self, form: AffineForm, rows: Labels) -> Array:
        """The same in double precision."""

    @abstractmethod
    def _joined(
        self, best: ClusterOptimum, rows: Movable, clusters: Labels | None = None
    ) -> Scores:
        """The most that joining a cluster takes off its energy, the next, and their error.

        Among all clusters, or among some, by whose numbers the rows are labelled.
        """

    def table(self, form: AffineForm, rows: Labels) -> CostTable:
        def rough(chosen: Labels) -> Estimates:
            return self._estimated(form, rows[chosen])

        def exact(chosen: Labels) -> Array:
            return self._tabulated(form, rows[chosen])

        return CostTable((len(rows), len(form.offsets)), rough, exact)

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | None = None,
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
            some = Movable(*(part[stale] for part in rows))
            joins.replace_rows(stale, self._some(stale)._joined(best, some))
            found = joins.above(rows.least - leaving)
        found = found[rows.weights[found] > 0]
        known = joins.is_settled(found)
        moves = self._best_moves(best, rows, leaving, found[~known], found[known], joins.labels)
        return ScreenedMoves(moves.rows, moves.targets, moves.gains, joins, leaving)

    def _leaving(
        self, best: ClusterOptimum, rows: Movable, last: ScreenedMoves | None, changed: Array | None
    ) -> Array:
        """What each row adds to the energy of its own cluster, anew where that changed."""
        anew = np.arange(len(rows.labels))
        if last is not None and changed is not None:
            anew = np.flatnonzero(changed[rows.labels])
        labels, weights, squares, _ = (part[anew] for part in rows)
        products = -self.costs_at(best.products, anew, labels)
        leaving = np.empty(len(rows.labels)) if last is None else last.leaving.copy()
        leaving[anew] = leaving_costs(best, products, labels, weights, squares)
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
        n = len(leaving)
        found, gains = np.empty(n, dtype=np.intp), np.full(n, -np.inf)
        if len(known) and targets is not None:
            found[known] = aims = targets[known].astype(np.intp)
            products = -self.costs_at(best.products, known, aims)
            growth = best.growth.of(aims)
            joined = growth.energies(products, rows.weights[known], rows.squares[known])
            gains[known] = leaving[known] - (joined - best.energies[aims])
        step = max(1, _TABLE_ENTRIES // len(best.energies))
        for begin in range(0, len(unknown), step):
            some = unknown[begin : begin + step]
            labels, weights, squares, _ = (part[some] for part in rows)
            products = -self._tabulated(best.products, some)
            added = joining_costs_by_products(best, products, labels, weights, squares)
            every = np.arange(len(some))
            added[every, labels] = np.inf
            found[some] = added.argmin(axis=1)
            gains[some] = leaving[some] - added[every, found[some]]
        chosen = np.flatnonzero(gains > rows.least)
        return SingleMoves(chosen, found[chosen], gains[chosen])

    def _joins(
        self, best: ClusterOptimum, rows: Movable, last: Scores | None, changed: Array | None
    ) -> Scores:
        """What joining another cluster takes off at most, looking at those that changed."""
        if last is None or changed is None or not self._pays(changed):
            return self._joined(best, rows)
        clusters = np.flatnonzero(changed)
        if len(clusters) == 0:
            return Scores(*(part.copy() for part in last))
        places = np.full(len(best.energies), -1)
        places[clusters] = np.arange(len(clusters))
        among = self._joined(best, rows._replace(labels=places[rows.labels]), clusters)
        return last.updated(among, clusters, changed)

    def _in_single_precision(self, rows: Movable) -> bool:
        """Whether what joining takes off can be said in float32."""
        sizes = float(self._measures.lengths.max()), float(rows.weights.max())
        return all(LARGEST**-0.5 < size < LARGEST**0.5 for size in sizes)

    def _exactly(self, form: AffineForm, rows: Labels) -> Nearest:
        """The cheapest cluster of some rows and the runner-up, in float64."""

        def tabulate(block: slice) -> Array:
            return self._tabulated(form, rows[block])

        return Nearest.by(tabulate, len(rows), len(form.offsets))
