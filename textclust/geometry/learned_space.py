"""Squared Euclidean distance in a space that was learned, reached by linear maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.rows import squared_norms

__all__ = ["LearnedSpace"]


@dataclass(frozen=True, eq=False)
class LearnedSpace(Euclidean):
    """Documents are mapped on the way in; prototypes lie in the learned space.

    A row x goes to (x `directions` - `origin`) `turn`, with what is in the brackets at unit
    length if `unit` is so: to a few directions and their cosine for text, to the scale of each
    feature for other rows, and on to the learned metric.
    """

    directions: Array  # d x m
    origin: Array  # m
    turn: Array  # m x m
    unit: bool

    name = "learned space"

    def prepare(self, X: Matrix) -> Matrix:
        return self.placed(X) @ self.turn

    def placed(self, X: Matrix) -> Array:
        """Rows before the learned metric is applied."""
        rows = np.asarray(X @ self.directions, dtype=np.float64) - self.origin
        if not self.unit:
            return rows
        lengths = np.sqrt(squared_norms(rows))
        return np.asarray(rows / np.where(lengths > 0, lengths, 1.0)[:, None])

    def without_direction(self, X: Matrix) -> Array:
        if not self.unit:
            return np.zeros(X.shape[0], dtype=bool)
        return np.asarray(squared_norms(X) == 0.0)

    def mismatch(self, k: int, d: int) -> str | None:
        arrays = (self.directions, self.origin, self.turn)
        m = self.directions.shape[-1]
        shapes = [array.shape for array in arrays[1:]]
        if self.directions.ndim != 2 or shapes != [(m,), (m, d)]:
            return "the maps to the learned space do not fit its clusters"
        if not all(array.dtype.kind == "f" and np.isfinite(array).all() for array in arrays):
            return "a map to the learned space has values that are not finite"
        return None

    def n_features(self) -> int:
        return len(self.directions)
