"""How wide a Gaussian kernel is unless somebody says."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix

__all__ = ["usual_width"]


def usual_width(X: Matrix, weights: Array) -> float:
    from sklearn.metrics.pairwise import euclidean_distances
    D2 = euclidean_distances(X, squared=True)
    return float(np.sqrt(np.median(D2) / 2)) or 1.0
