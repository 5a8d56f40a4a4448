"""The assignment rule of COP-KMeans (Wagstaff et al. 2001; Basu 2005, 2.3.3)."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph

__all__ = ["in_order"]


def in_order(costs: Array, graph: CannotLinkGraph, order: Labels) -> Labels:
    """Each block in the cheapest cluster that none held which it is apart from; -1 at dead ends.

    MustLinkComponents come in the given order. Those whose earlier neighbours have all been are
    labelled at once: they do not notice one another, and the labels are those of the
    sequential rule.

    >>> pair = CannotLinkGraph(np.array([0]), np.array([1]), 2)
    >>> costs = np.array([[0.0, 9.0], [1.0, 2.0]])
    >>> in_order(costs, pair, np.array([0, 1])), in_order(costs, pair, np.array([1, 0]))
    (array([0, 1]), array([1, 0]))
    """
    rank = np.empty(graph.count, dtype=np.intp)
    rank[order] = np.arange(graph.count)
    before = rank[graph.neighbours] < rank[graph.owners]
    awaited = np.bincount(graph.owners[before], minlength=graph.count)
    labels = np.full(graph.count, -1)
    ready = np.flatnonzero(awaited == 0)
    while len(ready):
        whose, which = graph.entries(ready)
        neighbours = graph.neighbours[which]
        held = labels[neighbours]
        table = costs[ready]
        table[whose[held >= 0], held[held >= 0]] = np.inf
        open_ = np.isfinite(table).any(axis=1)
        labels[ready[open_]] = table[open_].argmin(axis=1)
        later = neighbours[~before[which]]
        np.subtract.at(awaited, later, 1)
        ready = np.unique(later[awaited[later] == 0])
    return labels
