"""How far clusters are from one another, for every linkage, without a table of all pairs.

A distance between clusters follows from one vector of each: what its documents together are to
every row. Average linkage under the cosine and Ward need no more than products with the sum of a
cluster, which are one pass over the postings of its terms. Complete linkage, single linkage and
the average of Euclidean distances need the distances of each of its documents. The vectors of
large clusters are kept, in bounded memory, as joining two of them is cheap; the others are worked
out anew when they are asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.rows import squared_norms
from textclust.methods.hierarchy.postings import ROUNDING, Distances, Postings

__all__ = ["ByRows", "BySums", "Clusters"]

_KEPT = 1 << 28  # bytes of vectors


class Clusters(ABC):
    """Clusters by number, at first one for each row; merged ones keep that of the larger."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.sizes = np.ones(n)
        self.owner = np.arange(n)  # the cluster of each row
        self.members: dict[int, list[int]] = {}  # of clusters of several rows
        self.apart: dict[int, set[int]] = {}  # clusters that a cannot-link is between
        self.is_gone = np.zeros(n, dtype=bool)

    def keep_apart(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Never merge the clusters of these pairs of rows."""
        for i, j in pairs:
            left, right = int(self.owner[i]), int(self.owner[j])
            self.apart.setdefault(left, set()).add(right)
            self.apart.setdefault(right, set()).add(left)

    def rows_of(self, cluster: int) -> list[int]:
        """The rows of a cluster."""
        return self.members.get(cluster, [cluster])

    def distances(self, cluster: int) -> Array:
        """From every cluster, infinite from those it cannot be merged with."""
        found = self._distances(cluster)
        found[self.is_gone] = np.inf
        found[[cluster, *self.apart.get(cluster, ())]] = np.inf
        return found

    def merge(self, a: int, b: int) -> int:
        """Make one cluster of two; its number."""
        kept, gone = (a, b) if (self.sizes[a], b) >= (self.sizes[b], a) else (b, a)
        self._merge(kept, gone)
        self.sizes[kept] += self.sizes[gone]
        self.is_gone[gone] = True
        moved = self.members.pop(gone, [gone])
        self.owner[moved] = kept
        self.members.setdefault(kept, [kept]).extend(moved)
        for other in self.apart.pop(gone, set()):
            self.apart[other].discard(gone)
            self.apart[other].add(kept)
            self.apart.setdefault(kept, set()).add(other)
        return kept

    def height(self, distance: float) -> float:
        """The height of a merge in the tree."""
        return distance

    @abstractmethod
    def _distances(self, cluster: int) -> Array: ...

    @abstractmethod
    def _merge(self, kept: int, gone: int) -> None: ...


class BySums(Clusters):
    """Average linkage under the cosine, 1 - <S_a, S_b> / n_a n_b; or Ward's linkage.

    Ward: n_a n_b / (n_a + n_b) |m_a - m_b|^2, of which scipy has the root of the double for a
    height. Rows are merged clusters themselves as soon as these are half as many as rows.
    """

    def __init__(self, X: Matrix, *, ward: bool) -> None:
        super().__init__(X.shape[0])
        self._ward = ward
        self._squares = squared_norms(X)
        self._put(X, np.arange(self.n))

    def height(self, distance: float) -> float:
        return float(np.sqrt(2.0 * distance)) if self._ward else distance

    def _put(self, X: Matrix, clusters: Labels) -> None:
        """Take these as the sums of these clusters."""
        self._postings, self._clusters = Postings(X), clusters
        self._place = np.full(self.n, -1)
        self._place[clusters] = np.arange(len(clusters))
        self._sums: dict[int, Matrix] = {}  # of clusters that are not a row

    def _sum(self, cluster: int) -> Matrix:
        found = self._sums.get(cluster)
        return self._postings.row(self._place[cluster]) if found is None else found

    def _distances(self, cluster: int) -> Array:
        products = self._postings.products(self._sum(cluster))
        whole = np.bincount(self.owner[self._clusters], products, self.n)
        size, sizes = self.sizes[cluster], self.sizes
        if self._ward:
            means = self._squares[cluster] / size**2 + self._squares / sizes**2
            found = means - 2.0 * whole / (size * sizes)
            found[found <= ROUNDING * means] = 0.0
            return np.asarray(found * (size * sizes / (size + sizes)))
        found = 1.0 - whole / (size * sizes)
        found[found <= ROUNDING] = 0.0
        return found

    def _merge(self, kept: int, gone: int) -> None:
        whole = self._sum(kept) + self._sum(gone)
        self._sums[kept] = whole
        self._sums.pop(gone, None)
        self._squares[kept] = whole.data @ whole.data

    def merge(self, a: int, b: int) -> int:
        kept = super().merge(a, b)
        left = np.flatnonzero(~self.is_gone)
        if 2 * len(left) <= len(self._clusters):
            place, count = np.searchsorted(left, self.owner[self._clusters]), len(self._clusters)
            member = sp.csr_array((np.ones(count), (place, np.arange(count))))
            self._put((member @ self._postings.X).tocsr(), left)
        return kept


class ByRows(Clusters):
    """The largest, the least or the mean distance between documents of two clusters."""

    def __init__(self, distances: Distances, linkage: str) -> None:
        super().__init__(len(distances.squares))
        self._rows, self._is_mean = distances, linkage == "average"
        self._join = {"complete": np.maximum, "single": np.minimum, "average": np.add}[linkage]
        self._start = {"complete": 0.0, "single": np.inf, "average": 0.0}[linkage]
        self._kept: dict[int, Array] = {}
        self._most = max(2, _KEPT // (8 * self.n))

    def _distances(self, cluster: int) -> Array:
        found = np.full(self.n, self._start)
        self._join.at(found, self.owner, self._vector(cluster))
        return found / (self.sizes * self.sizes[cluster]) if self._is_mean else found

    def _vector(self, cluster: int) -> Array:
        """What the documents of a cluster together are to every row."""
        if cluster in self._kept:
            return self._kept[cluster]
        first, *others = self.rows_of(cluster)
        vector = self._rows.of(first)
        for row in others:
            self._join(vector, self._rows.of(row), out=vector)
        return vector

    def _merge(self, kept: int, gone: int) -> None:
        vector = self._join(self._vector(kept), self._vector(gone))
        self._kept.pop(gone, None)
        self._kept[kept] = vector
        if len(self._kept) > self._most:
            smallest = min(self._kept, key=lambda cluster: len(self.rows_of(cluster)))
            del self._kept[smallest]
