"""KL and I-divergence with weights of terms for each cluster.

    D_h(x, mu) = sum_m a_hm [x_m log(x_m / mu_m) - x_m + mu_m] + t_h

What is a document's own in each term, phi(x) = x log x - x, counts differently in each cluster.
So a row is [x, phi(x~) - phi(0~)], as sparse as x is, over which the cost is affine. That fixes
the smoothing: these do not anneal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, Moments
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.weighted import mismatch_of_weights
from textclust.geometry.weighted_divergence import WeightedIDivergence

__all__ = ["ClusterwiseIDivergence", "ClusterwiseKL"]


@dataclass(frozen=True, eq=False)
class ClusterwiseIDivergence(IDivergence):
    """B = [a log(mu) / (1 + alpha), -a]; a toll t is what a document pays for its weights."""

    weights: Array = field(kw_only=True)  # k x d
    tolls: Array = field(kw_only=True)  # k

    name = "clusterwise i-divergence"

    def prepare(self, X: Matrix) -> Matrix:
        X = super().prepare(X)
        above, _ = self._potential(X.shape[1])
        if not sp.issparse(X):
            return np.hstack([X, above(X)])
        own = type(X)((above(X.data.astype(np.float64)), X.indices, X.indptr), shape=X.shape)
        return sp.hstack([X, own], format="csr", dtype=X.dtype)

    def own_costs(self, X: Matrix) -> Array:
        return np.broadcast_to(0.0, X.shape[0])

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        return np.asfortranarray(super().prototypes(sums[:, : self._terms], masses))

    def affine(self, prototypes: Array) -> AffineForm:
        (k, d), (_, floor) = prototypes.shape, self._potential(self._terms)
        logs = self.weights * np.log(prototypes) / (1 + self.smoothing)
        slopes = np.empty((2 * d, k)).T
        slopes[:, :d], slopes[:, d:] = logs, -self.weights
        totals = (self.weights * (prototypes + floor)).sum(axis=1) + self.tolls
        return AffineForm(slopes, totals - self.smoothing / d * logs.sum(axis=1))

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        d, (_, floor) = self._terms, self._potential(self._terms)
        x, own = X[:, :d], np.asarray(X[:, d:] @ self.weights.T)
        table, mass = np.empty((X.shape[0], len(masses))), masses + weights[:, None]
        for h, each in enumerate(self.weights):
            one = WeightedIDivergence(self.smoothing, self.floor, weights=each)
            cluster = sums[h : h + 1, :d], masses[h : h + 1]
            table[:, h] = one.joined(x, weights, *cluster)[:, 0]
        table += (self.weights * sums[:, d:]).sum(axis=1) + weights[:, None] * own
        table += mass * (floor * self.weights.sum(axis=1) + self.tolls)
        return np.where(mass > 0, table, 0.0)

    def scatters_by_cluster(self, moments: Moments) -> Array:
        """k x d: the divergence of documents from the mean of each cluster, term by term."""
        d, (above, _) = self._terms, self._potential(self._terms)
        means, mass = self.prototypes(*moments), moments.masses[:, None]
        raw = means * (1 + self.smoothing) - self.smoothing / d
        return np.maximum(moments.sums[:, d:] - mass * above(np.maximum(raw, 0.0)), 0.0)

    def mismatch(self, k: int, d: int) -> str | None:
        if self.tolls.shape != (k,) or not np.isfinite(self.tolls).all():
            return "the constants of the weights do not fit the clusters"
        return mismatch_of_weights(self.weights, (k, d))

    def as_rows(self, prototypes: Array) -> Array:
        raw = prototypes * (1 + self.smoothing) - self.smoothing / self._terms
        return np.asarray(self.prepare(np.maximum(raw, 0.0)))

    def of(self, clusters: Labels) -> ClusterwiseIDivergence:
        settings = self.smoothing, self.floor, self.cooling
        return type(self)(*settings, weights=self.weights[clusters], tolls=self.tolls[clusters])

    def least_costs(self, labels: Labels) -> Array:
        return self.tolls[labels]

    def cooled(self) -> ClusterwiseIDivergence:
        return self

    def cold(self) -> ClusterwiseIDivergence:
        return self

    @property
    def _terms(self) -> int:
        return self.weights.shape[1]


@dataclass(frozen=True, eq=False)
class ClusterwiseKL(ClusterwiseIDivergence, KL):
    """The same for documents as distributions over terms."""

    name = "clusterwise kl"

    def without_direction(self, X: Matrix) -> Array:
        return super().without_direction(X[:, : self._terms])
