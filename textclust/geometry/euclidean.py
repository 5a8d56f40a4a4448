"""Squared Euclidean distance: ||x - mu||^2, minimised by the mean (Basu 2005, eq. 2.1)."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Margins, Matrix, Moments
from textclust.geometry.assignment import AssignmentBackend, pack_slopes
from textclust.geometry.distortion import Distortion
from textclust.geometry.energies import ClusterOptimum, MoveCosts
from textclust.geometry.rows import squared_norms

__all__ = ["Euclidean"]


class Euclidean(Distortion):
    """a = ||x||^2, B = 2 mu, c = ||mu||^2."""

    name = "euclidean"

    def own_costs(self, X: Matrix) -> Array:
        return self._lengths(X)

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        return np.divide(sums, np.maximum(masses, np.finfo(float).tiny)[:, None], out=out)

    def affine(self, prototypes: Array) -> AffineForm:
        squares = squared_norms(prototypes)
        reach = 2.0 * float(np.sqrt(squares.max()))
        return AffineForm(prototypes, squares, np.full(len(prototypes), 2.0), reach)

    def optimum(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        inverse = np.divide(1.0, masses, out=np.zeros_like(masses), where=masses > 0)
        squares, packed = pack_slopes(sums, backend)
        reach = float(np.max(2.0 * inverse * np.sqrt(squares)))
        form = AffineForm(sums, squares * inverse**2, 2.0 * inverse, reach, packed)
        return ClusterOptimum(form, -squares * inverse)

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """A cluster's energy is -||S||^2 / W."""
        w, products = weights[:, None], self._products(X, sums)
        return _heavier(self._lengths(sums), products, w, self._lengths(X)[:, None], masses)

    def move_costs(self, X: Matrix, weights: Array, labels: Labels, moments: Moments) -> MoveCosts:
        (sums, masses), own = moments, self._lengths(X)
        squares, products = self._lengths(sums), self._products(X, sums)
        here = products[np.arange(len(labels)), labels]
        joined = _heavier(squares, products, weights[:, None], own[:, None], masses)
        return MoveCosts(joined, _heavier(squares[labels], here, -weights, own, masses[labels]))

    def may_improve(
        self, margins: Margins, weights: Array, labels: Labels, best: ClusterOptimum, masses: Array
    ) -> Array:
        """A move takes D W / (W - w) off the cluster it leaves and adds D W / (W + w) elsewhere."""
        own, smallest = masses[labels], masses[masses > 0].min()
        with np.errstate(over="ignore"):  # the last document of a cluster leaves at any price
            leaving = margins.costs * own / np.maximum(own - weights, np.finfo(float).tiny)
        return (margins.costs + margins.rivals) * smallest / (smallest + weights) < leaving

    def _lengths(self, rows: Matrix) -> Array:
        """<x, x> of each row."""
        return squared_norms(rows)

    def _products(self, X: Matrix, sums: Array) -> Array:
        """<x, S> of each row with each sum."""
        return np.asarray(X @ sums.T)


def _heavier(squares: Array, products: Array, w: Array, own: Array, masses: Array) -> Array:
    """-||S + w x||^2 / (W + w) from ||S||^2, <x, S>, ||x||^2 and W; nothing weighs nothing."""
    mass = masses + w
    length = squares + 2.0 * w * products + w**2 * own
    return np.where(mass > 0, -length / np.where(mass > 0, mass, 1.0), 0.0)
