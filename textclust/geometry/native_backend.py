"""The backend on the compiled core: float32 to find the best, float64 where that is not sure.

See `screening` for how far single precision can be trusted.
"""

from __future__ import annotations

from functools import cached_property, partial

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
    SingleMoves,
    make_backend,
)
from textclust.geometry.chosen_rows import ChosenRows
from textclust.geometry.native_moves import NativeMoves
from textclust.geometry.native_rows import ADD, FETCH, NativeRows, padded
from textclust.geometry.optimum import ClusterOptimum
from textclust.geometry.screening import Scores, ScreenedAssignment
from textclust.geometry.table import CostTable

__all__ = ["NativeBackend"]

_MANY_ENTRIES = 1 << 22  # from here on a copy of rows may take more room than it is worth,
_KEPT = 4.0  # where it has so many entries for each row that it is taken from


class NativeBackend:
    """Rows of one CSR matrix, bound to the compiled core."""

    def __init__(
        self,
        X: Matrix,
        threads: int | None = None,
        apart: Labels | None = None,
        grid: float = 0.0,
    ) -> None:
        self.X, self.grid = X, grid
        self._rows = NativeRows(X, threads)
        self._moves = NativeMoves(X, self._rows, grid)
        self._is_apart = np.zeros(X.shape[0], dtype=bool)
        if apart is not None:
            self._is_apart[apart] = True
        self._screened_rows = np.flatnonzero(~self._is_apart)

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
            and native.module("sums") is not None
        )

    def of(self, rows: Labels) -> MovingBackend:
        if len(rows) * self._rows.entries > max(_MANY_ENTRIES, _KEPT * self._rows.shape[0]):
            return ChosenRows(self, rows)
        return make_backend(self.X[rows], self._rows.threads, grid=self.grid)

    def assign(
        self, form: AffineForm, previous: Assignment | None = None, changed: Array | None = None
    ) -> ScreenedAssignment:
        k = len(form.offsets)
        if (
            not isinstance(previous, ScreenedAssignment)
            or changed is None
            or 2 * self._rows.room(changed.sum()) > self._rows.room(k)
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
        rough, exact = partial(self._estimated, form), partial(self._rows.tabulated, form)
        return CostTable.of_chosen(rows, len(form.offsets), rough, exact)

    def costs_at(self, form: AffineForm, rows: Labels, labels: Labels) -> Array:
        return self._rows.costs_at(form, rows, labels)

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        return self._moves.single_moves(best, rows, previous, changed)

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        return self._moves.move_in_turn(moves, rows, clusters, noise, images)

    def pack_slopes(self, slopes: Matrix) -> PackedSlopes:
        return self._rows.pack_slopes(slopes)

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

        table = self._rows.sums.Sums(sums.T)

        def move(begin: int, end: int) -> None:
            self._rows.sums.shift(*self._rows.csr, *moved, begin, end, self.grid, table)

        duration = len(targets) * self._rows.entries * FETCH
        self._rows.share(move, self._rows.shape[1], duration, lambda: self._rows.term_parts)

    def _screened(
        self, form: AffineForm, clusters: Labels | None = None, rows: Labels | None = None
    ) -> Scores:
        """The best and the second score of every row among all clusters of the form, or some.

        Of some rows alone where these are named; nothing is said of the others then.
        """
        n, packed = self._rows.shape[0], self._rows.packed(form, clusters)
        slopes, ready = self._rows.bound_slopes(packed), padded(form, packed, clusters)
        labels, best, second = np.empty(n, np.int32), *np.empty((2, n), np.float32)
        if rows is None:  # nothing is known of rows set apart
            labels[:], best[:], second[:] = 0, 0.0, np.inf

        def screen(begin: int, end: int) -> None:
            self._rows.core.screen(slopes, wanted, begin, end, *ready, best, second, labels)

        wanted = self._screened_rows if rows is None else rows
        duration = len(wanted) * self._rows.entries * packed.k * ADD
        cuts = (lambda: self._screened_parts) if rows is None else None
        self._rows.share(screen, len(wanted), duration, cuts)
        if rows is None:
            errors = self._rows.measures.score_errors(form, packed.largest)
            return Scores.within(labels, best, second, errors)
        errors = self._rows.measures.of(rows).score_errors(form, packed.largest)
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

    def _unsettled(self, found: Scores) -> Labels:
        """The rows to look at again, of those that anybody asks for."""
        rows = found.unsettled
        return rows[~self._is_apart[rows]]

    def _estimated(self, form: AffineForm, rows: Labels) -> Estimates:
        """What some ascending rows cost in every cluster, in float32."""
        packed = self._rows.packed(form)
        slopes, ready = self._rows.bound_slopes(packed), padded(form, packed)
        scores = np.empty((len(rows), ready.shape[1]), dtype=np.float32)
        wanted, k = rows.astype(np.int64, copy=False), len(form.offsets)

        def score(begin: int, end: int) -> None:
            self._rows.core.score(slopes, wanted, begin, end, *ready, scores)

        self._rows.share(score, len(rows), len(rows) * self._rows.entries * k * ADD)
        errors = self._rows.measures.of(rows).score_errors(form, packed.largest)
        return Estimates(np.negative(scores[:, :k], dtype=np.float64), errors)

    def _exactly(self, form: AffineForm, rows: Labels) -> Nearest:
        """The cheapest cluster of some rows and the runner-up, in float64."""

        def tabulate(block: slice) -> Array:
            return self._rows.tabulated(form, rows[block])

        return Nearest.by(tabulate, len(rows), len(form.offsets))

    @cached_property
    def _screened_parts(self) -> Array:
        """Where to cut the screened rows so that each part has about as many entries."""
        ends = np.cumsum(np.diff(self._rows.csr[0])[self._screened_rows])
        shares = np.linspace(0, ends[-1] if len(ends) else 0, self._rows.parts + 1)
        cuts = np.searchsorted(ends, shares)
        cuts[0], cuts[-1] = 0, len(ends)
        return cuts
