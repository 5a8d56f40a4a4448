"""Squared Euclidean distance with a weight for every term, one metric or one for each cluster.

Over rows [x, x^2] it is affine like all others, so that nothing has to be scaled anew when
the weights change, and nothing is dense that was sparse:

    sum_m a_m (x_m - mu_m)^2 + t = [<mu, a mu> + t] - <x, 2 a mu> + <x^2, a>

and the sums of such rows say how a cluster scatters in every term.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, Moments
from textclust.geometry.distortion import Distortion

__all__ = [
    "WeightedEuclidean",
    "mismatch_of_weights",
    "scatters",
    "squares",
    "with_squares",
]


@dataclass(frozen=True, eq=False)
class WeightedEuclidean(Distortion):
    """a = 0, B = [2 a mu, -a], c = <mu, a mu> + t; its rows are [x, x^2].

    A toll t is what a document pays for the metric of its cluster, however near it is:
    minus the log of the determinant, in the papers.
    """

    weights: Array  # 1 x d, or k x d
    tolls: Array  # 1, or k

    name = "weighted euclidean"

    @property
    def flat(self) -> Array:
        """The weights of x^2: a row for each metric."""
        return self.weights

    def prepare(self, X: Matrix) -> Matrix:
        return with_squares(X)

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(0.0, X.shape[0])

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        mass = np.maximum(masses, np.finfo(float).tiny)[:, None]
        return np.asfortranarray(sums[:, : self.weights.shape[1]] / mass)

    def affine(self, prototypes: Array) -> AffineForm:
        k, d = prototypes.shape
        weighted = self._times(prototypes)
        slopes = np.empty((d + self.flat.shape[1], k)).T
        slopes[:, :d] = 2.0 * weighted
        slopes[:, d:] = -self.flat
        return AffineForm(slopes, (weighted * prototypes).sum(axis=1) + self.tolls)

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """A cluster's energy is sum_m a_m (Q_m - S_m^2 / W) + t W, with S and Q the sums."""
        d, k = self.weights.shape[1], len(masses)
        S, a = sums[:, :d], np.broadcast_to(self.flat, (k, self.flat.shape[1]))
        weighted = self._times(S)
        products = np.asarray(X @ np.hstack([weighted, np.zeros_like(a)]).T)
        own = np.asarray(X @ np.hstack([np.zeros((k, d)), a]).T)
        w = weights[:, None]
        mass = masses + w
        length = (weighted * S).sum(axis=1) + 2.0 * w * products + w**2 * own
        squares = (a * sums[:, d:]).sum(axis=1) + w * own
        there = mass > 0
        energies = squares - length / np.where(there, mass, 1.0) + self.tolls * mass
        return np.where(there, energies, 0.0)

    @property
    def importance(self) -> Array | None:
        return self.weights[0] if len(self.weights) == 1 else None

    def mismatch(self, k: int, d: int) -> str | None:
        if self.tolls.shape not in ((1,), (k,)) or not np.isfinite(self.tolls).all():
            return "the constants of the metrics do not fit the clusters"
        return mismatch_of_weights(self.weights, (len(self.tolls), d))

    def as_rows(self, prototypes: Array) -> Array:
        return np.asarray(self.prepare(prototypes))

    def of(self, clusters: Labels) -> WeightedEuclidean:
        if len(self.weights) == 1:
            return self
        return type(self)(self.weights[clusters], self.tolls[clusters])

    def least_costs(self, labels: Labels) -> Array:
        return self.tolls[labels if len(self.tolls) > 1 else np.zeros_like(labels)]

    def _times(self, rows: Array) -> Array:
        """A x of each row, in the metric of its cluster."""
        return self.weights * rows


def with_squares(X: Matrix) -> Matrix:
    """[x, x^2], row by row; as sparse as X is."""
    if sp.issparse(X):
        return sp.hstack([X, squares(X)], format="csr", dtype=X.dtype)
    X = X.astype(np.float64, copy=False)  # squares of numbers far from zero need the digits
    return np.hstack([X, squares(X)])


def squares(X: Matrix) -> Matrix:
    """x^2, row by row; as sparse as X is."""
    return X.multiply(X).tocsr() if sp.issparse(X) else X * X


def mismatch_of_weights(weights: Array, shape: tuple[int, ...]) -> str | None:
    """Why these are not positive numbers in a table of this shape; None where they are."""
    if weights.shape != shape or weights.dtype.kind != "f":
        return "the weights of the distortion do not fit the terms"
    if not (np.isfinite(weights) & (weights > 0)).all():
        return "a weight of the distortion is not a positive number"
    return None


def scatters(moments: Moments) -> Array:
    """k x d: the squared deviations from the mean in every term, added up in each cluster."""
    d = moments.sums.shape[1] // 2
    mass = np.maximum(moments.masses, np.finfo(float).tiny)[:, None]
    return np.maximum(moments.sums[:, d:] - moments.sums[:, :d] ** 2 / mass, 0.0)
