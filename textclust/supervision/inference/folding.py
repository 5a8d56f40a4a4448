"""Trees of links folded into what they hang on.

A document with one neighbour only chooses best once the neighbour has chosen, so what it
and its link add at the least, for each cluster of the neighbour, can be added to the
neighbour's costs, and the document be left out. So can then be the next one, until every
document that is left lies on or between circles of links: often few do. The optimum is
the same, and so is that of the linear relaxation, which is exact on trees.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.couplings import Couplings, by_cluster

__all__ = ["Folded", "least"]


class _Leaves(NamedTuple):
    """Documents that are folded at once, what each hangs on (itself: nothing), how strongly."""

    documents: Labels
    stems: Labels
    strengths: Array


class Folded:
    """The documents that are left, `rows`, with their `costs` and `couplings`."""

    def __init__(self, costs: Array, couplings: Couplings) -> None:
        self._table = np.array(costs, dtype=np.float64)
        self._folds: list[_Leaves] = []
        self._constant = couplings.constant
        left = np.ones(couplings.count, dtype=bool)
        degrees = np.diff(couplings.bounds)
        loose = np.flatnonzero(degrees <= 1)
        while len(loose):
            leaves = _leaves(couplings, loose, left)
            left[leaves.documents] = False
            stems = self._fold(leaves)
            np.subtract.at(degrees, stems, 1)
            stems = np.unique(stems)
            loose = stems[degrees[stems] <= 1]
        self.rows = np.flatnonzero(left)
        self.costs: Array = self._table[self.rows]
        self.couplings = couplings.subset(self.rows)

    def labels(self, labels: Labels) -> Labels:
        """The best labels of all documents where those that are left have these."""
        unfolded = np.zeros(len(self._table), dtype=np.intp)
        unfolded[self.rows] = labels
        for documents, stems, strengths in reversed(self._folds):
            table = self._table[documents]
            every, there = np.arange(len(documents)), unfolded[stems]
            table[every, there] += strengths if strengths.ndim == 1 else strengths[every, there]
            unfolded[documents] = table.argmin(axis=1)
        return unfolded

    def total(self, energy: float) -> float:
        """The energy of all documents where those that are left have this one."""
        return self._constant + energy - self.couplings.constant

    def _fold(self, leaves: _Leaves) -> Labels:
        """Hand the leaves' costs on to their stems; the stem of each leaf that has one."""
        alone = leaves.documents == leaves.stems
        self._constant += float(self._table[leaves.documents[alone]].min(axis=1).sum())
        documents, stems, strengths = (part[~alone] for part in leaves)
        np.add.at(self._table, stems, least(self._table[documents], strengths))
        self._folds.append(leaves)
        return stems


def _leaves(couplings: Couplings, loose: Labels, left: Array) -> _Leaves:
    """Documents with at most one neighbour left; of two that have only each other, one."""
    whose, which = couplings.entries(loose)
    held = left[couplings.neighbours[which]]
    whose, which = whose[held], which[held]
    stems, strengths = loose.copy(), np.zeros((len(loose), *couplings.strengths.shape[1:]))
    stems[whose], strengths[whose] = couplings.neighbours[which], couplings.strengths[which]
    first = (stems >= loose) | ~np.isin(stems, loose)
    return _Leaves(loose[first], stems[first], strengths[first])


def least(costs: Array, strengths: Array) -> Array:
    """The least of costs(h') + s [h' = h] over all h', for every h, which may have its own s."""
    every, best = np.arange(len(costs)), costs.argmin(axis=1)
    others = np.repeat(costs[every, best][:, None], costs.shape[1], axis=1)
    rest = costs.copy()
    rest[every, best] = np.inf
    others[every, best] = rest.min(axis=1)
    return np.minimum(costs + by_cluster(strengths), others)
