"""Moves between labels that satisfy all cannot-links: each lowers the costs, none violates one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.cannot_link_graph import CannotLinkGraph
from textclust.supervision.components import components
from textclust.supervision.inference.icm import neighbours_of, undisputed
from textclust.supervision.links import Links

__all__ = ["exchange", "settle"]

_ROUNDING = 1e-12  # of the numbers that are compared
_FEW_CLUSTERS = 32  # up to here every two of them exchange blocks


def settle(
    costs: Array, graph: CannotLinkGraph, labels: Labels, rng: np.random.Generator
) -> Labels:
    """Labels that no single move improves, found from labels that keep all blocks apart.

    A move takes one block to a cluster that none it is apart from is in: iterated
    conditional modes (Besag 1986) under hard links.
    """
    labels = np.array(labels, dtype=np.intp)
    wanted = labels.copy()
    rows = np.arange(graph.count)
    while len(rows):
        wanted[rows] = _wanted(costs, graph, labels, rows)
        movers = undisputed(graph, np.flatnonzero(wanted != labels), rng)
        labels[movers] = wanted[movers]
        rows = neighbours_of(graph, movers)
    return labels


def exchange(
    costs: Array, graph: CannotLinkGraph, labels: Labels, rng: np.random.Generator
) -> Labels:
    """Labels that no exchange between two clusters improves either, where these are few.

    Two clusters swap a Kempe chain: blocks of either that hang together by cannot-links.
    That also moves blocks that are wedged between others, which no single move can.
    """
    while costs.shape[1] <= _FEW_CLUSTERS and _swap_chains(costs, graph, labels):
        labels = settle(costs, graph, labels, rng)
    return labels


def _wanted(costs: Array, graph: CannotLinkGraph, labels: Labels, rows: Labels) -> Labels:
    """The cheapest cluster open to each of these blocks if the others stayed."""
    taken = graph.penalties(rows, labels, costs.shape[1]) > 0
    table = np.where(taken, np.inf, costs[rows])
    every, own, best = np.arange(len(rows)), labels[rows], table.argmin(axis=1)
    least = table[every, best]
    return np.where(least + _ROUNDING * np.abs(least) < table[every, own], best, own)


def _swap_chains(costs: Array, graph: CannotLinkGraph, labels: Labels) -> bool:
    """Swap every chain that costs less the other way round, in place; whether any did."""
    every, swapped = np.arange(graph.count), False
    pairs = graph.pairs
    for partner in _pairings(costs.shape[1]):
        away = partner[labels]
        now, then = costs[every, labels], costs[every, away]
        if not (then < now).any():
            continue
        facing = away[pairs.left] == labels[pairs.right]
        left, right = pairs.left[facing], pairs.right[facing]
        chain = components(Links(left, right, facing[facing], pairs.strengths[facing]), graph.count)
        before, after = np.bincount(chain, now), np.bincount(chain, then)
        cheaper = (after + _ROUNDING * np.abs(after) < before)[chain]
        labels[cheaper] = away[cheaper]
        swapped |= bool(cheaper.any())
    return swapped


def _pairings(k: int) -> Iterator[Labels]:
    """The partner of each cluster, round by round, until each has met every other.

    The circle method of round-robin tournaments; who has no partner is its own.
    """
    players = k + k % 2
    for turn in range(players - 1):
        ring = np.roll(np.arange(1, players), turn)
        table = np.concatenate([[0], ring])
        partner = np.empty(players, dtype=np.intp)
        partner[table] = table[::-1]
        alone = np.flatnonzero(partner[:k] >= k)
        partner[alone] = alone
        yield partner[:k]
