"""How far documents are from each other: any bounded, symmetric distance will do.

Farthest-first traversal keeps its promise for all of these (Basu 2005, 5.4 and B.3).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from textclust.active.spaces import point_of
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import Cosine as Sphere
from textclust.geometry.rows import row_totals, scale_rows, squared_norms

__all__ = ["DISTANCES", "Between", "Distance", "distance_of"]

_MEGABYTES = 64  # of distances at a time
_AT_ONCE = 64  # points, where distances are a function of the caller's

Between = Callable[[Matrix, Array], Array]  # the rows of a matrix and a point, n numbers


class Distance(Protocol):
    """A distance, and what rows look like in its space."""

    def prepare(self, X: Matrix) -> Matrix:
        """X as this distance sees it."""

    def centres(self, means: Matrix) -> Matrix:
        """The centres of groups whose means, of prepared rows, are these."""

    def placeable(self, X: Matrix) -> Array:
        """True for the prepared rows that are somewhere."""

    def between(self, X: Matrix, point: Array) -> Array:
        """From each prepared row to a point."""

    def nearest(self, X: Matrix, rows: Labels, count: int) -> Array:
        """From each prepared row to the `count` nearest of some rows, in order: n x count."""


class CosineDistance:
    """1 - cos(x, y); a row of zeros has no direction."""

    def prepare(self, X: Matrix) -> Matrix:
        return Sphere().prepare(X)

    def centres(self, means: Matrix) -> Matrix:
        return Sphere().prepare(means)

    def placeable(self, X: Matrix) -> Array:
        return squared_norms(X) > 0

    def between(self, X: Matrix, point: Array) -> Array:
        return np.asarray(1.0 - X @ point)

    def nearest(self, X: Matrix, rows: Labels, count: int) -> Array:
        return np.asarray(_straight(X, rows, count) ** 2 / 2)


class HellingerDistance(CosineDistance):
    """sqrt(1 - sum_t sqrt(p_t q_t)) between the distributions of terms in two documents."""

    def prepare(self, X: Matrix) -> Matrix:
        if (X.data if sp.issparse(X) else X).min(initial=0.0) < 0:
            raise InputError("distance='hellinger' needs values of at least 0; take 'cosine'")
        totals = row_totals(X, np.asarray)
        shares = scale_rows(X, np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0))
        return np.sqrt(shares)

    def between(self, X: Matrix, point: Array) -> Array:
        return np.asarray(np.sqrt(np.maximum(1.0 - X @ point, 0.0)))

    def nearest(self, X: Matrix, rows: Labels, count: int) -> Array:
        return _straight(X, rows, count) / np.sqrt(2)


class EuclideanDistance:
    """|x - y|, bounded as there are finitely many documents."""

    def prepare(self, X: Matrix) -> Matrix:
        return X

    def centres(self, means: Matrix) -> Matrix:
        return means

    def placeable(self, X: Matrix) -> Array:
        return np.ones(X.shape[0], dtype=bool)

    def between(self, X: Matrix, point: Array) -> Array:
        squares = squared_norms(X) + float(point @ point) - 2.0 * np.asarray(X @ point)
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def nearest(self, X: Matrix, rows: Labels, count: int) -> Array:
        return _straight(X, rows, count)


@dataclass(frozen=True)
class CallableDistance(EuclideanDistance):
    """A function of the caller's: distances of the rows of a matrix from a point."""

    function: Between

    def between(self, X: Matrix, point: Array) -> Array:
        found = np.asarray(self.function(X, point), dtype=np.float64)
        if found.shape != (X.shape[0],) or not np.isfinite(found).all():
            raise InputError(
                f"distance must give {X.shape[0]} finite numbers, one for each row of the matrix"
            )
        return found

    def nearest(self, X: Matrix, rows: Labels, count: int) -> Array:
        found = np.full((X.shape[0], count), np.inf)
        for begin in range(0, len(rows), _AT_ONCE):
            some = rows[begin : begin + _AT_ONCE].tolist()
            away = np.column_stack([self.between(X, point_of(X, row)) for row in some])
            away[some, np.arange(len(some))] = 0.0
            found = np.partition(np.hstack([found, away]), count - 1, axis=1)[:, :count]
        return np.sort(found, axis=1)


DISTANCES: dict[str, Callable[[], Distance]] = {
    "cosine": CosineDistance,
    "euclidean": EuclideanDistance,
    "hellinger": HellingerDistance,
}


def distance_of(name: str | Between) -> Distance:
    """The distance of this name, or the one that a function measures."""
    if callable(name):
        return CallableDistance(name)
    if name not in DISTANCES:
        raise InputError(f"no distance {name!r}; there is {', '.join(DISTANCES)}, or a function")
    return DISTANCES[name]()


def _straight(X: Matrix, rows: Labels, count: int) -> Array:
    """The Euclidean distances from each row of X to the `count` nearest of some rows.

    In blocks, so that nothing of all rows by all rows is ever held.
    """
    from sklearn import config_context
    from sklearn.neighbors import NearestNeighbors

    with config_context(working_memory=_MEGABYTES):
        return np.asarray(NearestNeighbors(n_neighbors=count).fit(X[rows]).kneighbors(X)[0])
