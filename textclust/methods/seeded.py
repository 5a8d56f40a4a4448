"""k-means from seeds: Seeded-KMeans and Constrained-KMeans (Basu 2005, chapter 3).

    E = sum_i D(x_i, mu_{y_i})

begun at the centroids of the seeds; for Constrained-KMeans over the labels y that have every seed
in the cluster of its class.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import (
    as_predicted,
    in_canonical_order,
)
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings, check
from textclust.stopping import searching
from textclust.supervision.given import Supervision
from textclust.supervision.seeds import Seeds

__all__ = ["ConstrainedKMeansSolver", "SeededKMeansSolver"]


@dataclass(repr=False, eq=False)
class SeededKMeansSolver(KMeansSolver):
    """Seeds decide where the clusters start; after that they are documents like others."""

    rules: ClassVar[Parameters] = parameters.SEEDED

    _: KW_ONLY
    distortion: DistortionLike = "cosine"

    def published(self) -> Settings:
        """Seeds' centroids as the start (3.2)."""
        return {**super().published(), "init": "seeds"}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        problem = self._problem(X, weights)
        clamps = Seeds.of(supervision.seeds, X.shape[0], self.n_clusters).clamps(self.n_clusters)
        if clamps is None:
            return in_canonical_order(problem, self._descend(problem))
        guide = replace(problem, unary=clamps)
        if isinstance(self.init, str) and self.init == "auto":
            solution = self._released(problem, self._descend(guide))
        else:
            solution = self._descend(problem, guide)
        return as_predicted(problem, solution, np.arange(self.n_clusters))

    def _released(self, problem: Problem, held: Solution) -> Solution:
        """Where the documents go from a clustering that held the seeds once it lets go of them."""
        start, rng = Start(labels=held.labels), generator(self.random_state)
        return minimise(problem, start, max_iter=self.max_iter, tol=self.tol, rng=rng)


@dataclass(repr=False, eq=False)
class ConstrainedKMeansSolver(SeededKMeansSolver):
    """Seeds decide where the clusters start, and never leave theirs."""

    def solve_from(self, labels: Labels, X: Matrix, supervision: Supervision) -> Solution:
        """The same, from these labels too, beside the starts that `init` names."""
        check(self, self.rules)
        with searching(self.max_seconds) as search:
            found = self.resolved()._solve_from(labels, X, supervision)
        return replace(found, stopped=search.stopped)

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        held = self._held(X, weights, supervision)
        solution = self._descend(held)
        return solution if held.unary is not None else in_canonical_order(held, solution)

    def _solve_from(self, labels: Labels, X: Matrix, supervision: Supervision) -> Solution:
        held = self._held(X, None, supervision)
        rng = generator(self.random_state)
        starts = chain([Start(labels=labels)], self._starts(held, rng))
        return self._lowest(held, starts, rng)

    def _held(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Problem:
        """The problem in which every seed is in its cluster."""
        clamps = Seeds.of(supervision.seeds, X.shape[0], self.n_clusters).clamps(self.n_clusters)
        return replace(self._problem(X, weights), unary=clamps)
