"""Squared Mahalanobis distance with a full matrix, one metric or one for each cluster.

The weighted Euclidean distance, with a weight for every two terms instead of every term. Over
rows [x, xx'] it is affine in the document,

    (x - mu)' A (x - mu) + t = [mu' A mu + t] - <x, 2 A mu> + <xx', A>

so these rows have d + d^2 columns: for a few features, not for the terms of texts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.rows import scale_rows
from textclust.geometry.weighted import WeightedEuclidean

__all__ = ["Mahalanobis", "products", "with_products"]


@dataclass(frozen=True, eq=False)
class Mahalanobis(WeightedEuclidean):
    """B = [2 A mu, -A], c = mu' A mu + t; its rows are [x, xx'] and its weights are matrices."""

    weights: Array  # 1 x d x d, or k x d x d

    name = "mahalanobis"

    @property
    def flat(self) -> Array:
        return self.weights.reshape(len(self.weights), -1)

    def prepare(self, X: Matrix) -> Matrix:
        return with_products(X)

    @property
    def importance(self) -> Array | None:
        return None

    def mismatch(self, k: int, d: int) -> str | None:
        if self.tolls.shape not in ((1,), (k,)) or not np.isfinite(self.tolls).all():
            return "the constants of the metrics do not fit the clusters"
        A = self.weights
        if A.shape != (len(self.tolls), d, d) or A.dtype.kind != "f" or not np.isfinite(A).all():
            return "the matrices of the distortion do not fit the terms"
        if not np.allclose(A, A.swapaxes(1, 2)) or not (np.linalg.eigvalsh(A) > 0).all():
            return "a matrix of the distortion is not symmetric and positive definite"
        return None

    def _times(self, rows: Array) -> Array:
        return np.asarray((self.weights @ rows[:, :, None])[:, :, 0])


def with_products(X: Matrix) -> Matrix:
    """[x, xx'], row by row, in double precision; as sparse as X is."""
    X = X.astype(np.float64, copy=False)
    if sp.issparse(X):
        return sp.hstack([X, products(X)], format="csr")
    return np.hstack([X, products(X)])


def products(X: Matrix) -> Matrix:
    """xx', row by row, each as one row of d^2 numbers; as sparse as X is."""
    columns = (np.asarray(X @ one).ravel() for one in np.eye(X.shape[1]))
    blocks = [scale_rows(X, column) for column in columns]
    return sp.hstack(blocks, format="csr") if sp.issparse(X) else np.hstack(blocks)
