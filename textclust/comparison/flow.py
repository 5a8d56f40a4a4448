"""How many documents of each cluster of one clustering are in each cluster of another.

A document that both have is in a cluster of each. One that only one of them has is placed in the
other, if it fits there: its terms are weighed as there, and the nearest prototype has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.result.clustering import Clustering
from textclust.result.placement import place

__all__ = ["Flow", "flow_between"]


@dataclass(frozen=True, eq=False)
class Flow:
    """The documents that two clusterings share, by row, and where all documents are in both."""

    old_rows: Labels  # of the documents that both have
    new_rows: Labels  # of the same documents
    table: Array  # k_old x k_new: documents, those placed included
    left: Array | int = 0  # of these, the documents that only the old one has
    came: Array | int = 0  # and those that only the new one has

    @cached_property
    def of_old(self) -> Array:
        """The documents of each old cluster, wherever they are now."""
        return np.asarray(self.table.sum(axis=1))

    @cached_property
    def of_new(self) -> Array:
        """The documents of each new cluster, wherever they were."""
        return np.asarray(self.table.sum(axis=0))


def flow_between(old: Clustering, new: Clustering) -> Flow:
    """The flow of documents; an InputError where nothing can be compared."""
    row_in_new = {card.id: row for row, card in enumerate(new.cards)}
    both = [
        (i, j) for i, card in enumerate(old.cards) if (j := row_in_new.get(card.id)) is not None
    ]
    pairs = np.array(both, dtype=np.intp).reshape(-1, 2)
    old_rows, new_rows = pairs[:, 0], pairs[:, 1]
    table = _counted(old.labels[old_rows], new.labels[new_rows], old.k, new.k)
    only_old = np.setdiff1d(np.arange(len(old.cards)), old_rows)
    only_new = np.setdiff1d(np.arange(len(new.cards)), new_rows)
    if old.of_vectors or new.of_vectors:
        if not len(pairs):
            raise InputError(
                "the two clusterings have no document in common, and clusters of vectors can only "
                "be compared by the documents that both have; check that the ids are alike"
            )
        return Flow(old_rows, new_rows, table)
    left = _counted(old.labels[only_old], _placed(old, only_old, new), old.k, new.k)
    came = _counted(_placed(new, only_new, old), new.labels[only_new], old.k, new.k)
    return Flow(old_rows, new_rows, table + left + came, left, came)


def _counted(old: Labels, new: Labels, k_old: int, k_new: int) -> Array:
    """The table of documents that have a cluster in both."""
    have = (old >= 0) & (new >= 0)
    old, new = old[have], new[have]
    return np.bincount(old * k_new + new, minlength=k_old * k_new).reshape(k_old, k_new)


def _placed(source: Clustering, rows: Labels, target: Clustering) -> Labels:
    """The clusters that some documents of one clustering would be in in another, -1 for none."""
    if not len(rows):
        return np.zeros(0, dtype=np.intp)
    X = _in_vocabulary(source, rows, target)
    space = target.space if target.beside is None else target.text_space  # by the terms alone
    labels = place(X, space).labels
    if target.whole is not None:  # of which too few documents are kept to say what fits
        return labels
    return np.where(target.fit.judged(X, _known_shares(source, rows, X)), labels, -1)


def _known_shares(source: Clustering, rows: Labels, X: Matrix) -> Array:
    """The share of the terms of each row that the other clustering knows."""
    here = np.diff(source.texts[rows].indptr)
    known = np.ones(len(rows)) if source.known is None else source.known[rows]
    return np.asarray(known * np.diff(X.indptr) / np.maximum(here, 1))


def _in_vocabulary(source: Clustering, rows: Labels, target: Clustering) -> Matrix:
    """Rows of one clustering by the terms of another; a term weighs by its frequency there."""
    columns = target.vectorizer.vocabulary_
    here = source.vectorizer
    shared = [(c, columns[term]) for term, c in here.vocabulary_.items() if term in columns]
    own, other = np.array(shared, dtype=np.intp).reshape(-1, 2).T
    weighs = here.idf_[own] > 0
    own, other = own[weighs], other[weighs]
    ratio = target.vectorizer.idf_[other] / here.idf_[own]
    shape = (len(here.vocabulary_), len(columns))
    return sp.csr_array(source.texts[rows] @ sp.csr_array((ratio, (own, other)), shape=shape))
