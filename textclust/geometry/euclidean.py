"""Squared Euclidean distance: ||x - mu||^2, minimised by the mean (Basu 2005, eq. 2.1)."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.assignment import AssignmentBackend, pack_slopes
from textclust.geometry.distortion import Distortion
from textclust.geometry.optimum import ClusterOptimum, Growth
from textclust.geometry.rows import squared_norms
from textclust.geometry.sparse_sums import by_cluster, squares_of

__all__ = ["Euclidean"]


class Euclidean(Distortion):
    """a = ||x||^2, B = 2 mu, c = ||mu||^2."""

    name = "euclidean"
    is_squared = True

    def own_costs(self, X: Matrix) -> Array:
        return self.squared_lengths(X)

    def prototypes(self, sums: Matrix, masses: Array, out: Matrix | None = None) -> Matrix:
        return by_cluster(np.divide, sums, np.maximum(masses, np.finfo(float).tiny), out)

    def affine(self, prototypes: Matrix) -> AffineForm:
        squares = squares_of(prototypes)
        reach = 2.0 * float(np.sqrt(squares.max()))
        return AffineForm(prototypes, squares, np.full(len(squares), 2.0), reach)

    def optimum(
        self, sums: Matrix, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        inverse = np.divide(1.0, masses, out=np.zeros_like(masses), where=masses > 0)
        squares, packed = pack_slopes(sums, backend)
        reach = float(np.max(2.0 * inverse * np.sqrt(squares)))
        form = AffineForm(sums, squares * inverse**2, 2.0 * inverse, reach, packed)
        return ClusterOptimum(form, -squares * inverse, Growth(False, squares, masses))

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """A cluster's energy is -||S||^2 / W."""
        growth = Growth(False, self.squared_lengths(sums), masses)
        own = self.squared_lengths(X)[:, None]
        return growth.energies(self._products(X, sums), weights[:, None], own)

    def squared_lengths(self, X: Matrix) -> Array:
        return squared_norms(X)

    def _products(self, X: Matrix, sums: Array) -> Array:
        """<x, S> of each row with each sum."""
        return np.asarray(X @ sums.T)
