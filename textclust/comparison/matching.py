"""Which cluster was which: an optimal matching, with what was split and what was merged.

Two clusters may be the same where they share more than half of the smaller one. Of all pairs that
may be, those are matched whose Dice coefficients, 2 |a and b| / (|a| + |b|), have the largest sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from textclust.comparison.flow import Flow
from textclust.geometry.affine import Array
from textclust.result.changes import Fate, Kind, Part

__all__ = ["fates"]

_STEADY = 1.25  # times its share of the collection: less is no change
_PART = 0.1  # of a cluster, which two parts have at least where it is called split


def fates(flow: Flow, old_shares: Sequence[float], new_shares: Sequence[float]) -> list[Fate]:
    """What became of every cluster: the old ones in their order, then those that are new.

    The shares are those of the clusters in their collections, which may differ in size.
    """
    table, olds, news = flow.table, flow.table - flow.came, flow.table - flow.left
    into = [_parts(table[h], flow.of_new, olds[h]) for h in range(len(table))]
    of = [_parts(table[:, g], flow.of_old, news[:, g]) for g in range(table.shape[1])]
    joined = {part.cluster: (Part(g, part.documents),) for g in range(len(of)) for part in of[g]}
    match = _matched(flow)
    found = []
    for h, g in enumerate(match):
        if g is None:
            kind = Kind.SPLIT if into[h] else Kind.ABSORBED if h in joined else Kind.GONE
            found.append(Fate(kind, h, None, into=into[h] or joined.get(h) or _largest(table[h])))
            continue
        kind = _kind(into[h], of[g], new_shares[g], old_shares[h])
        found.append(Fate(kind, h, g, int(table[h, g]), into[h], of[g]))
    met = {g for g in match if g is not None}
    whole = {part.cluster: (Part(h, part.documents),) for h in range(len(into)) for part in into[h]}
    for g in (g for g in range(table.shape[1]) if g not in met):
        kind = Kind.MERGED if of[g] else Kind.PART if g in whole else Kind.NEW
        found.append(Fate(kind, None, g, of=of[g] or whole.get(g) or _largest(table[:, g])))
    return found


def _kind(into: tuple[Part, ...], of: tuple[Part, ...], now: float, then: float) -> Kind:
    if into:
        return Kind.SPLIT
    if of:
        return Kind.MERGED
    if now > _STEADY * then:
        return Kind.GREW
    return Kind.SHRANK if then > _STEADY * now else Kind.KEPT


def _matched(flow: Flow) -> list[int | None]:
    """The new cluster that each old one became, if any."""
    from scipy.optimize import linear_sum_assignment

    sizes = flow.of_old[:, None], flow.of_new[None, :]
    may_be = 2 * flow.table > np.minimum(*sizes)
    dice = np.where(may_be, 2 * flow.table / np.maximum(sizes[0] + sizes[1], 1), 0.0)
    found: list[int | None] = [None] * len(dice)
    for h, g in zip(
        *(each.tolist() for each in linear_sum_assignment(dice, maximize=True)), strict=True
    ):
        if may_be[h, g]:
            found[h] = g
    return found


def _parts(shared: Array, sizes: Array, own: Array) -> tuple[Part, ...]:
    """The clusters that lie mostly in one, if two of them or more are more than a trace of it.

    `shared` is how many documents each of them has in it, and `own` how many of these are its own:
    what only fits there, as nothing else does, makes no part of it.
    """
    inside = np.flatnonzero((2 * shared > sizes) & (own >= _PART * shared))
    if (own[inside] >= _PART * own.sum()).sum() < 2:
        return ()
    order = sorted(inside.tolist(), key=lambda g: (-shared[g], g))
    return tuple(Part(g, int(shared[g])) for g in order)


def _largest(shared: Array) -> tuple[Part, ...]:
    """The cluster that has most, if any has something."""
    g = int(shared.argmax())
    return (Part(g, int(shared[g])),) if shared[g] else ()
