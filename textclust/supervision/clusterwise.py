"""Links whose price depends on the clusters their documents are in.

Where each cluster h measures with a metric of its own, a link has a penalty f_h in each
(Bilenko, Basu and Mooney 2004):

    V(y) = sum of (f_{y_i} + f_{y_j}) / 2  over must-links with y_i != y_j
         + sum of f_{y_i}                  over cannot-links with y_i = y_j

The first sum is half of f from each end of every must-link, less f_h where both are in h.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.couplings import Couplings, Pairs
from textclust.supervision.inference import INFERENCES
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["ClusterwiseCouplings", "ClusterwisePotts", "at_labels", "shares"]


def shares(links: Links, labels: Labels, cluster: int | None = None) -> Array:
    """How much of each link's penalty is paid: all where it is broken, by each end half.

    In all clusters, or in one.
    """
    left, right = labels[links.left], labels[links.right]
    broken = ((left == right) != links.together).astype(float)
    if cluster is None:
        return np.asarray(broken)
    return np.asarray(broken * ((left == cluster).astype(float) + (right == cluster)) / 2)


def at_labels(links: Links, penalties: Array, labels: Labels) -> Array:
    """What each link costs to break where its ends are, from a column for each cluster."""
    every = np.arange(len(links))
    both = penalties[every, labels[links.left]] + penalties[every, labels[links.right]]
    return np.asarray(both / 2)


class ClusterwisePotts(Potts):
    """V, from the penalties of each link in every cluster (m x k)."""

    def __init__(self, links: Links, penalties: Array, inference: str = "icm") -> None:
        super().__init__(links, inference)
        self._own, within = np.zeros((len(self.documents), penalties.shape[1])), links.within()
        for ends in (within.left, within.right):
            np.add.at(self._own, ends[links.together], penalties[links.together] / 2)
        signed = np.where(links.together[:, None], -penalties, penalties)
        self._clusterwise = ClusterwiseCouplings(
            Pairs(within.left, within.right, signed), len(self.documents)
        )

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""
        return self._clusterwise.energy(self._own, labels)

    def pushes(self, labels: Labels, k: int) -> Array:
        """What each cluster costs each of `documents` while the others keep their labels."""
        return self._own + self._clusterwise.penalties(np.arange(len(labels)), labels, k)

    def infer(self, costs: CostTable | Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels whose costs plus V are no higher than those of `labels`."""
        table = CostTable.of(costs).exactly() + self._own
        return INFERENCES[self.inference](table, self._clusterwise, labels, rng)


class ClusterwiseCouplings(Couplings):
    """A strength in each cluster for every two documents."""

    def __init__(self, pairs: Pairs, count: int) -> None:
        lower, upper = np.minimum(pairs.left, pairs.right), np.maximum(pairs.left, pairs.right)
        each, which = np.unique(lower * count + upper, return_inverse=True)
        strengths = np.zeros((len(each), pairs.strengths.shape[1]))
        np.add.at(strengths, which, pairs.strengths)  # links of the same pair add up
        left, right = np.divmod(each, count)
        owners, neighbours = np.concatenate([left, right]), np.concatenate([right, left])
        order = np.lexsort((neighbours, owners))
        self.count = count
        self.bounds = np.searchsorted(owners[order], np.arange(count + 1))
        self.neighbours = neighbours[order]
        self.strengths = np.concatenate([strengths, strengths])[order]
        self.constant = 0.0

    @cached_property
    def max_link_influence(self) -> Array:
        strongest = np.abs(self.strengths).max(axis=1, initial=0.0)
        return np.bincount(self.owners, weights=strongest, minlength=self.count)

    def subset(self, rows: Labels) -> ClusterwiseCouplings:
        position = np.full(self.count, -1)
        position[rows] = np.arange(len(rows))
        left, right = position[self.pairs.left], position[self.pairs.right]
        both = (left >= 0) & (right >= 0)
        return ClusterwiseCouplings(
            Pairs(left[both], right[both], self.pairs.strengths[both]), len(rows)
        )

    def penalties(self, rows: Labels, labels: Labels, k: int) -> Array:
        whose, which = self.entries(rows)
        theirs = labels[self.neighbours[which]]
        known = theirs < self.strengths.shape[1]  # others are not in a cluster yet
        whose, which, theirs = whose[known], which[known], theirs[known]
        flat = np.bincount(whose * k + theirs, self.strengths[which, theirs], len(rows) * k)
        return flat.astype(np.float64, copy=False).reshape(len(rows), k)

    def energy(self, costs: Array, labels: Labels) -> float:
        same = np.flatnonzero(labels[self.owners] == labels[self.neighbours])
        own = costs[np.arange(self.count), labels].sum()
        return float(own + self.strengths[same, labels[self.owners[same]]].sum() / 2)
