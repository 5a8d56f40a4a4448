"""Cliques of the cannot-link graph: each of their blocks needs a cluster of its own."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph

__all__ = ["clique"]

_WORK = 1_000_000  # candidates examined


def clique(graph: CannotLinkGraph, size: int, work: int = _WORK) -> Labels:
    """`size` blocks with cannot-links between all of them; empty if no such clique was found.

    Depth first: from every block, those with most neighbours first, through the common
    neighbours of those chosen so far, skipping what can no longer reach `size`. The search is
    exhaustive unless `work` runs out.

    >>> house = CannotLinkGraph(np.array([0, 1, 2, 3, 0, 1]), np.array([1, 2, 3, 0, 4, 4]), 5)
    >>> clique(house, 3), clique(house, 4)
    (array([0, 1, 4]), array([], dtype=int64))
    """
    others = [set(graph.of(block).tolist()) for block in range(graph.count)]
    order = np.argsort(-graph.degrees, kind="stable").tolist()
    rank = np.argsort(order).tolist()
    done: set[int] = set()
    for first in order:
        trail = [(first, others[first] - done)]
        while trail and work > 0:
            candidates = trail[-1][1]
            if len(trail) == size:
                return np.array(sorted(block for block, _ in trail), dtype=np.intp)
            if len(trail) + len(candidates) < size:
                trail.pop()
                continue
            work -= 1 + len(candidates)
            block = min(candidates, key=rank.__getitem__)
            candidates.discard(block)
            trail.append((block, candidates & others[block]))
        done.add(first)
    return np.zeros(0, dtype=np.intp)
