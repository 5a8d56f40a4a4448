"""Links as they enter an inference: one signed strength for every two documents.

Up to a constant, a must-link of weight w takes w off where its documents share a cluster
and a cannot-link puts w on, so links of the same pair add up to one number s:

    V(y) = sum of the must-links' weights  +  sum_(i,j) s_ij [y_i = y_j]
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.supervision.links import Links

__all__ = ["Couplings", "Pairs", "by_cluster"]


class Pairs(NamedTuple):
    """Two documents and their strength: below 0 they are drawn together, above 0 apart.

    Where clusters have metrics of their own, a row of strengths, one in each cluster.
    """

    left: Labels
    right: Labels
    strengths: Array


def by_cluster(strengths: Array) -> Array:
    """Strengths with a column for each cluster, or one for all."""
    return strengths[:, None] if strengths.ndim == 1 else strengths


class Couplings:
    """Who is linked with whom, and how strongly, for documents numbered from 0.

    Every pair is there twice, once as an entry of each of its documents; the entries of
    document i are those from bounds[i] to bounds[i + 1], neighbours ascending.
    """

    def __init__(self, links: Links, count: int) -> None:
        signed = np.where(links.together, -links.weights, links.weights)
        both = (
            np.concatenate([signed, signed]),
            (np.concatenate([links.left, links.right]), np.concatenate([links.right, links.left])),
        )
        table = sp.coo_array(both, shape=(count, count)).tocsr()  # adds up what is there twice
        table.eliminate_zeros()
        table.sort_indices()
        self.count = count
        self.bounds: Labels = table.indptr.astype(np.intp)
        self.neighbours: Labels = table.indices.astype(np.intp)
        self.strengths: Array = table.data.astype(np.float64)
        self.constant = float(links.weights[links.together].sum())

    @cached_property
    def owners(self) -> Labels:
        """The document that each entry is of."""
        return np.repeat(np.arange(self.count), np.diff(self.bounds))

    @cached_property
    def pairs(self) -> Pairs:
        """Every pair once."""
        once = self.owners < self.neighbours
        return Pairs(self.owners[once], self.neighbours[once], self.strengths[once])

    @cached_property
    def reverse(self) -> Labels:
        """The entry of the same pair that is of the other document."""
        numbers = np.arange(len(self.neighbours))
        return np.asarray(self.table(numbers).T.tocsr().data)

    @cached_property
    def max_link_influence(self) -> Array:
        """The most that the labels of its neighbours can make a document's clusters differ."""
        return np.bincount(self.owners, weights=np.abs(self.strengths), minlength=self.count)

    def subset(self, rows: Labels) -> Couplings:
        """The couplings between these documents, numbered by their positions in `rows`."""
        position = np.full(self.count, -1)
        position[rows] = np.arange(len(rows))
        left, right = position[self.pairs.left], position[self.pairs.right]
        both = (left >= 0) & (right >= 0)
        strengths = self.pairs.strengths[both]
        return Couplings(
            Links(left[both], right[both], strengths < 0, np.abs(strengths)), len(rows)
        )

    def table(self, values: Array) -> sp.csr_array:
        """A value for each entry, in a table with a row and a column for each document."""
        return sp.csr_array((values, self.neighbours, self.bounds), (self.count, self.count))

    def entries(self, rows: Labels) -> tuple[Labels, Labels]:
        """The entries of these documents: whose (as a position in `rows`), and which."""
        if len(rows) == self.count:  # ascending, so all of them
            return self.owners, np.arange(len(self.neighbours))
        sizes = self.bounds[rows + 1] - self.bounds[rows]
        whose = np.repeat(np.arange(len(rows)), sizes)
        shift = self.bounds[rows] - (np.cumsum(sizes) - sizes)
        return whose, np.arange(len(whose)) + shift[whose]

    def links_of(self, rows: Labels) -> tuple[Labels, Labels, Array]:
        """Of the entries of these documents: whose they are, with whom, and how strong."""
        if len(rows) == self.count:
            return self.owners, self.neighbours, self.strengths
        whose, which = self.entries(rows)
        return whose, self.neighbours[which], self.strengths[which]

    def penalties(self, rows: Labels, labels: Labels, k: int) -> Array:
        """What each cluster costs these ascending documents under the labels of the others."""
        whose, neighbours, strengths = self.links_of(rows)
        cells = whose * k + labels[neighbours]
        flat = np.bincount(cells, weights=strengths, minlength=len(rows) * k)
        return flat.astype(np.float64, copy=False).reshape(len(rows), k)  # no links count in ints

    def pulls(self, rows: Labels, labels: Labels, clusters: Labels) -> Array:
        """By how much their links favour any other cluster over that named for each, at most."""
        whose, neighbours, strengths = self.links_of(rows)
        in_it = labels[neighbours] == clusters[whose]
        pulling = np.flatnonzero(in_it == (strengths > 0))
        pulls = np.abs(strengths[pulling])
        return np.bincount(whose[pulling], weights=pulls, minlength=len(rows))

    def energy(self, costs: Array, labels: Labels) -> float:
        """The costs of these labels plus V."""
        same = labels[self.owners] == labels[self.neighbours]
        own = costs[np.arange(self.count), labels].sum()
        return float(own + self.constant + self.strengths[same].sum() / 2)
