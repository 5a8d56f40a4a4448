"""Blocks that are all apart from one another: each needs a cluster of its own."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Labels
from textclust.supervision.apart import Apart

__all__ = ["clique"]

_STEPS = 20_000


def clique(apart: Apart, size: int, steps: int = _STEPS) -> Labels:
    """`size` blocks all apart from one another, or the most that were found.

    Depth first: from every block, those with most neighbours first, through the blocks
    apart from all chosen so far, passing over what can no longer reach `size`.

    >>> house = Apart(np.array([0, 1, 2, 3, 0, 1]), np.array([1, 2, 3, 0, 4, 4]), 5)
    >>> clique(house, 4)
    array([0, 1, 4])
    """
    others = [set(apart.of(block).tolist()) for block in range(apart.count)]
    order = np.argsort(-apart.degrees, kind="stable").tolist()
    best: list[int] = []
    excluded: set[int] = set()
    for first in order:
        trail = [(first, others[first] - excluded)]
        while trail:
            block, candidates = trail[-1]
            if len(trail) > len(best):
                best = [chosen for chosen, _ in trail]
            if len(best) >= size or steps <= 0:
                return np.array(sorted(best), dtype=np.intp)
            if len(trail) + len(candidates) <= min(size - 1, len(best)) or not candidates:
                trail.pop()
                continue
            steps -= 1
            block = max(candidates, key=lambda each: (len(others[each] & candidates), -each))
            candidates.discard(block)
            trail.append((block, candidates & others[block]))
        excluded.add(first)
    return np.array(sorted(best), dtype=np.intp)
