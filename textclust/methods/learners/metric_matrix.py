"""What the matrix A of a learned metric may be: diagonal, or full.

Both answer the same questions about metrics as flat arrays, the weights of squared differences
or of products of differences. The lowest point of

    <A, T> - m log det A

is A = m T^-1, if T is positive definite. So that it always is, the variance within clusters
counts as at least a hundredth of the variance in all: feature by feature where A is diagonal,
in every direction where it is full. That is a ceiling for A, and under it the floored formula
is still the lowest point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.weighted import WeightedEuclidean, scatters, squares, with_squares

__all__ = ["LEAST", "Diagonal", "MetricMatrix", "varies"]

LEAST = 0.01  # of the variance in all, within clusters
_ROUNDING = 1e-12  # of the sum of squares


def varies(scatter: Array, squares: Array) -> Array:
    """Whether features scatter by more than the rounding of their sums of squares."""
    return np.asarray(scatter > _ROUNDING * squares)


class MetricMatrix(ABC):
    """A kind of matrix, for documents of known variance."""

    variances: Array  # of each feature in all documents

    @classmethod
    @abstractmethod
    def of(cls, whole: Moments) -> Self:
        """For documents whose `rows` have these moments in all."""

    @staticmethod
    @abstractmethod
    def rows(X: Matrix) -> Matrix:
        """The documents, with what a metric weighs beside them."""

    @staticmethod
    @abstractmethod
    def squared(apart: Matrix) -> Matrix:
        """What a metric weighs of differences."""

    @staticmethod
    @abstractmethod
    def scatters(moments: Moments) -> Array:
        """How the documents of each cluster scatter, from the moments of `rows`."""

    @property
    @abstractmethod
    def dimensions(self) -> int:
        """In how many features, or directions, documents vary."""

    @abstractmethod
    def from_weights(self, weights: Array) -> Array:
        """The metric with these weights of features."""

    @abstractmethod
    def distortion(self, metrics: Array, tolls: Array) -> WeightedEuclidean:
        """The distance under some metrics."""

    @abstractmethod
    def logs(self, metric: Array) -> Array:
        """Numbers that add up to log det A."""

    @abstractmethod
    def inverse(self, total: Array, mass: float, documents: float) -> Array:
        """m T^-1, where clusters of so many documents scatter; floored."""

    @abstractmethod
    def way(self, metric: Array, aim: Array) -> Callable[[float], Array]:
        """The metrics on the way from one to another, in log A: at 0 the first, at 1 the other."""

    @abstractmethod
    def scaled(self, metric: Array, scale: float, mass: float, documents: float) -> Array:
        """A metric times a number, up to the ceiling."""


@dataclass(frozen=True, eq=False)
class Diagonal(MetricMatrix):
    """A weight for every feature; one that never varies keeps the weight 1."""

    variances: Array  # of each feature in all documents

    @classmethod
    def of(cls, whole: Moments) -> Self:
        scatter = scatters(whole)[0]
        squares = whole.sums[0, len(scatter) :]
        return cls(np.where(varies(scatter, squares), scatter, 0.0) / whole.masses[0])

    @staticmethod
    def rows(X: Matrix) -> Matrix:
        return with_squares(X)

    @staticmethod
    def squared(apart: Matrix) -> Matrix:
        return squares(apart)

    @staticmethod
    def scatters(moments: Moments) -> Array:
        return scatters(moments)

    @property
    def varied(self) -> Array:
        return self.variances > 0

    @property
    def dimensions(self) -> int:
        return int(np.count_nonzero(self.varied))

    def from_weights(self, weights: Array) -> Array:
        return weights

    def distortion(self, metrics: Array, tolls: Array) -> WeightedEuclidean:
        return WeightedEuclidean(metrics, tolls)

    def logs(self, metric: Array) -> Array:
        return np.log(metric)

    def inverse(self, total: Array, mass: float, documents: float) -> Array:
        floored = np.maximum(total, LEAST * documents * self.variances)
        return np.divide(mass, floored, out=np.ones_like(floored), where=self.varied)

    def way(self, metric: Array, aim: Array) -> Callable[[float], Array]:
        return lambda part: np.asarray(metric ** (1 - part) * aim**part)

    def scaled(self, metric: Array, scale: float, mass: float, documents: float) -> Array:
        ceiling = self.inverse(np.zeros_like(metric), mass, documents)
        return np.where(self.varied, np.minimum(scale * metric, ceiling), metric)
