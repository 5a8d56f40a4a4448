"""HMRF-KMeans whose distortion may be learned (Basu 2005, 7.1)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.methods.cosine_metric import CosineLearner
from textclust.methods.hmrf import HMRFKMeansRecipe, with_violations
from textclust.methods.problem import Solution
from textclust.methods.search import in_canonical_order, largest_first
from textclust.parameters import Flag, Rule
from textclust.supervision.constraints import Constraints

__all__ = ["LearnedHMRFKMeansRecipe"]


@dataclass(repr=False, eq=False)
class LearnedHMRFKMeansRecipe(HMRFKMeansRecipe):
    """HMRF-KMeans, with a weight for every term where it is asked to learn."""

    _parameters: ClassVar[dict[str, Rule]] = {**HMRFKMeansRecipe._parameters, "learn": Flag()}

    _: KW_ONLY
    learn: bool = False

    def solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        if not self.learn:
            return super().solve(X, weights, constraints)
        plain = self._problem(X, weights)
        if self.robust:
            raise InputError("robust=True learns no metric; choose one of them")
        if self.distortion != "cosine":
            raise InputError(
                f"learn=True knows distortion='cosine' alone; got {self.distortion!r}. "
                "For 'euclidean' there is MPCKMeans"
            )
        price, links = self.price(plain), None
        if constraints is not None and len(Constraints.given(constraints, X.shape[0])):
            links = self._links(constraints, price)
        heeded = links if self.use_constraints == "both" else None
        problem = CosineLearner.problem(plain, heeded, self.inference)
        guide = CosineLearner.problem(plain, links, self.inference)
        solution = self._descend(problem, guide)
        if heeded is not None:
            solution = largest_first(problem, solution)
        else:
            weighted = replace(plain, X=solution.distortion.prepare(plain.X))
            solution = in_canonical_order(weighted, solution)
        if constraints is None:
            return solution
        return with_violations(solution, constraints, price)
