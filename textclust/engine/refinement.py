"""The first-variation search of Dhillon, Guan and Kogan 2002.

On small collections a document weighs so much in its own centroid that the batch step
hardly ever moves it (Basu 2005, 4.5.1). Here a document is judged by what its move does
to the energy with both prototypes re-estimated. Whatever rests under these moves rests
under the batch step too, not the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels
from textclust.geometry.assignment import Assignment, Clusters, Movable, SingleMoves
from textclust.geometry.energies import images, joining_costs, optimum, squared_lengths
from textclust.geometry.optimum import joining_costs_by_products
from textclust.progress import track
from textclust.stopping import due

__all__ = ["costs_of_joining", "first_variation"]

_BLOCK = 1 << 20  # entries of the gain table held at a time
_LITTLE = 0.1  # of what the first moves of some documents promised


def first_variation(
    problem: Problem,
    distortion: Distortion,
    partition: Partition,
    negligible: float = 0.0,
) -> bool:
    """Move documents for as long as single moves lower the energy; False where none does.

    A sweep finds the documents of which a move would lower it by itself. Those that no potential
    bears on are moved one after the other, the best first, if that still lowers it when it is
    their turn. The others are moved all at once; as together their moves may do less than they
    promise, the better half of them is made instead where they do not keep half of it, and so on
    down to the best one alone. Both are repeated with the same documents until that brings little.
    It ends where all moves promise no more than what is negligible; or where the search is to
    stop, and nobody knows whether there would be more.
    """
    if due():
        return True
    search = _MoveSearch(problem, distortion, partition, negligible)
    for sweep in track(count(), "moving single documents"):
        if not search.sweep():
            return sweep > 0
        if due():
            break
    return True


def costs_of_joining(
    problem: Problem, distortion: Distortion, partition: Partition, documents: Labels
) -> Array:
    """What each of some ascending documents adds to the energy of each cluster.

    Its own is without it: the cost at the prototypes flatters it, whose prototype it is a part of.
    """
    return _MoveSearch(problem, distortion, partition, 0.0).costs(documents)


@dataclass(frozen=True)
class _Moves:
    """Single moves of some documents, and what each takes off the energy."""

    documents: Labels
    targets: Labels
    gains: Array

    def __len__(self) -> int:
        return len(self.documents)

    def of(self, places: Labels) -> _Moves:
        return _Moves(self.documents[places], self.targets[places], self.gains[places])


class _MoveSearch:
    """A partition with the energy of each of its clusters, and of its potentials."""

    def __init__(
        self, problem: Problem, distortion: Distortion, partition: Partition, negligible: float
    ) -> None:
        self.problem, self.distortion = problem, distortion
        self.partition, self.negligible = partition, negligible
        self.squares = squared_lengths(distortion, problem.X)
        self._last: SingleMoves | Assignment | None = partition.assignment  # or the last sweep,
        self._changed = np.ones(problem.k, dtype=bool)  # and the clusters that moved since
        self._evaluate()
        self.noise = 1e-9 * float(np.abs(self.energies).max()) + 1e-12 * self.potentials

    def sweep(self) -> bool:
        """Look at all documents, and make the moves that lower the energy; whether any did."""
        rises = self.problem.rises(self.partition.known_labels)
        found = self._found(rises)
        in_turn = self._in_turn(found.rows)
        together = found.rows[~in_turn]
        at_once = self._exact_moves(together, rises)
        promised = float(found.gains[in_turn].sum())
        if promised + at_once.gains.sum() <= self.negligible:
            return False
        made = self._settle_in_turn(found.rows[in_turn], found.of(in_turn))
        return self._settle_at_once(together, at_once) or made

    def _settle_at_once(self, documents: Labels, moves: _Moves) -> bool:
        """Move these documents all at once until that brings little; whether any moved."""
        moved, enough = False, max(self.negligible, _LITTLE * float(moves.gains.sum()))
        while self._make_at_once(moves):
            moved = True
            rises = self.problem.rises(self.partition.known_labels)
            moves = self._exact_moves(documents, rises)
            if moves.gains.sum() <= enough or due():
                break
        return moved

    def _settle_in_turn(self, documents: Labels, found: SingleMoves) -> bool:
        """Move these documents one after the other until that brings little; whether any moved."""
        problem, partition, moved = self.problem, self.partition, False
        if len(documents) == 0:
            return False
        enough = max(self.negligible, _LITTLE * float(found.gains.sum()))
        backend = problem.backend.of(documents)
        added = images(self.distortion, problem.X, documents)
        weights, squares = problem.effective_weights[documents], self.squares[documents]
        least = np.full(len(documents), self.noise)
        while found.gains.sum() > enough:
            before, energy = partition.known_labels[documents], self.energies.sum()
            rows = Movable(before.copy(), weights, squares, least)
            order = np.lexsort((found.rows, -found.gains))
            moves = SingleMoves(found.rows[order], found.targets[order], found.gains[order])
            in_place = added is None and not problem.sparse
            clusters = self._clusters(in_place)
            if backend.move_in_turn(moves, rows, clusters, self.noise, added) == 0.0:
                return moved
            moved, changed = True, self._mark(before, rows.labels)
            labels = partition.known_labels.copy()
            labels[documents] = rows.labels
            if in_place:
                partition.adopt(labels)
            else:
                partition.reassign(labels)
            self._evaluate()
            if not self.energies.sum() < energy:  # what they promised was rounding
                return False
            if due():
                break
            found = backend.single_moves(self.best, rows, found, changed)
        return moved

    def _clusters(self, in_place: bool) -> Clusters:
        """What moves change: the sums of the partition in place, or else a copy of the slopes.

        Sums in CSR are those of the partition, and stay as they are.
        """
        growth, partition, problem = self.best.growth, self.partition, self.problem
        assert growth is not None
        growth = growth._replace(squares=growth.squares.copy(), masses=growth.masses.copy())
        sums = partition.moments.sums
        if not in_place and not problem.sparse:
            sums = self.best.form.slopes.copy(order="F")
        floor = 0.0 if problem.sizes is None else problem.sizes.min_size
        return Clusters(sums, growth, partition.sizes.copy(), floor)

    def _mark(self, before: Labels, after: Labels) -> Array:
        """The clusters that documents have left or joined, noted for the next sweep."""
        moved = before != after
        changed = np.zeros(self.problem.k, dtype=bool)
        changed[before[moved]] = changed[after[moved]] = True
        self._changed |= changed
        return changed

    def _exact_moves(self, documents: Labels, rises: Array) -> _Moves:
        """The best moves of documents that potentials bear on, the best first."""
        targets = np.empty(len(documents), dtype=np.intp)
        gains, block = np.empty(len(documents)), max(1, _BLOCK // self.problem.k)
        for begin in range(0, len(documents), block):
            part = slice(begin, begin + block)
            table = self._gains(documents[part], rises)
            targets[part], gains[part] = table.argmax(axis=1), table.max(axis=1)
        order = np.argsort(-gains, kind="stable")
        return _Moves(documents, targets, gains).of(order[gains[order] > self.noise])

    def _make_at_once(self, moves: _Moves) -> bool:
        """Make as many of the moves, the best first, as keep half of what they promise."""
        if len(moves) == 0:
            return False
        before, filled = self.partition.known_labels, self.partition.filled
        energies, potentials = self.energies, self.potentials
        while len(moves):
            labels = before.copy()
            labels[moves.documents] = moves.targets
            self.partition.reassign(labels)
            self._evaluate()
            fall = float((energies - self.energies).sum()) + potentials - self.potentials
            kept = (self.partition.filled >= filled).all()  # no cluster has lost its last document
            if kept and fall > max(self.noise, moves.gains.sum()) / 2:
                self._mark(before, labels)
                return True
            self.partition.reassign(before)
            moves = moves.of(np.arange(len(moves) // 2))
        self._evaluate()
        return False

    def costs(self, documents: Labels) -> Array:
        """What each of some ascending documents adds to the energy of each cluster.

        Its own is without it.
        """
        problem, labels = self.problem, self.partition.known_labels[documents]
        weights = problem.effective_weights[documents]
        if self.best.growth is None or not self.partition.filled.all():
            X, moments = problem.X[documents], self.partition.filled_moments
            return joining_costs(self.distortion, X, weights, labels, moments)
        products = -problem.backend.table(self.best.products, documents).exactly()
        squares = self.squares[documents]
        return joining_costs_by_products(self.best, products, labels, weights, squares)

    def _in_turn(self, documents: Labels) -> Array:
        """Which of these documents can move one after the other.

        No potential bears on them, nor a bound on the size of their cluster, and its slopes are
        sums, so that it is known what it gains with every move.
        """
        problem, partition, growth = self.problem, self.partition, self.best.growth
        if growth is None or not growth.adds_up or not partition.filled.all():
            return np.zeros(len(documents), dtype=bool)
        in_turn = problem.unconstrained_rows[documents]
        if problem.sizes is not None:
            left = partition.moments.masses[partition.known_labels[documents]]
            in_turn &= left - problem.effective_weights[documents] >= problem.sizes.min_size
            in_turn &= not self._any_too_small()
        return np.asarray(in_turn)

    def _found(self, rises: Array) -> SingleMoves:
        """Documents of which a move may lower the energy by more than noise.

        The moves and their gains are those of documents that no potential bears on.
        """
        problem, partition = self.problem, self.partition
        weights, labels = problem.effective_weights, partition.known_labels
        if self.best.growth is None or not partition.filled.all() or self._any_too_small():
            every = np.flatnonzero(weights > 0)
            return SingleMoves(every, np.zeros_like(every), np.zeros(len(every)))
        least = np.where(partition.sizes[labels] == 1, np.inf, self.noise)
        if len(rises):
            bound = problem.constrained_rows
            elsewhere = rises.copy()
            elsewhere[np.arange(len(bound)), labels[bound]] = np.inf
            least[bound] += elsewhere.min(axis=1)
        rows = Movable(labels, weights, self.squares, least)
        found = problem.backend.single_moves(self.best, rows, self._last, self._changed)
        self._last, self._changed = found, np.zeros_like(self._changed)
        return found

    def _gains(self, documents: Labels, rises: Array) -> Array:
        """What each move of each document would take off the energy."""
        every, source = np.arange(len(documents)), self.partition.known_labels[documents]
        costs = self.costs(documents)
        gains = costs[every, source, None] - costs
        if len(rises):
            bound = self.problem.constrained_rows
            here = np.isin(documents, bound)
            gains[here] -= rises[bound.searchsorted(documents[here])]
        if self.problem.sizes is not None:
            labels = self.partition.known_labels
            gains -= self.problem.sizes.rises(documents, labels, self.problem.k)
        gains[every, source] = -np.inf
        gains[self.partition.sizes[source] == 1] = -np.inf
        return np.asarray(gains)

    def _any_too_small(self) -> bool:
        """Whether a move can lower what sizes cost; else moves can only raise it."""
        sizes, labels = self.problem.sizes, self.partition.known_labels
        return sizes is not None and bool(sizes.lacking(labels, self.problem.k).any())

    def _evaluate(self) -> None:
        """The best prototypes of the clusters, what they cost there, and the potentials."""
        partition = self.partition
        self.best = optimum(self.distortion, *partition.moments, self.problem.backend)
        self.energies = np.where(partition.filled, self.best.energies, 0.0)
        self.potentials = self.problem.potentials(partition.known_labels)
