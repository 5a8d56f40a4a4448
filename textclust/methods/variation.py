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
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.methods.partition import Partition
from textclust.methods.problem import Problem
from textclust.progress import track

__all__ = ["first_variation"]

_BLOCK = 1 << 20  # entries of the gain table held at a time


def first_variation(problem: Problem, distortion: Distortion, partition: Partition) -> bool:
    """Move free documents singly for as long as the energy falls; whether any moved.

    Each sweep finds the best move of every document at once, then makes the promising
    ones in turn, the best first, as long as they still lower the energy.
    """
    search = _Search(problem, distortion, partition)
    noise = 1e-9 * float(np.abs(search.energies).max())
    moved = False
    while True:
        moves = search.best_moves()
        promising = np.flatnonzero(moves.gains > noise)
        order = promising[np.argsort(-moves.gains[promising], kind="stable")]
        made = [
            search.move(moves.documents[i], moves.targets[i], noise)
            for i in track(order, "moving single documents", len(order))
        ]
        if not any(made):
            return moved
        moved = True


@dataclass(frozen=True)
class _Moves:
    """The best single move of some documents, and what it takes off the energy."""

    documents: Labels
    targets: Labels
    gains: Array


class _Search:
    """A partition with the energy of each of its clusters."""

    def __init__(self, problem: Problem, distortion: Distortion, partition: Partition) -> None:
        self.problem, self.distortion = problem, distortion
        self.partition = partition
        self.energies = distortion.best(*partition.moments).energies

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

    def move(self, document: int, target: int, noise: float) -> bool:
        """Move a document if that lowers the energy now."""
        source = self.partition.known_labels[document]
        if source == target or self.partition.sizes[source] == 1:
            return False
        row = self.problem.X[document : document + 1]
        weight = self.problem.weighty[document : document + 1]
        joining = self._changes(row, weight, slice(target, target + 1))[0, 0]
        leaving = self._changes(row, -weight, slice(source, source + 1))[0, 0]
        if joining + leaving >= -noise:
            return False
        self.partition.move(document, target)
        self.energies[source] += leaving
        self.energies[target] += joining
        return True

    def _gains(self, documents: Labels) -> Array:
        """What each move of each document would take off the energy."""
        X, weights = self.problem.X[documents], self.problem.weighty[documents]
        source = self.partition.known_labels[documents]
        leaving = np.empty(len(documents))
        for cluster in np.unique(source):
            rows = np.flatnonzero(source == cluster)
            left = self._changes(X[rows], -weights[rows], slice(cluster, cluster + 1))
            leaving[rows] = left[:, 0]
        gains = -(self._changes(X, weights, slice(None)) + leaving[:, None])
        gains[np.arange(len(documents)), source] = -np.inf
        gains[:, ~self.partition.filled] = -np.inf
        gains[self.partition.sizes[source] == 1] = -np.inf
        return np.asarray(gains)

    def _changes(self, X: Matrix, weights: Array, clusters: slice) -> Array:
        """How the energies of some clusters change with each row; a weight below zero leaves."""
        sums, masses = self.partition.moments
        after = self.distortion.joined(X, weights, sums[clusters], masses[clusters])
        return after - self.energies[clusters]
