"""Some rows of a backend, asked where they are: a copy of many would take as much memory again."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import (
    Assignment,
    AssignmentBackend,
    Clusters,
    Movable,
    SingleMoves,
    make_backend,
)
from textclust.geometry.optimum import ClusterOptimum

__all__ = ["ChosenRows"]


class ChosenRows:
    """Rows of a backend by numbers of their own; all others have no weight."""

    def __init__(self, backend: AssignmentBackend, rows: Labels) -> None:
        self._backend, self._rows = backend, rows

    def single_moves(
        self,
        best: ClusterOptimum,
        rows: Movable,
        previous: SingleMoves | Assignment | None = None,
        changed: Array | None = None,
    ) -> SingleMoves:
        """As of `MovingBackend`."""
        last = previous.among_all if isinstance(previous, SingleMoves) else None
        found = self._backend.single_moves(best, self._among_all(rows), last, changed)
        places = np.searchsorted(self._rows, found.rows)
        return SingleMoves(places, found.targets, found.gains, among_all=found)

    def move_in_turn(
        self,
        moves: SingleMoves,
        rows: Movable,
        clusters: Clusters,
        noise: float,
        images: Matrix | None = None,
    ) -> float:
        """As of `MovingBackend`."""
        if images is not None:
            copy = make_backend(self._backend.X[self._rows], 1, grid=self._backend.grid)
            return copy.move_in_turn(moves, rows, clusters, noise, images)
        every = self._among_all(rows)
        chosen = SingleMoves(self._rows[moves.rows], moves.targets, moves.gains)
        total = self._backend.move_in_turn(chosen, every, clusters, noise, images)
        rows.labels[:] = every.labels[self._rows]
        return total

    def _among_all(self, rows: Movable) -> Movable:
        return Movable(*map(self._spread, rows))

    def _spread(self, values: Array) -> Array:
        """Values of the chosen rows where these are among all, and 0 elsewhere."""
        spread = np.zeros(self._backend.X.shape[0], dtype=values.dtype)
        spread[self._rows] = values
        return spread
