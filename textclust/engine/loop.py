"""The loop of every method in which a document has one label; `alternation` is for memberships.

Assign every document to the cheapest cluster given the prototypes, move every
prototype to the best place given the labels, until nothing moves. Neither half-step
raises the energy. Where a problem has a learner, what it learns from the new clusters
is part of the second half-step. An annealed distortion cools by one stage an iteration, and only
then is there anything to learn; energies of different stages are not comparable, so the history
begins at the last one.

A search that is to stop ends between two iterations, of which there is one at least; an annealed
distortion cools to its last stage first.
"""

from __future__ import annotations

from itertools import count
from time import perf_counter

import numpy as np

from textclust.engine.alternation import rests
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem, Solution, Start, Step
from textclust.engine.refinement import first_variation
from textclust.geometry import Distortion
from textclust.geometry.affine import AffineForm, Array, Labels
from textclust.geometry.capabilities import cold, cooled, is_cold, label_costs, least_costs
from textclust.geometry.energies import optimum
from textclust.geometry.optimum import ClusterOptimum
from textclust.geometry.table import CostTable, Leaders
from textclust.progress import track
from textclust.stopping import due

__all__ = ["energy_of", "minimise"]

_FEW = 0.01  # of the documents: from here on single moves bring more
_ROUNDING = 1e-9  # far beyond that of double precision


def minimise(
    problem: Problem,
    start: Start,
    *,
    max_iter: int,
    tol: float,
    rng: np.random.Generator,
    refine: bool = False,
    roughly: bool = False,
    every_half_step: bool = False,
) -> Solution:
    """Descend from `start` to a local minimum of the energy.

    With `refine`, single documents are moved by their exact effect on the energy (the
    first variation) whenever few still move by alternation, until both are at rest. A
    descent that is to end `roughly` ends there. The energy of every half-step, not only
    of every other, costs one more look at what has moved.
    """
    partition = Partition.begin(problem, start)
    stage = _Stage(problem, problem.distortion)
    best = stage.best(partition)
    history: list[Step] = []
    converged = settled = False
    n_iter, iterations = 0, track(count(1), "iterating")
    while n_iter < max_iter and not converged:
        stopping = n_iter > 0 and due()
        if stopping and stage.is_cold:
            break
        if n_iter and not stage.is_cold:
            stage, history = stage.cooled(at_once=stopping), []
            partition.forget()
            best = stage.best(partition)
        n_iter = next(iterations)
        started = perf_counter()
        labels = stage.assign(partition, best, rng)
        assigned = stage.assigned_energy(partition, best, labels) if every_half_step else None
        labels, refilled = stage.refill(labels, best.form)
        moved = partition.reassign(labels)
        before, (stage, partition) = stage, stage.learned(partition)
        settled = moved == 0 and stage is before
        best = stage.best(partition)
        energy, seconds = stage.energy(partition, best), perf_counter() - started
        history.append(Step(energy, moved, refilled, seconds, assigned))
        resting = rests(history, tol)
        learning = stage is not before and not resting
        nearly = (refine or roughly) and moved < _FEW * len(labels)
        if stage.is_cold and not learning and (settled or nearly or resting):
            varied = refine and first_variation(
                stage.problem, stage.distortion, partition, negligible=tol * abs(energy)
            )
            converged = not varied
            if varied:
                settled, best = False, stage.best(partition)
    if not settled:
        labels = stage.assign(partition, best, rng)
        energy = stage.assigned_energy(partition, best, labels)
    sums, masses = partition.moments  # no more needed as such
    return Solution(
        labels=labels,
        prototypes=stage.distortion.prototypes(sums, masses, out=sums),
        distortion=stage.distortion,
        energy=energy,
        converged=converged,
        n_iter=n_iter,
        history=tuple(history),
        nearest=partition.assignment,
        by_nearest=problem.sizes is None,
        sizes=problem.sizes,
    )


def energy_of(problem: Problem, solution: Solution) -> float:
    """E of the labels of a solution at its prototypes, under the weights and V of a problem."""
    distortion, every = solution.distortion, np.arange(len(solution.labels))
    form = distortion.affine(solution.prototypes)
    cost = problem.backend.costs_at(form, every, solution.labels) + distortion.own_costs(problem.X)
    return _dot(problem.effective_weights, cost) + problem.potentials(solution.labels)


