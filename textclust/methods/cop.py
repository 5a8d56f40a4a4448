"""k-means under constraints that always hold: COP-KMeans.

    E = sum_i D(x_i, mu_{y_i})  over the labels y that satisfy every link

Wagstaff, Cardie, Rogers and Schroedl 2001; Basu 2005, 2.3.3.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

from textclust.engine.problem import Problem, Solution
from textclust.engine.restarts import in_canonical_order, largest_first
from textclust.geometry.affine import Array, Matrix
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.supervision.conflicts import require_consistent
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.hard import HardLinks

__all__ = ["COPKMeansSolver"]


@dataclass(repr=False, eq=False)
class COPKMeansSolver(KMeansSolver):
    """Only labels that satisfy every link are looked at."""

    rules: ClassVar[Parameters] = parameters.COP

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    local_search: bool | str = "auto"

    def usual(self) -> Settings:
        """The greedy rule, and single moves after it."""
        return {**super().usual(), "local_search": True}

    def published(self) -> Settings:
        """Random documents as the start, and the greedy rule alone."""
        return {**super().published(), "init": "random", "local_search": False}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        problem = self._linked(self._problem(X, weights), supervision)
        solution = self._descend(problem)
        arrange = in_canonical_order if problem.interaction is None else largest_first
        return arrange(problem, solution)

    def _linked(self, problem: Problem, supervision: Supervision) -> Problem:
        """The problem with its links, once it is known that they can all hold."""
        constraints = supervision.constraints
        if constraints is not None:
            constraints = Constraints.given(constraints, problem.X.shape[0]).effective()
        if not constraints:
            return problem
        require_consistent(constraints, supervision.ids)
        return replace(
            problem,
            interaction=HardLinks.of(constraints.links, self.n_clusters, bool(self.local_search)),
        )
