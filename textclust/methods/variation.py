"""The first-variation search of Dhillon, Guan and Kogan 2002.

On small collections a document weighs so much in its own centroid that the batch step
hardly ever moves it (Basu 2005, 4.5.1). Here one document moves at a time, judged by
what the move does to the energy with both prototypes re-estimated. Whatever rests
under these moves rests under the batch step too, not the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix, moments
from textclust.methods.problem import Problem

__all__ = ["first_variation"]

_BLOCK = 1 << 20  # entries of the gain table held at a time


def first_variation(problem: Problem, distortion: Distortion, labels: Labels) -> Labels:
    """The labels after moving free documents singly for as long as the energy falls."""
    partition = _Partition(problem, distortion, labels)
    noise = 1e-9 * max(1.0, float(np.abs(partition.energies).max()))
    while True:
        gains = partition.gains(np.flatnonzero(problem.free))
        promising = gains.documents[gains.best > noise]
        order = np.argsort(-gains.best[gains.best > noise], kind="stable")
        moved = [partition.move(document, noise) for document in promising[order]]
        if not any(moved):
            return partition.labels


@dataclass(frozen=True)
class _Gains:
    """For some documents, the best single move and what it takes off the energy."""

    documents: Labels
    target: Labels
    best: Array


class _Partition:
    """Labels with the sums, masses and energies of their clusters kept up to date."""

    def __init__(self, problem: Problem, distortion: Distortion, labels: Labels) -> None:
        self.problem, self.distortion, self.labels = problem, distortion, labels.copy()
        weights = problem.weighty
        self.sums, self.masses = moments(problem.X, labels, weights, problem.k)
        self.sizes = np.bincount(labels[weights > 0], minlength=problem.k)
        self.energies = self._energies(np.arange(problem.k))

    def gains(self, documents: Labels) -> _Gains:
        """The best move of each document, in bounded memory."""
        target = np.empty(len(documents), dtype=np.intp)
        best = np.empty(len(documents))
        step = max(1, _BLOCK // self.problem.k)
        for begin in range(0, len(documents), step):
            part = slice(begin, begin + step)
            table = self._gain_table(documents[part])
            target[part] = table.argmax(axis=1)
            best[part] = table.max(axis=1)
        return _Gains(documents, target, best)

    def move(self, document: int, noise: float) -> bool:
        """Make the document's best move if it still lowers the energy."""
        gain = self.gains(np.array([document]))
        if gain.best[0] <= noise:
            return False
        old, new = self.labels[document], gain.target[0]
        row, weight = self._moments_of(document)
        for cluster, sign in ((old, -1), (new, 1)):
            self.sums[cluster] += sign * row
            self.masses[cluster] += sign * weight
            self.sizes[cluster] += sign
        self.labels[document] = new
        self.energies[[old, new]] = self._energies(np.array([old, new]))
        return True

    def _gain_table(self, documents: Labels) -> Array:
        X, weights = self._rows(documents), self.problem.weighty[documents]
        own = self.labels[documents]
        joining = self.distortion.joined(X, weights, self.sums, self.masses) - self.energies
        leaving = np.empty(len(documents))
        for cluster in np.unique(own):
            rows, one = np.flatnonzero(own == cluster), slice(cluster, cluster + 1)
            few = X if len(rows) == len(documents) else X[rows]
            left = self.distortion.joined(few, -weights[rows], self.sums[one], self.masses[one])
            leaving[rows] = left[:, 0] - self.energies[cluster]
        gains = -(joining + leaving[:, None])
        gains[np.arange(len(documents)), own] = -np.inf
        gains[self.sizes[own] == 1] = -np.inf
        return np.asarray(gains)

    def _rows(self, documents: Labels) -> Matrix:
        """Rows of X; one row by a slice, which is much the quicker way to it."""
        if len(documents) == 1:
            return self.problem.X[documents[0] : documents[0] + 1]
        return self.problem.X[documents]

    def _energies(self, clusters: Labels) -> Array:
        return self.distortion.cluster_energies(self.sums[clusters], self.masses[clusters])

    def _moments_of(self, document: int) -> tuple[Array, float]:
        one, alone = slice(document, document + 1), np.zeros(1, dtype=np.intp)
        sums, masses = moments(self.problem.X[one], alone, self.problem.weighty[one], 1)
        return sums[0], float(masses[0])
