"""Iterated conditional modes (Besag 1986; Basu 2005, 4.4.4).

A document takes the cluster that is cheapest given the labels of its neighbours (eq.
4.11), one after the other in random order, until none would move. Documents that are
not linked with one another do not notice each other's moves, so many can be made at
once: of the documents that would move, each draws a number, and those go first that
drew more than all of their neighbours (Luby 1986; Jones & Plassmann 1993). That is the
sequential rule in one of its random orders, without its loop over documents.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable, Leaders
from textclust.supervision.couplings import Couplings

__all__ = ["icm", "neighbours_of", "undisputed"]

_ROUNDING = 1e-12  # of the numbers that are compared
_WIDE = 1e-9  # beyond any rounding


def icm(
    costs: CostTable | Array,
    couplings: Couplings,
    labels: Labels,
    rng: np.random.Generator,
    moved: list[Labels] | None = None,
) -> Labels:
    """Labels that no single move improves, found from `labels` by moves that each did.

    A document whose cluster is as cheap as any other stays. The documents of each
    simultaneous move are added to `moved`. The first round asks all, each later one those that
    its movers may have stirred; looked up in `costs` are the rows of those alone whose links
    pull harder than a cluster leads.
    """
    labels = np.array(labels, dtype=np.intp)
    wanted, table = labels.copy(), CostTable.of(costs)
    is_open = np.ones(couplings.count, dtype=bool)
    rows = np.arange(couplings.count)
    while True:
        if len(rows):
            wanted[rows], is_open[rows] = _wanted(table, couplings, labels, rows)
        unsettled = np.flatnonzero(wanted != labels)
        if len(unsettled) == 0:
            return labels
        movers = undisputed(couplings, unsettled, rng)
        labels[movers] = wanted[movers]
        if moved is not None:
            moved.append(movers)
        rows = _affected(couplings, labels, movers, table.leaders, is_open)


def _wanted(
    costs: CostTable, couplings: Couplings, labels: Labels, rows: Labels
) -> tuple[Labels, Array | bool]:
    """The cluster that each of these documents would take if the others stayed.

    And whether that is open: not settled by how far a cluster leads.
    """
    leaders = costs.leaders
    if leaders is None:
        return _cheapest(costs, couplings, labels, rows), True
    wanted = leaders.labels[rows]
    slack = _WIDE * (1.0 + couplings.max_link_influence.max(initial=0.0))
    is_open = leaders.leads[rows] <= couplings.pulls(rows, labels, wanted) + slack
    doubtful = np.flatnonzero(is_open)
    if len(doubtful):
        wanted[doubtful] = _cheapest(costs, couplings, labels, rows[doubtful])
    return wanted, is_open


def _affected(
    couplings: Couplings,
    labels: Labels,
    movers: Labels,
    leaders: Leaders | None,
    is_open: Array,
) -> Labels:
    """The neighbours of the movers that may want another cluster now, ascending.

    One that its leader has settled stays so unless a mover pulls at it that did not before.
    """
    if leaders is None:
        return neighbours_of(couplings, movers)
    whose, neighbours, strengths = couplings.links_of(movers)
    with_leader = labels[movers][whose] == leaders.labels[neighbours]
    affected = np.zeros(couplings.count, dtype=bool)
    affected[neighbours[is_open[neighbours] | (with_leader == (strengths > 0))]] = True
    return np.flatnonzero(affected)


def _cheapest(costs: CostTable, couplings: Couplings, labels: Labels, rows: Labels) -> Labels:
    """The same from all that every cluster costs them."""
    penalties, max_link_influence = (
        couplings.penalties(rows, labels, costs.shape[1]),
        couplings.max_link_influence[rows],
    )
    everyone = len(rows) == couplings.count
    table = costs.plus(
        penalties, None if everyone else rows, slack=_WIDE * (1.0 + max_link_influence)
    )
    every, own, best = np.arange(len(rows)), labels[rows], table.argmin(axis=1)
    least = table[every, best]
    noise = _ROUNDING * (np.abs(least) + max_link_influence)
    return np.where(least + noise < table[every, own], best, own)


def undisputed(couplings: Couplings, unsettled: Labels, rng: np.random.Generator) -> Labels:
    """Some of the unsettled documents, no two of them neighbours, at random."""
    priority = np.zeros(couplings.count, dtype=np.intp)
    priority[unsettled] = 1 + rng.permutation(len(unsettled))
    whose, which = couplings.entries(unsettled)
    beaten = priority[unsettled[whose]] < priority[couplings.neighbours[which]]
    first = np.ones(len(unsettled), dtype=bool)
    first[whose[beaten]] = False
    return unsettled[first]


def neighbours_of(couplings: Couplings, rows: Labels) -> Labels:
    """The documents linked with any of these, ascending."""
    _, which = couplings.entries(rows)
    linked = np.zeros(couplings.count, dtype=bool)
    linked[couplings.neighbours[which]] = True
    return np.flatnonzero(linked)
