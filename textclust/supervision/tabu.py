"""Labels that satisfy all cannot-links, by repair: TabuCol (Hertz & de Werra 1987).

Where a search in some order gets stuck, labels with a few conflicts can often be repaired:
the move that leaves the fewest conflicts is made, even if their number rises, and is tabu
for a while. Failure proves nothing.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph

__all__ = ["repaired"]

_AT_LEAST = 10  # moves for which one is not undone, up to so many at random,
_SHARE = 0.6  # and this share of the blocks in conflict


def repaired(graph: CannotLinkGraph, k: int, moves: int, rng: np.random.Generator) -> Labels | None:
    """Labels without conflicts, if so many moves from random labels lead to some."""
    every = np.arange(graph.count)
    labels = rng.integers(k, size=graph.count)
    conflicts = graph.penalties(every, labels, k)  # of each block in each cluster
    until = np.zeros(conflicts.shape, dtype=np.intp)
    total = int(conflicts[every, labels].sum())
    least = total
    for move in range(moves):
        if total == 0:
            return labels
        wrong = np.flatnonzero(conflicts[every, labels])
        own = labels[wrong]
        rises = conflicts[wrong]
        rises -= rises[np.arange(len(wrong)), own][:, None]
        shut = (until[wrong] > move) & (total + 2 * rises >= least)
        rises[shut] = np.inf
        rises[np.arange(len(wrong)), own] = np.inf
        lowest = rises.min()
        if lowest == np.inf:
            continue
        ties = np.flatnonzero(rises == lowest)
        place, cluster = divmod(int(ties[rng.integers(len(ties))]), k)
        block, before = wrong[place], own[place]
        others = graph.of(int(block))
        conflicts[others, before] -= 1
        conflicts[others, cluster] += 1
        labels[block] = cluster
        until[block, before] = move + rng.integers(_AT_LEAST) + _SHARE * len(wrong)
        total += int(2 * lowest)
        least = min(least, total)
    return labels if total == 0 else None
