"""The full matrix of a learned metric (Basu, Bilenko and Mooney 2003, 3.3).

Everything is worked out in the directions in which documents vary, scaled so that they vary by
1 in each: there the floor of the variance within clusters is a floor for eigenvalues.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.mahalanobis import Mahalanobis, products, with_products
from textclust.geometry.weighted import WeightedEuclidean
from textclust.methods.learners.metric_matrix import LEAST, MetricMatrix, varies

__all__ = ["MOST_FEATURES", "Full", "refuse_too_many"]

MOST_FEATURES = 200
_MOST_NUMBERS = 100_000_000
_NOTHING = 1e-12  # of the largest variance: a direction in which documents do not vary


@dataclass(frozen=True, eq=False)
class Full(MetricMatrix):
    """A symmetric positive-definite matrix; where documents do not vary it is the identity."""

    variances: Array  # of each feature in all documents
    roots: Array  # d x r: from there to the features
    inverses: Array  # d x r: from the features to there
    rest: Array  # d x d: the identity where documents do not vary
    constant: float  # log det of what `inverses` makes of the identity

    @staticmethod
    def rows(X: Matrix) -> Matrix:
        return with_products(X)

    @staticmethod
    def squared(apart: Matrix) -> Matrix:
        return products(apart)

    @staticmethod
    def scatters(moments: Moments) -> Array:
        sums, masses = moments
        d = int(np.sqrt(sums.shape[1]))  # of d + d^2
        mass = np.maximum(masses, np.finfo(float).tiny)[:, None, None]
        means = sums[:, :d, None] * sums[:, None, :d] / mass
        return np.asarray(sums[:, d:] - means.reshape(len(masses), -1))

    @classmethod
    def of(cls, whole: Moments) -> Self:
        scatter = cls.scatters(whole)[0]
        d = int(np.sqrt(len(scatter)))
        covariance = scatter.reshape(d, d) / whole.masses[0]
        squares = np.diag(whole.sums[0, d:].reshape(d, d)) / whole.masses[0]
        constant = ~varies(np.diag(covariance), squares)
        covariance[constant] = covariance[:, constant] = 0.0
        values, vectors = np.linalg.eigh(covariance)
        varied = values > _NOTHING * max(values.max(), 0.0)
        some, roots = vectors[:, varied], np.sqrt(values[varied])
        rest = vectors[:, ~varied] @ vectors[:, ~varied].T
        log_det = -2.0 * float(np.log(roots).sum())
        return cls(np.diag(covariance), some * roots, some / roots, rest, log_det)

    @property
    def dimensions(self) -> int:
        return self.roots.shape[1]

    def from_weights(self, weights: Array) -> Array:
        return self._outside(self.roots.T @ (weights[:, None] * self.roots))

    def distortion(self, metrics: Array, tolls: Array) -> WeightedEuclidean:
        d = len(self.rest)
        return Mahalanobis(metrics.reshape(-1, d, d), tolls)

    def logs(self, metric: Array) -> Array:
        return np.append(np.log(np.linalg.eigvalsh(self._inside(metric))), self.constant)

    def inverse(self, total: Array, mass: float, documents: float) -> Array:
        d = len(self.rest)
        inside = self.inverses.T @ total.reshape(d, d) @ self.inverses
        values, vectors = np.linalg.eigh(inside)
        return self._outside(_from(mass / np.maximum(values, LEAST * documents), vectors))

    def way(self, metric: Array, aim: Array) -> Callable[[float], Array]:
        begin, end = self._log(metric), self._log(aim)
        return lambda part: self._outside(_exp((1 - part) * begin + part * end))

    def scaled(self, metric: Array, scale: float, mass: float, documents: float) -> Array:
        values, vectors = np.linalg.eigh(self._inside(metric))
        return self._outside(_from(np.minimum(scale * values, mass / documents / LEAST), vectors))

    def _inside(self, metric: Array) -> Array:
        """A flat metric among the directions in which documents vary by 1."""
        d = len(self.rest)
        return np.asarray(self.roots.T @ metric.reshape(d, d) @ self.roots)

    def _outside(self, inside: Array) -> Array:
        found = self.inverses @ inside @ self.inverses.T + self.rest
        return np.asarray((found + found.T) / 2).ravel()

    def _log(self, metric: Array) -> Array:
        values, vectors = np.linalg.eigh(self._inside(metric))
        return _from(np.log(values), vectors)


def _exp(matrix: Array) -> Array:
    values, vectors = np.linalg.eigh(matrix)
    return _from(np.exp(values), vectors)


def _from(values: Array, vectors: Array) -> Array:
    """The symmetric matrix of these eigenvalues."""
    return np.asarray((vectors * values) @ vectors.T)


def refuse_too_many(rows: int, features: int) -> None:
    """An InputError where a full matrix is not to be had for so many documents and links."""
    advice = "reduce them first (sklearn.decomposition.TruncatedSVD) or take matrix='diagonal'"
    if features > MOST_FEATURES:
        raise InputError(
            f"matrix='full' is for at most {MOST_FEATURES} features, and these are {features}; "
            + advice
        )
    if rows * features**2 > _MOST_NUMBERS:
        raise InputError(
            f"matrix='full' keeps the products of every two features, at most {_MOST_NUMBERS} "
            f"numbers; {rows} documents and links of {features} features are too many; " + advice
        )
