"""Memberships instead of labels: SemiFuzzy (Gao et al. 2005, 3.2).

    Q = sum_i sum_j t_ij^2 D(x_i, mu_j)  +  R sum_{i known} sum_j w_j (t_ij - f_ij)^2

with the memberships t of each document summing to one. Without a background it is fuzzy
c-means with m = 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter

import numpy as np

from textclust.engine.alternation import alternate
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import tried
from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.affine import costs as all_costs
from textclust.geometry.capabilities import cold
from textclust.geometry.euclidean import Euclidean
from textclust.methods.kmeans import generator
from textclust.methods.semihard import (
    SemiHardSolver,
    confident_start,
    with_background_outcome,
)
from textclust.stopping import half_of_the_time
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.background.predicted_labels import PredictedLabels

__all__ = ["SemiFuzzySolver", "fuzzy_energy", "memberships"]

_NEAR = 1e-12  # of the mean distortion: as near to a prototype as makes no difference


@dataclass(repr=False, eq=False)
class SemiFuzzySolver(SemiHardSolver):
    """Each new document in every cluster to some degree."""

    def _problem(self, X: Matrix, weights: Array | None = None) -> Problem:
        problem = super()._problem(X, weights)
        return replace(problem, distortion=cold(problem.distortion))

    def _unguided(self, problem: Problem) -> Solution:
        starts = self._starts(problem, generator(self.random_state))
        return _largest_first(self._lowest_of(problem, starts, Pull.none(problem)))

    def _guided(self, problem: Problem, placed: PlacedBackground) -> Solution:
        default = "nearest" if isinstance(problem.distortion, Euclidean) else "naive-bayes"
        labeller = default if self.labeller is None else self.labeller
        predicted, w = self._predicted(labeller, problem, placed)
        rng = generator(self.random_state)
        if not isinstance(self.init, str):
            starts = self._starts(problem, rng)
        elif self.init in ("auto", "confident"):
            starts = iter([confident_start(problem, predicted, rng)])
        else:
            starts = iter([self._named_start(problem, predicted)])
        if isinstance(self.init, str) and self.init == "auto":
            with half_of_the_time():
                found = self._hard().solve_beside(placed, problem.weights)
            starts = chain([Start(labels=found.labels)], starts)
        pull = Pull.of(problem, predicted, self._price(problem) * w)
        found = self._lowest_of(problem, starts, pull)
        return with_background_outcome(found, placed, predicted, w)

    def _hard(self) -> SemiHardSolver:
        """The same without memberships, the old documents taking part themselves."""
        given = {**self.parameters(), "labeller": None, "R": "auto"}
        return SemiHardSolver(**given)

    def _lowest_of(self, problem: Problem, starts: Iterator[Start], pull: Pull) -> Solution:
        found = (self._fuzzily(problem, start, pull) for start in tried(starts))
        return min(found, key=attrgetter("energy"))

    def _fuzzily(self, problem: Problem, start: Start, pull: Pull) -> Solution:
        """Alternate memberships and prototypes from a start until the energy rests."""

        def iterate(prototypes: Array) -> tuple[Array, float, int]:
            t = memberships(_costs(problem, prototypes), pull)
            prototypes = _moved(problem, t)
            return prototypes, fuzzy_energy(problem, _costs(problem, prototypes), t, pull), 0

        initial = _prototypes(problem, start)
        descent = alternate(initial, iterate, max_iter=self.max_iter, tol=self.tol)
        costs = _costs(problem, descent.state)
        t = memberships(costs, pull)
        return Solution(
            labels=np.asarray(t.argmax(axis=1), dtype=np.intp),
            prototypes=descent.state,
            distortion=problem.distortion,
            energy=fuzzy_energy(problem, costs, t, pull),
            converged=descent.converged,
            n_iter=len(descent.history),
            history=descent.history,
            memberships=t,
        )


@dataclass(frozen=True)
class Pull:
    """R w_j and f_ij: what the background pulls each document by, and where to."""

    strengths: Array  # n x k, zero for a document that is not known
    targets: Array  # n x k

    @classmethod
    def none(cls, problem: Problem) -> Pull:
        """Nothing is known."""
        nothing = np.broadcast_to(0.0, (problem.X.shape[0], problem.k))
        return cls(nothing, nothing)

    @classmethod
    def of(cls, problem: Problem, predicted: PredictedLabels, prices: Array) -> Pull:
        """Every document that is known, at these prices; a new cluster is no one's class."""
        q = predicted.confidences.shape[1]
        strengths = np.where(predicted.confident[:, None], prices, 0.0)
        strengths[:, q:] = 0.0
        targets = np.zeros(strengths.shape)
        targets[:, :q] = predicted.confidences
        return cls(strengths, targets)


def memberships(costs: Array, pull: Pull) -> Array:
    """E-step: the t that minimise Q and sum to one in each row (eq. 3.9).

    t_ij = (lambda_i / 2 + R w_j f_ij) / (D_ij + R w_j)
    """
    near = max(_NEAR * float(costs.mean()), np.finfo(np.float64).tiny)
    stiffness = np.maximum(costs, near) + pull.strengths
    pulled = pull.strengths * pull.targets / stiffness
    ease = 1.0 / stiffness
    half = (1.0 - pulled.sum(axis=1, keepdims=True)) / ease.sum(axis=1, keepdims=True)
    found = half * ease + pulled
    return found / found.sum(axis=1, keepdims=True)


def fuzzy_energy(problem: Problem, costs: Array, t: Array, pull: Pull) -> float:
    """Q of these memberships."""
    each = (t**2 * costs + pull.strengths * (t - pull.targets) ** 2).sum(axis=1)
    return float(problem.effective_weights @ each)


def _prototypes(problem: Problem, start: Start) -> Array:
    if start.moments is not None:
        return problem.distortion.prototypes(*start.moments)
    assert start.labels is not None
    return _moved(problem, np.eye(problem.k)[start.labels])


def _moved(problem: Problem, t: Array) -> Array:
    """M-step: the prototypes of documents that count by the squares of t (eq. 3.10)."""
    shares = t**2 * problem.effective_weights[:, None]
    sums = np.asfortranarray(np.asarray(problem.X.T @ shares).T)
    return problem.distortion.prototypes(*Moments(sums, shares.sum(axis=0)))


def _costs(problem: Problem, prototypes: Array) -> Array:
    """D of every document in every cluster."""
    table = all_costs(problem.X, problem.distortion.affine(prototypes))
    table += problem.own_costs[:, None]
    return np.maximum(table, 0.0)


def _largest_first(solution: Solution) -> Solution:
    """Clusters by how many documents have their largest membership there."""
    assert solution.memberships is not None
    k = solution.prototypes.shape[0]
    order = np.argsort(-np.bincount(solution.labels, minlength=k), kind="stable")
    t = solution.memberships[:, order]
    labels = np.asarray(t.argmax(axis=1), dtype=np.intp)
    return replace(solution, labels=labels, memberships=t, prototypes=solution.prototypes[order])
