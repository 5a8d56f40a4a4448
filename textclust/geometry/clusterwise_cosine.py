"""Cosine distance with weights of terms for each cluster: 1 - x'A_h mu / |x|_h |mu|_h.

The length of a document depends on the cluster it is measured for, so a document has k blocks
of columns: itself with the weights of each cluster, at unit length. A cluster looks at its own
block alone, and there it is the cosine again. Rows take k times, and sums of clusters k x k
times, the room of plain ones.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.assignment import AssignmentBackend
from textclust.geometry.cosine import Cosine, inverse
from textclust.geometry.optimum import ClusterOptimum, Growth
from textclust.geometry.rows import scale_columns, squared_norms
from textclust.geometry.weighted import mismatch_of_weights

__all__ = ["ClusterwiseCosine"]


@dataclass(frozen=True, eq=False)
class ClusterwiseCosine(Cosine):
    """B = mu in the block of its cluster; `toll` is what every document pays for all weights."""

    weights: Array  # k x d
    toll: float = 0.0

    name = "clusterwise cosine"

    def prepare(self, X: Matrix) -> Matrix:
        plain = super().prepare
        blocks = [plain(scale_columns(X, np.sqrt(weights))) for weights in self.weights]
        return sp.hstack(blocks, format="csr") if sp.issparse(X) else np.hstack(blocks)

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(1.0 + self.toll, X.shape[0])

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        own = self._own_blocks(sums)
        return np.asfortranarray(own * inverse(np.sqrt(squared_norms(own)))[:, None])

    def affine(self, prototypes: Array) -> AffineForm:
        return AffineForm(self._in_blocks(prototypes), np.zeros(len(prototypes)))

    def optimum(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        own = self._own_blocks(sums)
        squares = squared_norms(own)
        lengths = np.sqrt(squares)
        form = AffineForm(self._in_blocks(own), np.zeros(len(sums)), inverse(lengths))
        growth = Growth(True, squares, masses, adds_up=False)
        return ClusterOptimum(form, -lengths, growth)

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        own = self._own_blocks(sums)
        products = np.asarray(X @ self._in_blocks(own).T)
        growth = Growth(True, squared_norms(own), masses)
        return growth.energies(products, weights[:, None], self.squared_lengths(X)[:, None])

    def mismatch(self, k: int, d: int) -> str | None:
        return mismatch_of_weights(self.weights, (k, d))

    def as_rows(self, prototypes: Array) -> Array:
        return np.asarray(self.prepare(prototypes / np.sqrt(self.weights)))

    def of(self, clusters: Labels) -> ClusterwiseCosine:
        return ClusterwiseCosine(self.weights[clusters], self.toll)

    def least_costs(self, labels: Labels) -> Array:
        return np.broadcast_to(self.toll, len(labels))

    def squared_lengths(self, X: Matrix) -> Array:
        """The squared length of each row in any of its blocks: 1, or 0."""
        return squared_norms(X) / len(self.weights)

    def _own_blocks(self, sums: Array) -> Array:
        """k x d: of each cluster's sums, its own block."""
        k, d = self.weights.shape
        return np.stack([sums[h, h * d : (h + 1) * d] for h in range(k)])

    def _in_blocks(self, rows: Array) -> Array:
        """k x kd: each row in the block of its cluster, and nothing elsewhere."""
        k, d = self.weights.shape
        table = np.zeros((k * d, k)).T
        for h, row in enumerate(rows):
            table[h, h * d : (h + 1) * d] = row
        return table
