"""k-means under constraints that always hold: COP-KMeans.

    E = sum_i D(x_i, mu_{y_i})  over the labels y that satisfy every link

Wagstaff, Cardie, Rogers and Schroedl 2001; Basu 2005, 2.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.methods.kmeans import KMeansRecipe
from textclust.methods.problem import Problem, Solution
from textclust.methods.search import STARTS, in_canonical_order, largest_first
from textclust.parameters import OneOf, Rule
from textclust.supervision.conflicts import require_consistent
from textclust.supervision.constraints import Constraints
from textclust.supervision.hard import HardLinks

__all__ = ["COPKMeansRecipe"]


@dataclass(repr=False, eq=False)
class COPKMeansRecipe(KMeansRecipe):
    """Only labels that satisfy every link are looked at."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **KMeansRecipe._parameters,
        "init": OneOf((*STARTS, "random", "neighbourhoods", "largest"), (np.ndarray, list, tuple)),
    }

    def solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        problem = self._linked(self._problem(X, weights), constraints)
        solution = self._descend(problem)
        arrange = in_canonical_order if problem.interaction is None else largest_first
        return arrange(problem, solution)

    def _linked(self, problem: Problem, constraints: Constraints | None) -> Problem:
        """The problem with its links, once it is known that they can all hold."""
        if constraints is None or len(Constraints.given(constraints, problem.X.shape[0])) == 0:
            return problem
        require_consistent(constraints)
        return replace(problem, interaction=HardLinks.of(constraints.links, self.n_clusters))
