"""The first-variation search of Dhillon, Guan and Kogan 2002.

On small collections a document weighs so much in its own centroid that the batch step
hardly ever moves it (Basu 2005, 4.5.1). Here a document is judged by what its move does
to the energy with both prototypes re-estimated. Whatever rests under these moves rests
under the batch step too, not the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.energies import may_improve, move_costs, optimum

__all__ = ["costs_of_joining", "first_variation"]

_BLOCK = 1 << 20  # entries of the gain table held at a time
_LITTLE = 0.1  # of what the first sweep over some documents promised


def first_variation(
    problem: Problem,
    distortion: Distortion,
    partition: Partition,
    negligible: float = 0.0,
) -> bool:
    """Move documents for as long as single moves lower the energy; whether any did.

    A sweep finds the moves that would lower it, each by itself, and makes them all at
    once; as together they may do less than they promise, the better half of them is made
    instead where they do not keep half of it, and so on down to the best one alone.
    Sweeps go over the few documents that a bound does not rule out; once these bring
    little, the bound is taken anew. It ends where all moves promise no more than what is
    negligible.
    """
    search = _MoveSearch(problem, distortion, partition, negligible)
    moved = False
    while search.settle(search.may_improve()):
        moved = True
    return moved


def costs_of_joining(
    problem: Problem, distortion: Distortion, partition: Partition, documents: Labels
) -> Array:
    """What each of these documents adds to the energy of each cluster, its own without it.

    Its cost at the prototypes flatters its own cluster, whose prototype it is a part of.
    """
    search = _MoveSearch(problem, distortion, partition, 0.0)
    return search.costs(documents, problem.X[documents])


@dataclass(frozen=True)
class _Moves:
    """Single moves of some documents, the best first, and what each takes off the energy."""

    documents: Labels
    targets: Labels
    gains: Array

    def __len__(self) -> int:
        return len(self.documents)

    def best(self, count: int) -> _Moves:
        return _Moves(self.documents[:count], self.targets[:count], self.gains[:count])


class _MoveSearch:
    """A partition with the energy of each of its clusters, and of its potentials."""

    def __init__(
        self,
        problem: Problem,
        distortion: Distortion,
        partition: Partition,
        negligible: float,
    ) -> None:
        self.problem, self.distortion = problem, distortion
        self.partition, self.negligible = partition, negligible
        self.block = max(1, _BLOCK // problem.k)  # documents looked at together
        self.own_costs = distortion.own_costs(problem.X)
        self._place = np.full(problem.X.shape[0], -1)  # of each document among the bound
        self._place[problem.constrained_rows] = np.arange(len(problem.constrained_rows))
        self.energies = self._energies()
        self.potentials = problem.potentials(partition.known_labels)
        self.noise = 1e-9 * float(np.abs(self.energies).max()) + 1e-12 * self.potentials

    def may_improve(self) -> Labels:
        """The free documents that a move may help, by a bound, and the bound ones that may move."""
        partition, problem = self.partition, self.problem
        if not partition.filled.all() or self._any_too_small():
            return np.flatnonzero(problem.effective_weights > 0)
        labels, masses = partition.known_labels, partition.moments.masses
        best = optimum(self.distortion, *partition.moments, problem.backend)
        margins = problem.backend.margins(best.form, labels)
        margins = margins._replace(costs=margins.costs + self.own_costs)
        weights = problem.effective_weights
        found = may_improve(self.distortion, margins, weights, labels, best, masses)
        found[problem.constrained_rows] = np.isfinite(problem.rises(labels)).sum(axis=1) > 1
        return np.flatnonzero((weights > 0) & found)

    def settle(self, documents: Labels) -> bool:
        """Sweep over these documents until their moves bring little; whether any was made."""
        few = len(documents) <= self.block
        rows = self.problem.X[documents] if few else None  # so many are fetched as they are needed
        moves = self._promising(documents, rows)
        first = gain = moves.gains.sum()
        moved = False
        while gain > max(self.negligible, _LITTLE * first) and self._make(moves):
            moved = True
            moves = self._promising(documents, rows)
            gain = moves.gains.sum()
        return moved

    def _promising(self, documents: Labels, rows: Matrix | None) -> _Moves:
        """The best move of every document that has one, in bounded memory."""
        targets = np.empty(len(documents), dtype=np.intp)
        gains, rises = np.empty(len(documents)), self.problem.rises(self.partition.known_labels)
        for begin in range(0, len(documents), self.block):
            part = slice(begin, begin + self.block)
            X = self.problem.X[documents[part]] if rows is None else rows
            table = self._gains(documents[part], X, rises)
            targets[part], gains[part] = table.argmax(axis=1), table.max(axis=1)
        order = np.argsort(-gains, kind="stable")
        order = order[gains[order] > self.noise]
        return _Moves(documents[order], targets[order], gains[order])

    def _make(self, moves: _Moves) -> bool:
        """Make as many of the moves, the best first, as keep half of what they promise."""
        before, filled = self.partition.known_labels, self.partition.filled
        while len(moves):
            labels = before.copy()
            labels[moves.documents] = moves.targets
            self.partition.reassign(labels)
            energies = self._energies()
            potentials = self.problem.potentials(labels)
            fall = float((self.energies - energies).sum()) + self.potentials - potentials
            kept = (self.partition.filled >= filled).all()  # no cluster has lost its last document
            if kept and fall > max(self.noise, moves.gains.sum()) / 2:
                self.energies, self.potentials = energies, potentials
                return True
            self.partition.reassign(before)
            moves = moves.best(len(moves) // 2)
        return False

    def _gains(self, documents: Labels, X: Matrix, rises: Array) -> Array:
        """What each move of each document would take off the energy."""
        every, source = np.arange(len(documents)), self.partition.known_labels[documents]
        costs = self.costs(documents, X)
        gains = costs[every, source, None] - costs
        if len(rises):
            place = self._place[documents]
            gains[place >= 0] -= rises[place[place >= 0]]
        if self.problem.sizes is not None:
            labels = self.partition.known_labels
            gains -= self.problem.sizes.rises(documents, labels, self.problem.k)
        gains[every, source] = -np.inf
        gains[self.partition.sizes[source] == 1] = -np.inf
        return np.asarray(gains)

    def costs(self, documents: Labels, X: Matrix) -> Array:
        """What each document adds to the energy of each cluster, its own without it."""
        weights, source = (
            self.problem.effective_weights[documents],
            self.partition.known_labels[documents],
        )
        moved = move_costs(self.distortion, X, weights, source, self.partition.filled_moments)
        costs = moved.joined - self.energies
        costs[np.arange(len(documents)), source] = self.energies[source] - moved.left
        return np.asarray(costs)

    def _any_too_small(self) -> bool:
        """Whether a move can lower what sizes cost; else moves can only raise it."""
        sizes, labels = self.problem.sizes, self.partition.known_labels
        return sizes is not None and bool(sizes.lacking(labels, self.problem.k).any())

    def _energies(self) -> Array:
        energies = optimum(self.distortion, *self.partition.moments).energies
        return np.where(self.partition.filled, energies, 0.0)
