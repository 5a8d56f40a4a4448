"""The loop: the only place that alternates.

Assign every document to the cheapest cluster given the prototypes, move every
prototype to the best place given the labels, until nothing moves. Neither half-step
raises the energy. An annealed distortion cools by one stage an iteration; energies
of different stages are not comparable, so the history begins at the last one.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from textclust.geometry import Distortion
from textclust.geometry.affine import AffineForm, Array, Labels, costs, moments, nearest
from textclust.methods.problem import Problem, Solution, Start, Step
from textclust.methods.variation import first_variation

__all__ = ["minimise"]


def minimise(
    problem: Problem,
    start: Start,
    *,
    max_iter: int,
    tol: float,
    rng: np.random.Generator,
    refine: bool = False,
) -> Solution:
    """Descend from `start` to a local minimum of the energy.

    With `refine`, single documents are moved by their exact effect on the energy (the
    first variation) whenever the alternation rests, until both are at rest.
    """
    stage = _Stage(problem, problem.distortion)
    labels, prototypes = start.labels, start.prototypes
    if prototypes is None:
        assert labels is not None
        prototypes = stage.update(labels, None).prototypes
    history: list[Step] = []
    converged = False
    n_iter = 0
    while n_iter < max_iter and not converged:
        if n_iter and not stage.is_cold:
            stage, history = _Stage(problem, stage.distortion.cooled()), []
        n_iter += 1
        begun = perf_counter()
        assignment = stage.assign(prototypes, labels, rng)
        new_labels, refilled = stage.refill(assignment)
        moved = len(new_labels) if labels is None else int((new_labels != labels).sum())
        labels = new_labels
        update = stage.update(labels, prototypes)
        prototypes = update.prototypes
        seconds = perf_counter() - begun
        history.append(Step(assignment.energy, update.energy, moved, refilled, seconds))
        if stage.is_cold and (moved == 0 or _rests(history, tol)):
            varied = first_variation(problem, stage.distortion, labels) if refine else labels
            converged = bool(np.array_equal(varied, labels))
            if not converged:
                labels = varied
                prototypes = stage.update(labels, prototypes).prototypes
    final = stage.assign(prototypes, labels, rng)
    return Solution(
        labels=final.labels,
        prototypes=prototypes,
        distortion=stage.distortion,
        energy=final.energy,
        converged=converged,
        n_iter=n_iter,
        history=tuple(history),
    )


def _rests(history: list[Step], tol: float) -> bool:
    if len(history) < 2:
        return False
    before, now = history[-2].updated, history[-1].updated
    return before - now <= tol * abs(before)


@dataclass(frozen=True)
class _Assignment:
    labels: Labels
    costs: Array  # of each document in its cluster, own cost included
    energy: float


@dataclass(frozen=True)
class _Update:
    prototypes: Array
    energy: float


class _Stage:
    """The half-steps at one fixed distortion."""

    def __init__(self, problem: Problem, distortion: Distortion) -> None:
        self.problem, self.distortion = problem, distortion
        self.own_costs = distortion.own_costs(problem.X)

    @property
    def is_cold(self) -> bool:
        """True where the distortion anneals no further."""
        return self.distortion.cooled() == self.distortion

    def assign(
        self, prototypes: Array, previous: Labels | None, rng: np.random.Generator
    ) -> _Assignment:
        """E-step: one pass for all documents, then inference for those that interact."""
        problem, form = self.problem, self.distortion.affine(prototypes)
        found = nearest(problem.X, form, problem.unary)
        labels, cost = found.labels, found.cost + self.own_costs
        energy = 0.0
        if problem.interaction is not None:
            rows = problem.interaction.documents
            table = self._table(rows, form)
            weighted = problem.weighty[rows, None] * table
            before = labels[rows] if previous is None else previous[rows]
            labels[rows] = problem.interaction.infer(weighted, before, rng)
            cost[rows] = table[np.arange(len(rows)), labels[rows]]
            energy = problem.interaction.energy(labels[rows])
        return _Assignment(labels, cost, energy + _dot(problem.weighty, cost))

    def update(self, labels: Labels, previous: Array | None) -> _Update:
        """M-step: the best prototypes; an empty cluster keeps the one it had."""
        problem = self.problem
        sums, masses = moments(problem.X, labels, problem.weighty, problem.k)
        prototypes = self.distortion.prototypes(sums, masses)
        if previous is not None:
            prototypes[masses == 0] = previous[masses == 0]
        form = self.distortion.affine(prototypes)
        energy = _dot(problem.weighty, self.own_costs) + self._potentials(labels)
        energy += _dot(masses, form.offsets) - float((sums * form.slopes).sum())
        return _Update(prototypes, energy)

    def refill(self, assignment: _Assignment) -> tuple[Labels, int]:
        """Give each empty cluster the free document that fits its own cluster worst."""
        labels, problem = assignment.labels.copy(), self.problem
        members = np.bincount(labels[problem.weighty > 0], minlength=problem.k)
        empty = np.flatnonzero(members == 0)
        if len(empty) == 0:
            return labels, 0
        loss = np.where(problem.free, problem.weighty * assignment.costs, 0.0)
        noise = 1e-12 * float(np.abs(self.own_costs).max(initial=0.0))
        filled = 0
        for document in np.argsort(-loss, kind="stable"):
            if filled == len(empty) or assignment.costs[document] <= noise:
                break
            if members[labels[document]] > 1:
                members[labels[document]] -= 1
                labels[document] = empty[filled]
                filled += 1
        return labels, filled

    def _potentials(self, labels: Labels) -> float:
        """U + V of these labels."""
        unary, interaction, energy = self.problem.unary, self.problem.interaction, 0.0
        if unary is not None:
            rows = unary.documents
            chosen = unary.costs[np.arange(len(rows)), labels[rows]]
            energy += _dot(self.problem.weighty[rows], chosen)
        if interaction is not None:
            energy += interaction.energy(labels[interaction.documents])
        return energy

    def _table(self, rows: Labels, form: AffineForm) -> Array:
        """D + U of some documents in every cluster."""
        table = costs(self.problem.X[rows], form) + self.own_costs[rows, None]
        unary = self.problem.unary
        if unary is not None:
            _, here, there = np.intersect1d(rows, unary.documents, return_indices=True)
            table[here] += unary.costs[there]
        return table


def _dot(weights: Array, values: Array) -> float:
    """A sum in which a forbidden cost of a document without weight counts nothing."""
    return float(np.sum(weights * np.where(weights == 0, 0.0, values)))
