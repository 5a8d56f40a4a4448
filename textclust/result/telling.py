"""Which terms tell what a cluster is: those that hold it together, are in many of its documents,
and in few of the others.

A term weighs its share of the squared length of the centroid, times the share of the documents that
have it, times the logarithm of how many times as frequent it is inside as outside, both drawn
towards the whole collection as ten more documents would, times the cube of the share of the
documents outside that do without it. It is nothing where the term is as frequent outside; where
there is no other cluster, the last two factors are left out. Of a group of clusters a term counts
for less if only some of them have it.

`textclust reproduce names` compares this with the share of the centroid alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels

__all__ = ["Candidates", "Groups", "TermEvidence"]

Groups = Sequence[Sequence[int]]  # the clusters of each group; others are left out

_PRIOR_DOCUMENTS = 10.0
_RARE_OUTSIDE = 3  # the exponent; keeps words that every text has out of names
_CANDIDATES = 100


class Candidates(NamedTuple):
    """The terms of a group that tell most, how much, and how many documents have them."""

    columns: Labels
    weights: Array
    documents: Array


@dataclass(frozen=True, eq=False)
class TermEvidence:
    """What names of clusters are made from, k x d: sums of weights, and documents with a term."""

    sums: sp.csr_array
    frequencies: sp.csr_array
    sizes: Array

    def __post_init__(self) -> None:
        for table in (self.sums, self.frequencies):
            table.sum_duplicates()

    @property
    def k(self) -> int:
        """The number of clusters."""
        return len(self.sizes)

    @property
    def d(self) -> int:
        """The number of terms."""
        return int(self.sums.shape[1])

    @cached_property
    def overall(self) -> Array:
        """How many documents have each term."""
        return np.asarray(self.frequencies.sum(axis=0)).ravel()

    def terms_of(self, h: int) -> Labels:
        """The terms that documents of a cluster have."""
        return _row(self.frequencies, h)[0]

    def sums_of(self, h: int) -> Array:
        """The sums of a cluster's weights of all terms."""
        return _dense_row(self.sums, h)

    def frequencies_of(self, h: int) -> Array:
        """How many documents of a cluster have each term."""
        return _dense_row(self.frequencies, h)

    def candidates(self, groups: Groups | None = None) -> list[Candidates]:
        """The terms that tell each group from the others; without groups, each cluster."""
        if groups is None:
            return self._of_clusters()
        members, sizes = _membership(groups, self.k), self.sizes
        rates = self.frequencies.copy()
        rates.data /= np.repeat(np.maximum(sizes, 1), np.diff(rates.indptr))
        shared = sp.csr_array(members @ rates.sqrt())
        shared.data /= np.repeat(members.sum(axis=1), np.diff(shared.indptr))
        merged = TermEvidence(members @ self.sums, members @ self.frequencies, members @ sizes)
        return merged._of_clusters(shared)

    def _of_clusters(self, shared: sp.csr_array | None = None) -> list[Candidates]:
        n = float(self.sizes.sum())
        return [self._candidates(h, self.overall, n, shared) for h in range(self.k)]

    def _candidates(
        self, h: int, overall: Array, n: float, shared: sp.csr_array | None
    ) -> Candidates:
        columns, inside = _row(self.frequencies, h)
        size = self.sizes[h]
        weights = _dense_row(self.sums, h)[columns] ** 2
        weights /= max(float(weights.sum()), np.finfo(float).tiny)
        if size < n:
            prior = _PRIOR_DOCUMENTS * overall[columns] / n
            rate = (inside + prior) / (size + _PRIOR_DOCUMENTS)
            outside = (overall[columns] - inside + prior) / (n - size + _PRIOR_DOCUMENTS)
            apart = np.maximum(np.log(rate / outside), 0.0) * (1.0 - outside) ** _RARE_OUTSIDE
            weights = weights * apart if apart.any() else weights
        weights = weights * inside / max(size, 1.0)
        if shared is not None:
            weights = weights * _dense_row(shared, h)[columns] ** 2 * size / np.maximum(inside, 1.0)
        most = min(_CANDIDATES, len(columns))
        best = np.argpartition(-weights, most - 1)[:most] if most else np.arange(0)
        best = best[weights[best] > 0]
        best = best[np.lexsort((columns[best], -weights[best]))]
        return Candidates(columns[best], weights[best], inside[best])


def _membership(groups: Groups, k: int) -> sp.csr_array:
    of_group = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    clusters = np.fromiter((h for group in groups for h in group), np.intp, len(of_group))
    return sp.csr_array((np.ones(len(clusters)), (of_group, clusters)), shape=(len(groups), k))


def _row(table: sp.csr_array, h: int) -> tuple[Labels, Array]:
    part = slice(table.indptr[h], table.indptr[h + 1])
    return table.indices[part].astype(np.intp), table.data[part]


def _dense_row(table: sp.csr_array, h: int) -> npt.NDArray[np.float64]:
    columns, values = _row(table, h)
    row = np.zeros(table.shape[1])
    row[columns] = values
    return row
