"""Whether k clusters suffice for all cannot-links: graph colouring.

A block with fewer than k neighbours always finds a cluster when it comes last, so only
the k-core of the graph matters (Matula & Beck 1983). There the search takes the block
with the fewest clusters left to it (DSATUR, Brelaz 1979) and backtracks from dead ends,
until it finds labels, has tried everything, or reaches its limit. Then it alternates with
repairs of random labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph
from textclust.supervision.cliques import clique
from textclust.supervision.tabu import repaired

__all__ = ["Colouring", "colour", "most_constrained_first", "peel"]

_NODES = 10_000  # blocks that one search may label, at least
_REPAIRS = 3  # from random labels, once a search has reached its limit
_MOVES = 20_000  # in each


@dataclass(frozen=True)
class Colouring:
    """Labels that satisfy all cannot-links; or None, and whether that is proved impossible."""

    labels: Labels | None
    proved: bool = True
    tries: int = 1  # searches and repairs


def colour(
    graph: CannotLinkGraph, k: int, nodes: int = _NODES, repairs: int = _REPAIRS
) -> Colouring:
    """Labels from 0 to k - 1 that satisfy all cannot-links, or why there are none.

    >>> triangle = CannotLinkGraph(np.array([0, 1, 2]), np.array([1, 2, 0]), 3)
    >>> colour(triangle, 3).labels
    array([2, 1, 0])
    >>> colour(triangle, 2)
    Colouring(labels=None, proved=True, tries=1)
    """
    core, peeled = peel(graph, k)
    labels = np.full(graph.count, -1)
    core_graph = graph.subset(core)
    unsolved = None
    for here in _parts(core_graph):
        colouring = _colour_core(core_graph.subset(here), k, nodes, repairs)
        if colouring.labels is not None:
            labels[core[here]] = colouring.labels
        elif colouring.proved:
            return colouring
        else:
            unsolved = colouring
    if unsolved is not None:
        return unsolved
    for block in reversed(peeled):
        taken = set(labels[graph.of(block)].tolist())
        labels[block] = next(h for h in range(k) if h not in taken)
    return Colouring(labels)


def peel(graph: CannotLinkGraph, k: int) -> tuple[Labels, list[int]]:
    """The k-core, ascending, and the other blocks in the order in which they fall off.

    Each had fewer than k neighbours left when it fell.
    """
    left = graph.degrees.tolist()
    peeled = [block for block, degree in enumerate(left) if degree < k]
    for block in peeled:  # it grows
        for other in graph.of(block).tolist():
            left[other] -= 1
            if left[other] == k - 1:
                peeled.append(other)
    kept = np.ones(graph.count, dtype=bool)
    kept[peeled] = False
    return np.flatnonzero(kept), peeled


def most_constrained_first(
    graph: CannotLinkGraph,
    k: int,
    nodes: int,
    costs: Array | None = None,
    rng: np.random.Generator | None = None,
) -> Colouring:
    """Label the block with the fewest clusters left to it first.

    With costs each block tries its cheapest cluster first, and none that costs infinity;
    without, clusters are alike, and only one of those that nobody is in yet is tried.
    The rng breaks ties. The search gives up after labelling `nodes` blocks.
    """
    search = _ColouringSearch(graph, k, costs, rng)
    return search.run(nodes)


def _parts(graph: CannotLinkGraph) -> list[Labels]:
    """The blocks of each connected part."""
    order = np.argsort(graph.parts, kind="stable")
    return np.split(order, np.cumsum(np.bincount(graph.parts))[:-1]) if graph.count else []


def _colour_core(graph: CannotLinkGraph, k: int, nodes: int, repairs: int) -> Colouring:
    if len(clique(graph, k + 1)):
        return Colouring(None)
    nodes = max(nodes, 2 * graph.count)
    colouring = most_constrained_first(graph, k, nodes)
    for attempt in range(repairs):
        if colouring.labels is not None or colouring.proved:
            return colouring
        rng = np.random.default_rng(attempt)
        labels = repaired(graph, k, _MOVES, rng)
        if labels is not None:
            return Colouring(labels)
        again = most_constrained_first(graph, k, nodes // 2, rng=rng)
        colouring = Colouring(again.labels, again.proved, colouring.tries + 2)
    return colouring


class _ColouringSearch:
    """Labels so far, and for each block how many neighbours each cluster holds."""

    def __init__(
        self, graph: CannotLinkGraph, k: int, costs: Array | None, rng: np.random.Generator | None
    ) -> None:
        self.graph, self.k, self.costs, self.rng = graph, k, costs, rng
        self.labels = np.full(graph.count, -1)
        self.held = np.zeros((graph.count, k), dtype=np.int32)
        if costs is not None:
            self.held[np.isinf(costs)] = 1
        self.weight = 1.0 + graph.degrees.max(initial=0)
        self.urgency = graph.degrees + self.weight * (self.held > 0).sum(axis=1)
        if rng is not None:
            self.urgency += rng.random(graph.count) / 2

    def run(self, nodes: int) -> Colouring:
        trail: list[tuple[int, list[int]]] = []  # blocks labelled, and what is left to try
        seen = 0
        while len(trail) < self.graph.count:
            block = int(self.urgency.argmax())
            left = self._open(block, len(trail))
            while not left:
                if not trail:
                    return Colouring(None)
                block, left = trail.pop()
                self._free(block)
            if seen >= nodes:
                return Colouring(None, proved=False)
            seen += 1
            self._take(block, left.pop(0))
            trail.append((block, left))
        return Colouring(self.labels)

    def _open(self, block: int, labelled: int) -> list[int]:
        """The clusters this block may take, those to try first in front."""
        free = np.flatnonzero(self.held[block] == 0)
        if self.costs is not None:
            return free[self.costs[block, free].argsort(kind="stable")].tolist()
        most = int(self.labels.max(initial=-1)) if labelled else -1
        free = free[free <= most + 1]
        return (free if self.rng is None else self.rng.permutation(free)).tolist()

    def _take(self, block: int, cluster: int) -> None:
        others = self.graph.of(block)
        self.labels[block] = cluster
        self.held[others, cluster] += 1
        self.urgency[others[self.held[others, cluster] == 1]] += self.weight
        self.urgency[block] -= _DONE

    def _free(self, block: int) -> None:
        others, cluster = self.graph.of(block), self.labels[block]
        self.labels[block] = -1
        self.held[others, cluster] -= 1
        self.urgency[others[self.held[others, cluster] == 0]] -= self.weight
        self.urgency[block] += _DONE


_DONE = 2.0**40  # takes a labelled block out of the choice, and comes off without rounding
