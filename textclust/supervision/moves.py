"""Moves between labels that keep blocks apart: each lowers the costs, none breaks a link."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.apart import Apart
from textclust.supervision.inference.icm import neighbours_of, undisputed

__all__ = ["settle"]

_ROUNDING = 1e-12  # of the numbers that are compared
_FEW_CLUSTERS = 16  # up to here every two of them are tried


def settle(costs: Array, apart: Apart, labels: Labels, rng: np.random.Generator) -> Labels:
    """Labels that no move improves, found from labels that keep all blocks apart.

    A move takes one block to a cluster that none it is apart from is in: iterated
    conditional modes (Besag 1986) under hard links. Where that rests, and clusters are
    few, two clusters swap a chain of blocks (a Kempe chain: blocks of either that hang
    together by cannot-links), which also moves what is wedged between others.
    """
    labels = _single_moves(costs, apart, np.array(labels, dtype=np.intp), rng)
    linked = np.flatnonzero(apart.degrees)
    if costs.shape[1] > _FEW_CLUSTERS or len(linked) == 0:
        return labels
    while _swap_chains(costs, apart, linked, labels):
        labels = _single_moves(costs, apart, labels, rng)
    return labels


def _single_moves(costs: Array, apart: Apart, labels: Labels, rng: np.random.Generator) -> Labels:
    wanted = labels.copy()
    rows = np.arange(apart.count)
    while len(rows):
        wanted[rows] = _wanted(costs, apart, labels, rows)
        movers = undisputed(apart, np.flatnonzero(wanted != labels), rng)
        labels[movers] = wanted[movers]
        rows = neighbours_of(apart, movers)
    return labels


def _wanted(costs: Array, apart: Apart, labels: Labels, rows: Labels) -> Labels:
    """The cheapest cluster open to each of these blocks if the others stayed."""
    taken = apart.penalties(rows, labels, costs.shape[1]) > 0
    table = np.where(taken, np.inf, costs[rows])
    every, own, best = np.arange(len(rows)), labels[rows], table.argmin(axis=1)
    least = table[every, best]
    return np.where(least + _ROUNDING * np.abs(least) < table[every, own], best, own)


def _swap_chains(costs: Array, apart: Apart, linked: Labels, labels: Labels) -> bool:
    """Swap every chain that costs less the other way round, in place; whether any did."""
    swapped = False
    for one, other in combinations(range(costs.shape[1]), 2):
        here = linked[(labels[linked] == one) | (labels[linked] == other)]
        own = labels[here]
        away = one + other - own
        now, then = costs[here, own], costs[here, away]
        if not (then < now).any():
            continue
        chain = apart.among(here).parts
        before, after = np.bincount(chain, now), np.bincount(chain, then)
        cheaper = after + _ROUNDING * np.abs(after) < before
        labels[here] = np.where(cheaper[chain], away, own)
        swapped |= bool(cheaper.any())
    return swapped
