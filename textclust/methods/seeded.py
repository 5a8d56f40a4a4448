"""k-means from seeds: Seeded-KMeans and Constrained-KMeans (Basu 2005, chapter 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.methods.kmeans import KMeansRecipe
from textclust.methods.problem import Solution
from textclust.methods.search import STARTS, as_predicted, in_canonical_order
from textclust.methods.seeds import Seeds
from textclust.parameters import OneOf, Rule

__all__ = ["ConstrainedKMeansRecipe", "SeededKMeansRecipe"]


@dataclass(repr=False, eq=False)
class SeededKMeansRecipe(KMeansRecipe):
    """Seeds decide where the clusters start; after that they are documents like others."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **KMeansRecipe._parameters,
        "init": OneOf((*STARTS, "seeds"), (np.ndarray, list, tuple)),
    }

    def solve(self, X: Matrix, weights: Array | None = None, seeds: Any = None) -> Solution:
        """The best clustering found from a label for each row, -1 where none is known."""
        problem = self._problem(X, weights)
        clamps = Seeds.of(seeds, X.shape[0], self.n_clusters).clamps(self.n_clusters)
        if clamps is None:
            return in_canonical_order(problem, self._descend(problem))
        solution = self._descend(problem, guide=replace(problem, unary=clamps))
        return as_predicted(problem, solution, np.arange(self.n_clusters))


@dataclass(repr=False, eq=False)
class ConstrainedKMeansRecipe(SeededKMeansRecipe):
    """Seeds decide where the clusters start, and never leave theirs."""

    def solve(self, X: Matrix, weights: Array | None = None, seeds: Any = None) -> Solution:
        """The best clustering found in which every seed is in its cluster."""
        problem = self._problem(X, weights)
        clamps = Seeds.of(seeds, X.shape[0], self.n_clusters).clamps(self.n_clusters)
        if clamps is None:
            return in_canonical_order(problem, self._descend(problem))
        return self._descend(replace(problem, unary=clamps))
