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
from textclust.progress import track

__all__ = ["first_variation"]

_BLOCK = 1 << 20  # entries of the gain table held at a time


def first_variation(problem: Problem, distortion: Distortion, labels: Labels) -> Labels:
    """The labels after moving free documents singly for as long as the energy falls.

    Each sweep finds the best move of every document at once, then makes the promising
    ones in turn, the best first, as long as they still lower the energy.
    """
    partition = _Partition(problem, distortion, labels)
    noise = 1e-9 * float(np.abs(partition.energies).max())
    while True:
        moves = partition.best_moves()
        promising = np.flatnonzero(moves.gains > noise)
        order = promising[np.argsort(-moves.gains[promising], kind="stable")]
        before = partition.labels.copy()
        for i in track(order, "moving single documents", len(order)):
            partition.move(moves.documents[i], moves.targets[i], noise)
        if np.array_equal(before, partition.labels):
            return partition.labels


@dataclass(frozen=True)
class _Moves:
    """The best single move of some documents, and what it takes off the energy."""

    documents: Labels
    targets: Labels
    gains: Array


class _Partition:
    """Labels with the sums, masses and energies of their clusters kept up to date."""

    def __init__(self, problem: Problem, distortion: Distortion, labels: Labels) -> None:
        self.problem, self.distortion, self.labels = problem, distortion, labels.copy()
        weights = problem.weighty
        self.sums, self.masses = moments(problem.X, labels, weights, problem.k)
        self.sizes = np.bincount(labels[weights > 0], minlength=problem.k)
        self.energies = distortion.cluster_energies(self.sums, self.masses)

    def best_moves(self) -> _Moves:
        """The best move of every free document, in bounded memory."""
        documents = np.flatnonzero(self.problem.free)
        targets = np.empty(len(documents), dtype=np.intp)
        gains = np.empty(len(documents))
        step = max(1, _BLOCK // self.problem.k)
        for begin in range(0, len(documents), step):
            part = slice(begin, begin + step)
            table = self._gains(documents[part])
            targets[part], gains[part] = table.argmax(axis=1), table.max(axis=1)
        return _Moves(documents, targets, gains)

    def move(self, document: int, target: int, noise: float) -> None:
        """Move a document if that lowers the energy now."""
        source = self.labels[document]
        if source == target or self.sizes[source] == 1:
            return
        row = self.problem.X[document : document + 1]
        weight = self.problem.weighty[document : document + 1]
        joining = self._changes(row, weight, slice(target, target + 1))[0, 0]
        leaving = self._changes(row, -weight, slice(source, source + 1))[0, 0]
        if joining + leaving >= -noise:
            return
        sums, masses = moments(row, np.zeros(1, dtype=np.intp), weight, 1)
        for cluster, sign, change in ((source, -1, leaving), (target, 1, joining)):
            self.sums[cluster] += sign * sums[0]
            self.masses[cluster] += sign * masses[0]
            self.sizes[cluster] += sign
            self.energies[cluster] += change
        self.labels[document] = target

    def _gains(self, documents: Labels) -> Array:
        """What each move of each document would take off the energy."""
        X, weights = self.problem.X[documents], self.problem.weighty[documents]
        source = self.labels[documents]
        leaving = np.empty(len(documents))
        for cluster in np.unique(source):
            rows = np.flatnonzero(source == cluster)
            left = self._changes(X[rows], -weights[rows], slice(cluster, cluster + 1))
            leaving[rows] = left[:, 0]
        gains = -(self._changes(X, weights, slice(None)) + leaving[:, None])
        gains[np.arange(len(documents)), source] = -np.inf
        gains[self.sizes[source] == 1] = -np.inf
        return np.asarray(gains)

    def _changes(self, X: Matrix, weights: Array, clusters: slice) -> Array:
        """How the energies of some clusters change with each row; a weight below zero leaves."""
        after = self.distortion.joined(X, weights, self.sums[clusters], self.masses[clusters])
        return after - self.energies[clusters]