class _Stage:
    """The half-steps at one fixed distortion."""

    def __init__(self, problem: Problem, distortion: Distortion) -> None:
        self.problem, self.distortion, self.backend = problem, distortion, problem.backend
        at_first = distortion is problem.distortion
        self.own_costs = problem.own_costs if at_first else distortion.own_costs(problem.X)

    @property
    def is_cold(self) -> bool:
        """True where the distortion anneals no further."""
        return is_cold(self.distortion)

    def cooled(self, *, at_once: bool) -> _Stage:
        """The next stage of an annealed distortion, or its last."""
        return _Stage(self.problem, (cold if at_once else cooled)(self.distortion))

    def learned(self, partition: Partition) -> tuple[_Stage, Partition]:
        """The stage with what the problem's learner makes of these clusters, and them in it."""
        if self.problem.learner is None or not self.is_cold:
            return self, partition
        here = self.problem.learned(self.distortion, self.problem.interaction)
        problem = self.problem.learner.learn(here, partition)
        if problem is here:
            return self, partition
        return _Stage(problem, problem.distortion), partition.under(problem)

    def best(self, partition: Partition) -> ClusterOptimum:
        """M-step: the best prototypes of the partition's clusters, as an affine form."""
        return optimum(self.distortion, *partition.moments, self.backend)

    def energy(self, partition: Partition, best: ClusterOptimum) -> float:
        """E of the partition at its best prototypes."""
        return self._distortions(partition, best) + self.problem.potentials(partition.known_labels)

    def assign(
        self, partition: Partition, best: ClusterOptimum, rng: np.random.Generator
    ) -> Labels:
        """E-step: one pass for all documents, then those that bear potentials."""
        problem, before = self.problem, partition.labels
        nearest = partition.nearest(best.form)
        labels = nearest.labels.copy()
        if problem.unary is not None:
            rows = problem.unary.documents
            labels[rows] = self._table(rows, best.form).cheapest()
        if problem.interaction is not None:
            rows = problem.interaction.documents
            leads = nearest.leads(rows) - _ROUNDING * np.abs(self.own_costs[rows])
            costs = self._table(rows, best.form).led_by(Leaders(labels[rows], leads))
            costs = costs.weighted(problem.effective_weights[rows])
            previous = labels if before is None else before
            labels[rows] = problem.interaction.infer(costs, previous[rows], rng)
        return labels if problem.sizes is None else self._of_size(partition, best, labels)

    def assigned_energy(self, partition: Partition, best: ClusterOptimum, labels: Labels) -> float:
        """E of these labels at the best prototypes of the partition."""
        weights, before = self.problem.effective_weights, partition.labels
        if before is None:
            every = np.arange(len(labels))
            cost = self.backend.costs_at(best.form, every, labels) + self.own_costs
            return _dot(weights, cost) + self.problem.potentials(labels)
        moved = np.flatnonzero(labels != before)
        here, there = (
            self.backend.costs_at(best.form, moved, each[moved]) for each in (before, labels)
        )
        risen = self._distortions(partition, best) + _dot(weights[moved], there - here)
        return risen + self.problem.potentials(labels)

    def _of_size(self, partition: Partition, best: ClusterOptimum, labels: Labels) -> Labels:
        """The labels, after clusters that are too small have been given documents.

        Linked documents stay where inference has put them, or where they were before, whichever
        leads to less energy: what others then cost is not for inference to know. There is no
        more energy than before.
        """
        problem, before = self.problem, partition.labels
        assert problem.sizes is not None
        if not problem.sizes.lacking(labels, problem.k).any():
            return labels
        linked = labels[:0] if problem.interaction is None else problem.interaction.documents
        rows = np.setdiff1d(np.flatnonzero(problem.effective_weights > 0), linked)
        weights = problem.effective_weights[rows]
        costs = self._table(rows, best.form).weighted(weights).exactly()
        ways = [problem.sizes.filled(labels, rows, costs)]
        if before is not None:
            if (labels[linked] != before[linked]).any():
                stayed = labels.copy()
                stayed[linked] = before[linked]
                ways.append(problem.sizes.filled(stayed, rows, costs))
            ways.append(before)
        return min(ways, key=lambda way: self.assigned_energy(partition, best, way))

    def refill(self, labels: Labels, form: AffineForm) -> tuple[Labels, int]:
        """Give each empty cluster the document whose leaving takes most off the energy."""
        problem = self.problem
        members = np.bincount(labels[problem.effective_weights > 0], minlength=problem.k)
        empty = np.flatnonzero(members == 0)
        if len(empty) == 0:
            return labels, 0
        labels = labels.copy()
        cost = self.backend.costs_at(form, np.arange(len(labels)), labels) + self.own_costs
        cost -= least_costs(self.distortion, labels)
        noise = 1e-12 * float(max(np.abs(self.own_costs).max(), np.abs(form.offsets).max()))
        movable = (cost > noise) & (members[labels] > 1)
        loss = np.where(movable, problem.effective_weights * cost, 0.0)
        fall, bound = loss.copy(), problem.constrained_rows
        there = label_costs(self.distortion, problem.X, empty)
        for filled, cluster in enumerate(empty):
            rises = problem.rises(labels)[:, cluster]
            if there is not None:
                fall = np.where(loss > 0, loss - problem.effective_weights * there[:, filled], 0.0)
                rises = rises + loss[bound] - fall[bound]
            fall[bound] = np.where(loss[bound] > 0, loss[bound] - rises, 0.0)
            worst = int(fall.argmax())
            if fall[worst] <= 0:
                return labels, filled
            source, labels[worst] = labels[worst], cluster
            members[source] -= 1
            staying = (labels == source) if members[source] == 1 else worst
            loss[staying] = loss[worst] = fall[staying] = fall[worst] = 0.0
        return labels, len(empty)

    def _distortions(self, partition: Partition, best: ClusterOptimum) -> float:
        """D of the partition at its best prototypes."""
        own = _dot(self.problem.effective_weights, self.own_costs)
        return own + float(best.energies[partition.filled].sum())

    def _table(self, rows: Labels, form: AffineForm) -> CostTable:
        """D + U of some documents in every cluster."""
        table, unary = self.backend.table(form, rows), self.problem.unary
        table = table.adding(self.own_costs[rows, None])
        if unary is None:
            return table
        extra, known = np.zeros(table.shape), np.isin(rows, unary.documents)
        extra[known] = unary.costs[unary.documents.searchsorted(rows[known])]
        return table.adding(extra)


def _dot(weights: Array, values: Array) -> float:
    """A sum in which a forbidden cost of a document without weight counts nothing."""
    return float(np.sum(weights * np.where(weights == 0, 0.0, values)))
