"""A partition: the label of every document, and the moments of every cluster, kept in step."""

from __future__ import annotations

from typing import Self

import numpy as np
import scipy.sparse as sp

from textclust.engine.problem import Problem, Start
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, Moments
from textclust.geometry.assignment import Assignment
from textclust.geometry.rows import scale_rows
from textclust.geometry.sparse_sums import replaced, sparse_sums

__all__ = ["Partition"]


class Partition:
    """Labels with the sums, masses and sizes of their clusters.

    A cluster without documents of any weight keeps the moments it had last, and with
    them its prototype; its size says that it is empty.
    """

    def __init__(self, problem: Problem, labels: Labels) -> None:
        self._problem = problem
        self.labels: Labels | None = None
        self.sizes = np.zeros(problem.k, dtype=np.intp)
        self.assignment: Assignment | None = None  # the last to these clusters,
        self._changed = np.zeros(problem.k, dtype=bool)  # and those that have moved since
        self.moments = Moments(_nothing(problem), np.zeros(problem.k))
        if len(labels):
            self.reassign(labels)

    @classmethod
    def begin(cls, problem: Problem, start: Start) -> Self:
        """The partition a run starts from; without labels where only moments are given.

        It takes over the moments, and changes them.
        """
        if start.labels is not None:
            return cls(problem, start.labels)
        assert start.moments is not None
        partition = cls(problem, np.zeros(0, dtype=np.intp))
        sums, masses = start.moments
        if not sp.issparse(sums):
            sums = np.asfortranarray(sums, dtype=np.float64)
        partition.moments = Moments(sums, masses)
        return partition

    def under(self, problem: Problem) -> Partition:
        """The same clusters under what a learner has made of their problem."""
        self.forget()
        return self if problem.X is self._problem.X else Partition(problem, self.known_labels)

    def nearest(self, form: AffineForm) -> Assignment:
        """The cheapest cluster of every document, in the form that these clusters have now.

        Only those that moved since the last time are looked at, but for `forget`.
        """
        found = self._problem.backend.assign(form, self.assignment, self._changed)
        self.assignment, self._changed = found, np.zeros_like(self._changed)
        return found

    def forget(self) -> None:
        """Clusters of the same documents cost something else from now on."""
        self.assignment = None

    @property
    def filled(self) -> Array:
        """True for the clusters that have documents."""
        return self.sizes > 0

    @property
    def filled_moments(self) -> Moments:
        """The moments, with nothing for empty clusters."""
        if self.filled.all():
            return self.moments
        sums, masses = self.moments
        return Moments(scale_rows(sums, self.filled), masses * self.filled)

    @property
    def known_labels(self) -> Labels:
        """The labels, where the partition has some."""
        assert self.labels is not None
        return self.labels

    def adopt(self, labels: Labels) -> None:
        """Take on labels to which the sums have been changed already, with no cluster emptied."""
        before, weights = self.known_labels, self._problem.effective_weights
        moved = np.flatnonzero(labels != before)
        self._changed[labels[moved]] = self._changed[before[moved]] = True
        self.labels = labels
        self.sizes = np.bincount(labels[weights > 0], minlength=self._problem.k)
        masses = np.bincount(labels, weights=weights, minlength=self._problem.k)
        self.moments = Moments(self.moments.sums, masses)

    def reassign(self, labels: Labels) -> int:
        """Take on new labels; the number of documents that moved."""
        problem, before = self._problem, self.labels
        weights, n = problem.effective_weights, len(labels)
        moved = np.arange(n) if before is None else np.flatnonzero(labels != before)
        if len(moved) == 0:
            return 0
        self.labels, was_filled = labels.copy(), self.filled
        self._changed[labels[moved]] = True
        if before is not None:
            self._changed[before[moved]] = True
        self.sizes = np.bincount(labels[weights > 0], minlength=problem.k)
        anew, masses = before is None or 2 * len(moved) > n, self.moments.masses
        if problem.sparse:
            sums = self._sparse_sums(None if anew else moved, before)
        else:
            sums = self._table(None if anew else moved, before, was_filled)
        now = np.bincount(labels, weights=weights, minlength=problem.k)
        self.moments = Moments(sums, np.where(self.filled, now, masses))
        return len(moved)

    def _table(self, moved: Labels | None, before: Labels | None, was_filled: Array) -> Array:
        """The sums after some rows moved, or all: what they were, changed in place."""
        problem, labels, sums = self._problem, self.known_labels, self.moments.sums
        weights, emptied = problem.effective_weights, np.flatnonzero(~self.filled)
        kept = sums[emptied]
        if moved is None or before is None:  # from scratch: fewer additions, fresh digits
            sums[:] = 0.0
            problem.backend.shift(sums, None, None, labels, weights)
        else:
            sums[self.filled & ~was_filled] = 0.0
            sources, targets = before[moved], labels[moved]
            problem.backend.shift(sums, moved, sources, targets, weights[moved])
        sums[emptied] = kept
        return sums

    def _sparse_sums(self, moved: Labels | None, before: Labels | None) -> sp.csr_array:
        """The sums after some rows moved, or all: anew in the clusters that changed."""
        problem, labels = self._problem, self.known_labels
        changed = self.filled
        if moved is not None and before is not None:
            changed = np.zeros(problem.k, dtype=bool)
            changed[labels[moved]] = changed[before[moved]] = True
            changed &= self.filled
        clusters, rows = np.flatnonzero(changed), None
        if not len(clusters):
            return self.moments.sums
        if not changed.all():
            rows = np.flatnonzero(changed[labels])
            labels = np.cumsum(changed)[labels] - 1
        weights, threads = problem.effective_weights, problem.threads
        count = len(clusters)
        by = sparse_sums(problem.X, labels, weights, count, problem.grid, rows, threads)
        return replaced(self.moments.sums, clusters, by)


def _nothing(problem: Problem) -> Matrix:
    """Sums of no documents, as a problem keeps them."""
    k, d = problem.k, problem.X.shape[1]
    return sp.csr_array((k, d)) if problem.sparse else np.zeros((d, k)).T  # by term in memory
