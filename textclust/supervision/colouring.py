"""Whether k clusters suffice to keep blocks apart: graph colouring.

A block with fewer than k neighbours always finds a cluster when it comes last, so only
the k-core of the graph matters (Matula & Beck 1983). There the search takes the block
with the fewest clusters left to it (DSATUR, Brelaz 1979) and tracks back from dead ends,
until it finds labels, has tried everything, or has looked at too much. Then it takes
turns with repairs of random labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph
from textclust.supervision.cliques import clique
from textclust.supervision.tabu import repaired

__all__ = ["Verdict", "colour", "most_constrained_first", "peel"]

_NODES = 10_000  # blocks that one search may label, at least
_REPAIRS = 3  # from random labels, once a search has looked at too much
_MOVES = 20_000  # in each


@dataclass(frozen=True)
class Verdict:
    """Labels that keep all blocks apart; or none, and whether it is proved there are none."""

    labels: Labels | None
    proved: bool = True
    tries: int = 1  # orders and repairs


def colour(apart: CannotLinkGraph, k: int, nodes: int = _NODES, repairs: int = _REPAIRS) -> Verdict:
    """Labels from 0 to k - 1 that keep the blocks apart, or why there are none.

    >>> triangle = CannotLinkGraph(np.array([0, 1, 2]), np.array([1, 2, 0]), 3)
    >>> colour(triangle, 3).labels
    array([2, 1, 0])
    >>> colour(triangle, 2)
    Verdict(labels=None, proved=True, tries=1)
    """
    core, peeled = peel(apart, k)
    labels = np.full(apart.count, -1)
    within = apart.among(core)
    unsolved = None
    for here in _parts(within):
        verdict = _colour_core(within.among(here), k, nodes, repairs)
        if verdict.labels is not None:
            labels[core[here]] = verdict.labels
        elif verdict.proved:
            return verdict
        else:
            unsolved = verdict
    if unsolved is not None:
        return unsolved
    for block in reversed(peeled):
        taken = set(labels[apart.of(block)].tolist())
        labels[block] = next(h for h in range(k) if h not in taken)
    return Verdict(labels)


def peel(apart: CannotLinkGraph, k: int) -> tuple[Labels, list[int]]:
    """The k-core, ascending, and the other blocks in the order in which they fall off.

    Each had fewer than k neighbours left when it fell.
    """
    left = apart.degrees.tolist()
    peeled = [block for block, degree in enumerate(left) if degree < k]
    for block in peeled:  # it grows
        for other in apart.of(block).tolist():
            left[other] -= 1
            if left[other] == k - 1:
                peeled.append(other)
    kept = np.ones(apart.count, dtype=bool)
    kept[peeled] = False
    return np.flatnonzero(kept), peeled


def most_constrained_first(
    apart: CannotLinkGraph,
    k: int,
    nodes: int,
    costs: Array | None = None,
    rng: np.random.Generator | None = None,
) -> Verdict:
    """Search with the block first that fewest clusters are left to.

    With costs each block tries its cheapest cluster first, and none that costs infinity;
    without, clusters are alike, and only one of those that nobody is in yet is tried.
    The rng breaks ties. The search gives up after labelling `nodes` blocks.
    """
    search = _Search(apart, k, costs, rng)
    return search.run(nodes)


def _parts(apart: CannotLinkGraph) -> list[Labels]:
    """The blocks of each connected part."""
    order = np.argsort(apart.parts, kind="stable")
    return np.split(order, np.cumsum(np.bincount(apart.parts))[:-1]) if apart.count else []


def _colour_core(apart: CannotLinkGraph, k: int, nodes: int, repairs: int) -> Verdict:
    if len(clique(apart, k + 1)):
        return Verdict(None)
    nodes = max(nodes, 2 * apart.count)
    verdict = most_constrained_first(apart, k, nodes)
    for attempt in range(repairs):
        if verdict.labels is not None or verdict.proved:
            return verdict
        rng = np.random.default_rng(attempt)
        labels = repaired(apart, k, _MOVES, rng)
        if labels is not None:
            return Verdict(labels)
        again = most_constrained_first(apart, k, nodes // 2, rng=rng)
        verdict = Verdict(again.labels, again.proved, verdict.tries + 2)
    return verdict


class _Search:
    """Labels so far, and for each block how many neighbours each cluster holds."""

    def __init__(
        self, apart: CannotLinkGraph, k: int, costs: Array | None, rng: np.random.Generator | None
    ) -> None:
        self.apart, self.k, self.costs, self.rng = apart, k, costs, rng
        self.labels = np.full(apart.count, -1)
        self.held = np.zeros((apart.count, k), dtype=np.int32)
        if costs is not None:
            self.held[np.isinf(costs)] = 1
        self.weight = 1.0 + apart.degrees.max(initial=0)
        self.urgency = apart.degrees + self.weight * (self.held > 0).sum(axis=1)
        if rng is not None:
            self.urgency += rng.random(apart.count) / 2

    def run(self, nodes: int) -> Verdict:
        trail: list[tuple[int, list[int]]] = []  # blocks labelled, and what is left to try
        seen = 0
        while len(trail) < self.apart.count:
            block = int(self.urgency.argmax())
            left = self._open(block, len(trail))
            while not left:
                if not trail:
                    return Verdict(None)
                block, left = trail.pop()
                self._free(block)
            if seen >= nodes:
                return Verdict(None, proved=False)
            seen += 1
            self._take(block, left.pop(0))
            trail.append((block, left))
        return Verdict(self.labels)

    def _open(self, block: int, labelled: int) -> list[int]:
        """The clusters this block may take, those to try first in front."""
        free = np.flatnonzero(self.held[block] == 0)
        if self.costs is not None:
            return free[self.costs[block, free].argsort(kind="stable")].tolist()
        most = int(self.labels.max(initial=-1)) if labelled else -1
        free = free[free <= most + 1]
        return (free if self.rng is None else self.rng.permutation(free)).tolist()

    def _take(self, block: int, cluster: int) -> None:
        others = self.apart.of(block)
        self.labels[block] = cluster
        self.held[others, cluster] += 1
        self.urgency[others[self.held[others, cluster] == 1]] += self.weight
        self.urgency[block] -= _DONE

    def _free(self, block: int) -> None:
        others, cluster = self.apart.of(block), self.labels[block]
        self.labels[block] = -1
        self.held[others, cluster] -= 1
        self.urgency[others[self.held[others, cluster] == 0]] -= self.weight
        self.urgency[block] += _DONE


_DONE = 2.0**40  # takes a labelled block out of the choice, and comes off without rounding
