"""How alike documents are: kernels between any two, or a graph of the nearest.

Each kind can compare new rows with those that were clustered, which is all that it takes to
place them later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix

__all__ = [
    "KernelFunction",
    "KernelValues",
    "NearestCosines",
    "PrecomputedKernel",
    "Similarity",
    "refuse_too_many",
    "symmetric_graph",
]

_MOST = 5_000  # documents with a number for every two of them
_MEGABYTES = 64  # that a search for neighbours may hold at a time


class Similarity(Protocol):
    """What new documents are compared with those that were clustered by."""

    def with_fitted(self, X: Matrix) -> Matrix:
        """A row for each of X, with a value for each document that was clustered."""


@dataclass(frozen=True)
class KernelFunction:
    """A kernel by name.

    <x, y>, exp(-|x - y|^2 / (2 width^2)), (1 + <x, y>)^degree, or the cosine.
    """

    name: str
    width: float = 1.0
    degree: int = 3

    def between(self, X: Matrix, Y: Matrix) -> Array:
        """The kernel between every row of X and every row of Y."""
        from sklearn.metrics.pairwise import pairwise_kernels

        return np.asarray(pairwise_kernels(X, Y, metric=self.name, **self.settings), dtype=float)

    @property
    def settings(self) -> dict[str, float]:
        """Its parameters as scikit-learn calls them."""
        if self.name == "rbf":
            return {"gamma": 0.5 / self.width**2}
        if self.name == "polynomial":
            return {"gamma": 1.0, "coef0": 1.0, "degree": self.degree}
        return {}


@dataclass(frozen=True, eq=False)
class KernelValues:
    """A kernel with every document that was clustered."""

    kernel: KernelFunction
    rows: Matrix

    def with_fitted(self, X: Matrix) -> Matrix:
        return self.kernel.between(X, self.rows)


@dataclass(frozen=True, eq=False)
class NearestCosines:
    """The cosines with the `count` nearest documents, and nothing for all others."""

    rows: Matrix
    count: int

    def with_fitted(self, X: Matrix) -> Matrix:
        return self._nearest(X, self.count)

    def graph(self) -> sp.csr_array:
        """Each document with those it is near to, and those that are near to it."""
        n = self.rows.shape[0]
        found = self._nearest(self.rows, self.count + 1).tocoo()
        apart = found.row != found.col
        there = (found.data[apart], (found.row[apart], found.col[apart]))
        one_way = sp.coo_array(there, shape=(n, n)).tocsr()
        return sp.csr_array(one_way.maximum(one_way.T))

    def _nearest(self, X: Matrix, count: int) -> sp.csr_array:
        """In blocks, so that nothing of all documents by all documents is ever held."""
        from sklearn import config_context
        from sklearn.neighbors import NearestNeighbors

        n = self.rows.shape[0]
        search = NearestNeighbors(n_neighbors=min(count, n), metric="cosine", algorithm="brute")
        with config_context(working_memory=_MEGABYTES):
            found = search.fit(self.rows).kneighbors_graph(X, mode="distance")
        graph = sp.csr_array(found, dtype=np.float64)
        graph.data = np.maximum(1.0 - graph.data, 0.0)
        graph.eliminate_zeros()
        return graph


@dataclass(frozen=True)
class PrecomputedKernel:
    """Rows that are values with every document already."""

    def with_fitted(self, X: Matrix) -> Matrix:
        return X


def symmetric_graph(given: Matrix) -> Matrix:
    """A kernel or a graph that was given as a table of documents by documents."""
    if given.shape[0] != given.shape[1]:
        raise InputError(
            "a precomputed kernel has a row and a column for each document; "
            f"got a table of shape {given.shape}"
        )
    gap = abs(given - given.T)
    scale = abs(given).max()
    if gap.max() > 1e-6 * scale:
        raise InputError(
            "the precomputed kernel is not symmetric; give (K + K.T) / 2, if that is what is meant"
        )
    return (given + given.T).astype(np.float64) / 2


def refuse_too_many(n: int, tables: int = 1) -> None:
    """Raise an InputError where a number for every two documents is out of reach."""
    if n > _MOST:
        gigabytes = 8 * tables * n**2 / 1e9
        raise InputError(
            f"a kernel between all {n} documents would take {gigabytes:.1f} GB; set n_landmarks "
            "(1000, say) to approximate it, or take kernel='neighbours'"
        )
