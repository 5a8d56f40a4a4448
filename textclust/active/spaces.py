"""Where distances are measured: between documents as they are, or in a small latent space."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.engine.latent_starts import latent_vectors
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.cosine import Cosine

__all__ = ["point_of", "seen_in"]

_DIRECTIONS = 10  # or as many as there are clusters
_MANY = 100  # columns, beyond which all documents are about equally far from each other


def seen_in(space: str, X: Matrix, n_clusters: int | None, rng: np.random.Generator) -> Matrix:
    """The rows of X in the space of this name.

    In thousands of dimensions the farthest document is the oddest one; in the directions that
    many documents share it is one of another kind.
    """
    if space == "full" or (space == "auto" and X.shape[1] <= _MANY):
        return X
    directions = min(max(_DIRECTIONS, n_clusters or 0), *X.shape)
    return latent_vectors(Cosine().prepare(X), directions, rng) if directions else X


def point_of(X: Matrix, row: int) -> Array:
    """One row as a dense vector."""
    if not sp.issparse(X):
        return np.asarray(X[row], dtype=np.float64)
    entries = slice(X.indptr[row], X.indptr[row + 1])
    point = np.zeros(X.shape[1])
    point[X.indices[entries]] = X.data[entries]
    return point
