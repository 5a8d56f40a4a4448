"""A hierarchy of clusters, and where to cut it by example clusters (Hu et al. 2013, 2.4).

Leaves are rows or groups of rows. The best cut is never between merges of one height, which
would tell apart what is equally near, and no cut is between leaves that coincide. What is asked
of a partition is added up over its clusters, so that each merge changes it by the two clusters it
joins, and all levels are judged in one pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels
from textclust.measures.distances import cluster_utilities
from textclust.methods.hierarchy.tree import Tree

__all__ = ["Dendrogram", "Leaves", "link"]

_ACUITY = 0.1  # of the spread of a feature: less is not distinguished
_LEAST_SPREAD = 1e-12  # of the largest value: less is none
_MOST_BYTES = 2e9
_SLACK = 1e-12  # by which values of CORI differ that are the same


@dataclass(frozen=True)
class Leaves:
    """Where the leaves lie, and how many rows of each example, and of none, each stands for."""

    vectors: Array  # n x m
    counts: Array  # n x (examples + 1), the last column for rows of no example

    @property
    def sizes(self) -> Array:
        """How many rows each leaf stands for."""
        return self.counts.sum(axis=1)


def link(leaves: Leaves, linkage: str) -> Dendrogram:
    """The dendrogram of the leaves under the Euclidean distance."""
    from scipy.cluster.hierarchy import linkage as linked

    n = len(leaves.vectors)
    needed = 8 * n * (n - 1) / 2
    if needed > _MOST_BYTES:
        most = int(np.sqrt(_MOST_BYTES / 4)) // 1000 * 1000
        raise InputError(
            f"to link {n:,} rows takes {needed / 1e9:.1f} GB for their distances; set max_linked "
            f"to at most {most:,}, and groups of near rows are linked in their place"
        )
    merges = linked(leaves.vectors, linkage) if n > 1 else np.zeros((0, 4))
    nothing = float(_LEAST_SPREAD * np.abs(leaves.vectors).max(initial=0.0))
    return Dendrogram(n, merges[:, :2].astype(np.intp), merges[:, 2], nothing, leaves=leaves)


@dataclass(frozen=True)
class Dendrogram(Tree):
    """A tree whose levels can be judged by what its leaves stand for."""

    leaves: Leaves = field(kw_only=True)

    @property
    def levels(self) -> Labels:
        """The levels between merges of different heights, and the last."""
        return np.flatnonzero(np.diff(self.heights, prepend=0.0, append=np.inf) > self.nothing)

    def level_of_best_cut(self) -> int:
        """The level of highest CORI, of those that share it the one of highest WCU."""
        levels = self.levels
        cori = self.cori[levels]
        highest = levels[cori >= cori.max() - _SLACK]
        return int(highest[self.wcu[highest].argmax()])

    @cached_property
    def cori(self) -> Array:
        """CORI of every level; see `textclust.metrics.cori`."""
        counts = self._of_clusters(self.leaves.counts)
        sizes, known = counts.sum(axis=1), counts[:, :-1]
        pairs = (counts**2).sum(axis=1)  # ordered, a row with itself too
        joined = self._of_levels((known**2).sum(axis=1) - known.sum(axis=1))
        mixed = self._of_levels(sizes**2 - pairs)
        total = self.leaves.counts.sum(axis=0)
        must = (total[:-1] * (total[:-1] - 1)).sum()
        cannot = total.sum() ** 2 - (total**2).sum()
        return (_share(joined, must) + _share(cannot - mixed, cannot)) / 2

    @cached_property
    def wcu(self) -> Array:
        """Weighted category utility of every level; see `textclust.metrics`."""
        sizes = self.leaves.sizes
        vectors = self.leaves.vectors - np.average(self.leaves.vectors, axis=0, weights=sizes)
        spread = np.sqrt(np.average(vectors**2, axis=0, weights=sizes))
        varying = spread > self.nothing
        vectors, spread = vectors[:, varying], spread[varying]
        mass = self._of_clusters(sizes[:, None])
        means = self._of_clusters(sizes[:, None] * vectors) / mass
        squares = self._of_clusters(sizes[:, None] * vectors**2) / mass
        of_clusters = mass[:, 0] * cluster_utilities(means, squares, spread, _ACUITY)
        utilities = self._of_levels(of_clusters) / sizes.sum()
        return utilities / np.arange(len(sizes), 0, -1)

    def _of_clusters(self, of_leaves: Array) -> Array:
        """Sums over the leaves of every cluster there ever is, leaves first."""
        n = len(of_leaves)
        sums = np.concatenate([of_leaves, np.zeros((len(self.merges), of_leaves.shape[1]))])
        for t, (left, right) in enumerate(self.merges):
            sums[n + t] = sums[left] + sums[right]
        return sums

    def _of_levels(self, of_clusters: Array) -> Array:
        """Sums over the clusters of every level."""
        n = self.n
        changes = of_clusters[n:] - of_clusters[self.merges].sum(axis=1)
        return np.cumsum(np.r_[of_clusters[:n].sum(), changes])


def _share(part: Array, whole: float) -> Array:
    return part / whole if whole else np.ones_like(part)
