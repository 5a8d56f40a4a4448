"""Cosine distance with a weight for every term: 1 - x'A mu / |x|_A |mu|_A (Basu et al. 2004).

The same as the cosine between documents whose terms were multiplied by the roots of the
weights, so only how a document is prepared is new.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import Cosine
from textclust.geometry.rows import scale_columns
from textclust.geometry.weighted import mismatch_of_weights

__all__ = ["WeightedCosine"]


@dataclass(frozen=True, eq=False)
class WeightedCosine(Cosine):
    """The cosine of weighted terms; `toll` is what every document pays for the weights."""

    weights: Array  # d
    toll: float = 0.0

    name = "weighted cosine"

    def prepare(self, X: Matrix) -> Matrix:
        return super().prepare(scale_columns(X, np.sqrt(self.weights)))

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(1.0 + self.toll, X.shape[0])

    @property
    def importance(self) -> Array:
        return self.weights

    def mismatch(self, k: int, d: int) -> str | None:
        return mismatch_of_weights(self.weights, (d,))

    def least_costs(self, labels: Labels) -> Array:
        return np.broadcast_to(self.toll, len(labels))
