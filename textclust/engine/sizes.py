"""Clusters that are wanted to have a number of documents at least: a soft bound on their sizes.

    S(y) = price * sum_h max(0, min_size - n_h)

with n_h the weight of the documents in cluster h. A document is moved into a cluster that is too
small where that costs less than the price, and no document is anywhere for its sake alone: where
every cluster is large enough S is nothing.

With prototypes given and documents that count the same, the labels of least energy are a flow of
least cost from clusters that have documents to spare to those that lack some. It is found by
successive shortest paths (Ahuja, Magnanti and Orlin 1993, 9.7): a step from cluster to cluster
costs what the cheapest document to make it costs, a path of steps takes one document from its
first cluster and gives one to its last, and paths are made, the cheapest first, for as long as
they cost less than the price. Where one cluster alone is too small the paths are single steps:
documents join it by what that costs them on top. Where documents count differently a path is
made if it lowers the energy, and the first that does not ends the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from textclust.geometry.affine import Array, Labels

__all__ = ["SizeBound"]

_ROUNDING = 1e-12  # of the numbers that are compared
_NOTHING = 1e-9  # of the bound: what sums of weights may lack by rounding


@dataclass(frozen=True, eq=False)
class SizeBound:
    """S: what clusters of fewer documents than `min_size` cost."""

    min_size: float
    price: float  # of each document that a cluster lacks
    counts: Array  # what each document counts in the size of its cluster

    def with_others(self, number: int) -> SizeBound:
        """The same with so many documents more at the end, which do not count."""
        return replace(self, counts=np.concatenate([self.counts, np.zeros(number)]))

    def lacking(self, labels: Labels, k: int) -> Array:
        """How many documents each of k clusters has fewer than wanted; 0 for those with enough.

        >>> SizeBound(2, 1.0, np.ones(4)).lacking(np.array([0, 0, 0, 2]), 3).tolist()
        [0.0, 2.0, 1.0]
        """
        return self._lacking(self._sizes(labels, k))

    def energy(self, labels: Labels, k: int) -> float:
        """S of these labels."""
        return self.price * float(self.lacking(labels, k).sum())

    def rises(self, documents: Labels, labels: Labels, k: int) -> Array:
        """What S would rise by if one of these documents moved to a cluster and all others stayed.

        One row for each of the documents, one column for each cluster, 0 where a document is.
        """
        sizes, counts, source = self._sizes(labels, k), self.counts[documents], labels[documents]
        lacking = self._lacking(sizes)
        left = self._lacking(sizes[source] - counts) - lacking[source]
        joined = self._lacking(sizes + counts[:, None]) - lacking
        rises = self.price * (left[:, None] + joined)
        rises[np.arange(len(documents)), source] = 0.0
        return np.asarray(rises)

    def filled(self, labels: Labels, rows: Labels, costs: Array) -> Labels:
        """Labels of less energy, in which some rows have joined clusters that were too small.

        `labels` have each of these rows where it is cheapest; `costs` are what it costs in every
        cluster, infinity where it must not be.
        """
        k = costs.shape[1]
        counting = self.counts[rows] > 0
        rows, costs = rows[counting], costs[counting]
        if len(rows) == 0:
            return labels
        exchange = _Exchange(costs, labels[rows], self.counts[rows], self._sizes(labels, k))
        while (path := exchange.cheapest_path(self.min_size)) is not None:
            before = float(self._lacking(exchange.sizes).sum())
            risen = exchange.make(path)
            fallen = self.price * (before - float(self._lacking(exchange.sizes).sum()))
            if risen >= fallen - _ROUNDING * (abs(risen) + fallen):
                exchange.make(path, back=True)
                break
        found = labels.copy()
        found[rows] = exchange.labels
        return found

    def _sizes(self, labels: Labels, k: int) -> Array:
        return np.bincount(labels, weights=self.counts, minlength=k)

    def _lacking(self, sizes: Array) -> Array:
        lacking = self.min_size - sizes
        return np.where(lacking > _NOTHING * self.min_size, lacking, 0.0)


@dataclass(frozen=True)
class _Path:
    """Clusters one after the other, and the document that goes from each to the next."""

    clusters: list[int]
    documents: list[int]


class _Exchange:
    """Documents that clusters give one another, and the cheapest step between every two."""

    def __init__(self, costs: Array, labels: Labels, counts: Array, sizes: Array) -> None:
        self.costs, self.labels, self.counts, self.sizes = costs, labels.copy(), counts, sizes
        self.least = float(counts.min())
        k = costs.shape[1]
        self.steps = np.full((k, k), np.inf)  # for each unit that a document counts
        self.movers = np.full((k, k), -1)
        self._look_again(range(k))

    def cheapest_path(self, min_size: float) -> _Path | None:
        """From any cluster with a document to spare to any that lacks one (Bellman and Ford)."""
        spare = self.sizes - self.least >= min_size * (1.0 - _NOTHING)
        lacks = self.sizes < min_size * (1.0 - _NOTHING)
        if not spare.any() or not lacks.any():
            return None
        k = len(self.sizes)
        reach, via, every = np.where(spare, 0.0, np.inf), np.full(k, -1), np.arange(k)
        for _ in range(k):
            through = reach[:, None] + self.steps
            best = through.argmin(axis=0)
            cost = through[best, every]
            with np.errstate(invalid="ignore"):  # where there is no way yet
                nearer = cost < reach - _ROUNDING * np.abs(reach)
            nearer |= np.isinf(reach) & np.isfinite(cost)
            nearer &= ~spare
            if not nearer.any():
                break
            reach, via = np.where(nearer, cost, reach), np.where(nearer, best, via)
        last = int(np.where(lacks, reach, np.inf).argmin())
        return self._traced(via, last) if np.isfinite(reach[last]) else None

    def make(self, path: _Path, back: bool = False) -> float:
        """Take each document of a path one cluster further, or back; what that costs."""
        risen = 0.0
        for document, (source, target) in zip(path.documents, pairwise(path.clusters), strict=True):
            if back:
                source, target = target, source
            risen += float(self.costs[document, target] - self.costs[document, source])
            self.labels[document] = target
            self.sizes[source] -= self.counts[document]
            self.sizes[target] += self.counts[document]
        self._look_again(path.clusters)
        return risen

    def _traced(self, via: Labels, last: int) -> _Path | None:
        """The path to a cluster by what precedes each; None if rounding has made a circle."""
        clusters = [last]
        while via[clusters[0]] >= 0 and len(clusters) <= len(via):
            clusters.insert(0, int(via[clusters[0]]))
        if len(clusters) > len(via):
            return None
        steps = pairwise(clusters)
        return _Path(clusters, [int(self.movers[source, target]) for source, target in steps])

    def _look_again(self, clusters: Iterable[int]) -> None:
        """Find the cheapest steps from these clusters anew."""
        for cluster in clusters:
            rows = np.flatnonzero(self.labels == cluster)
            self.steps[cluster] = np.inf
            if len(rows) == 0:
                continue
            on_top = self.costs[rows] - self.costs[rows, cluster, None]
            on_top /= self.counts[rows, None]
            best = on_top.argmin(axis=0)
            self.steps[cluster] = on_top[best, np.arange(len(best))]
            self.movers[cluster] = rows[best]
            self.steps[cluster, cluster] = np.inf
