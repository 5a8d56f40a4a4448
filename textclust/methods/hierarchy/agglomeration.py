"""Merging clusters bottom-up: always the two nearest, in an order that saves looking for them.

For the linkages here a merged cluster is never nearer to a third than the nearer of its parts
was, forbidden merges (at an infinite distance) included. So two clusters that are each other's
nearest can be merged at once, whatever is nearer elsewhere, and the tree is that of always
merging the nearest two (Murtagh 1983): a chain of nearest neighbours ends in such a pair. Single
linkage is a minimum spanning tree (Gower and Ross 1969), grown from one row (Prim 1957).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.geometry.affine import Labels
from textclust.methods.hierarchy.linkages import Clusters
from textclust.methods.hierarchy.postings import Distances
from textclust.methods.hierarchy.tree import Merge

__all__ = ["chained", "spanning"]


def chained(clusters: Clusters) -> Iterator[Merge]:
    """Merge until nothing can be merged any more."""
    chain: list[int] = []
    is_open = ~clusters.is_gone
    while chain or is_open.any():
        if not chain:
            chain.append(int(is_open.argmax()))
        top, before = chain[-1], chain[-2] if len(chain) > 1 else None
        distances = clusters.distances(top)
        distances[chain[:-2]] = np.inf  # no nearer than the one before, but for rounding
        nearest = int(distances.argmin())
        if before is not None and distances[before] <= distances[nearest]:
            nearest = before
        if distances[nearest] == np.inf:  # apart from all others, and from what they become
            is_open[chain.pop()] = False
        elif nearest != before:
            chain.append(nearest)
        else:
            del chain[-2:]
            is_open[[top, nearest]] = False
            is_open[clusters.merge(top, nearest)] = True
            yield top, nearest, clusters.height(float(distances[nearest]))


def spanning(distances: Distances, together: Labels) -> Iterator[Merge]:
    """The edges of a minimum spanning tree of the rows; rows with one number are at 0."""
    n = len(together)
    nearest, length = np.zeros(n, dtype=np.intp), np.full(n, np.inf)
    is_in, row = np.zeros(n, dtype=bool), 0
    edges: list[Merge] = []
    for _ in range(n - 1):
        is_in[row] = True
        found = distances.of(row)
        found[together == together[row]] = 0.0
        nearer = found < length
        nearest[nearer], length[nearer] = row, found[nearer]
        row = int(np.where(is_in, np.inf, length).argmin())
        edges.append((row, int(nearest[row]), float(length[row])))
    yield from sorted(edges, key=lambda edge: edge[2])
