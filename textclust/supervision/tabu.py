"""Labels that keep blocks apart, by repair: TabuCol (Hertz & de Werra 1987).

Where a search in some order is lost, labels of which a few are wrong are often soon put
right: the move that leaves the fewest conflicts is made, even if that is more than there
were, and not undone for a while. It proves nothing where it fails.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph

__all__ = ["repaired"]

_AT_LEAST = 10  # moves for which one is not undone, up to so many at random,
_SHARE = 0.6  # and this share of the blocks in conflict


def repaired(apart: CannotLinkGraph, k: int, moves: int, rng: np.random.Generator) -> Labels | None:
    """Labels that keep all blocks apart, if as many moves from random ones lead to some."""
    every = np.arange(apart.count)
    labels = rng.integers(k, size=apart.count)
    conflicts = apart.penalties(every, labels, k)  # of each block in each cluster
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
        others = apart.of(int(block))
        conflicts[others, before] -= 1
        conflicts[others, cluster] += 1
        labels[block] = cluster
        until[block, before] = move + rng.integers(_AT_LEAST) + _SHARE * len(wrong)
        total += int(2 * lowest)
        least = min(least, total)
    return labels if total == 0 else None
