"""Cosine distance between unit vectors: 1 - <x, mu> (Basu 2005, eqs. 2.3 and 4.13).

Normalising the data alone is not spherical k-means: the prototypes lie on the unit
sphere too. A row of zeros has no direction; its cost is 1 everywhere, so it falls to
the first cluster and pulls no prototype.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.assignment import AssignmentBackend, pack_slopes
from textclust.geometry.distortion import Distortion
from textclust.geometry.optimum import ClusterOptimum, Growth
from textclust.geometry.rows import scale_rows, squared_norms
from textclust.geometry.sparse_sums import by_cluster, squares_of

__all__ = ["Cosine", "inverse"]


class Cosine(Distortion):
    """a = 1, B = mu, c = 0, with x and mu of unit length."""

    name = "cosine"

    def prepare(self, X: Matrix) -> Matrix:
        lengths = np.sqrt(squared_norms(X))
        if np.all((lengths == 0) | (np.abs(lengths - 1) <= 4 * np.finfo(X.dtype).eps)):
            return X
        return scale_rows(X, inverse(lengths))

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(1.0, X.shape[0])

    def prototypes(self, sums: Matrix, masses: Array, out: Matrix | None = None) -> Matrix:
        return by_cluster(np.multiply, sums, inverse(np.sqrt(squares_of(sums))), out)

    def affine(self, prototypes: Matrix) -> AffineForm:
        reach = float(np.sqrt(squares_of(prototypes).max()))
        return AffineForm(prototypes, np.zeros(prototypes.shape[0]), reach=reach)

    def optimum(
        self, sums: Matrix, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        squares, packed = pack_slopes(sums, backend)
        lengths = np.sqrt(squares)
        form = AffineForm(sums, np.zeros(len(lengths)), inverse(lengths), 1.0, packed)
        return ClusterOptimum(form, -lengths, Growth(True, squares, masses))

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """A cluster's energy is -||S||."""
        growth = Growth(True, squared_norms(sums), masses)
        products = np.asarray(X @ sums.T)
        return growth.energies(products, weights[:, None], self.squared_lengths(X)[:, None])

    def squared_lengths(self, X: Matrix) -> Array:
        return squared_norms(X)

    def without_direction(self, X: Matrix) -> Array:
        return squared_norms(X) == 0


def inverse(lengths: Array) -> Array:
    """1 / length, and 0 for nothing."""
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
