"""k-means with pairwise constraints: PC-KMeans and HMRF-KMeans.

    E = sum_i D(x_i, mu_{y_i})  +  w (violated must-links + violated cannot-links)

Basu, Bilenko and Mooney 2003, eq. (1); Basu 2005, eq. (4.10).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.kernel import moments
from textclust.methods.kmeans import KMeansRecipe
from textclust.methods.problem import Problem, Solution, Start, Violation
from textclust.methods.search import STARTS, in_canonical_order, largest_first
from textclust.parameters import Flag, Number, OneOf, Rule
from textclust.supervision.constraints import Constraints
from textclust.supervision.inference import INFERENCES
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["HMRFKMeansRecipe", "PCKMeansRecipe", "with_violations"]

_SHARE = 0.05  # of what a document costs before there are clusters
_ENTAILED = 100_000  # pairs, or
_TIMES_GIVEN = 20  # as many as this for each one given


@dataclass(repr=False, eq=False)
class HMRFKMeansRecipe(KMeansRecipe):
    """Documents and the links between them decide the labels together."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **KMeansRecipe._parameters,
        "init": OneOf((*STARTS, "neighbourhoods", "largest"), (np.ndarray, list, tuple)),
        "weight": Number(0.0, words=("auto",)),
        "inference": OneOf(tuple(INFERENCES)),
        "use_constraints": OneOf(("both", "init")),
        "entailed": Flag(),
    }

    _: KW_ONLY
    distortion: Any = "cosine"
    weight: float | str = "auto"
    inference: str = "icm"
    use_constraints: str = "both"
    entailed: bool = False

    def solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        problem = self._problem(X, weights)
        if constraints is None or len(Constraints.given(constraints, X.shape[0])) == 0:
            return in_canonical_order(problem, self._descend(problem))
        price = self.price(problem)
        guide = replace(problem, interaction=self._potts(self._links(constraints, price)))
        if self.use_constraints == "init":
            solution = in_canonical_order(problem, self._descend(problem, guide))
        else:
            solution = largest_first(guide, self._descend(guide, known=self._unguided(problem)))
        return with_violations(solution, constraints, price)

    def _unguided(self, problem: Problem) -> Iterator[Start]:
        """Where it would end without links: with them it is to end no higher."""
        if isinstance(self.init, str) and self.init == "auto":
            yield Start(labels=self._descend(problem).labels)

    def price(self, problem: Problem) -> float:
        """What it costs to break a link of weight 1.

        "auto" is a share of the mean distortion of a document from the centre of all, so
        that a link weighs as much under each distortion and on any scale.
        """
        if self.weight != "auto":
            return float(self.weight)
        n, weights = problem.X.shape[0], problem.weighty
        whole = moments(problem.X, np.zeros(n, dtype=np.intp), weights, 1)
        cold = problem.distortion.cold()
        energy = float(cold.best(*whole).energies[0])
        own = np.where(weights > 0, cold.own_costs(problem.X), 0.0)
        return _SHARE * (energy + float(weights @ own)) / float(weights.sum())

    def _links(self, constraints: Constraints, price: float) -> Links:
        """The links at this price and, if wanted, what follows from them."""
        limit = max(_ENTAILED, _TIMES_GIVEN * len(constraints))
        known = (self.entailed and constraints.entailed(limit)) or constraints
        return known.links.times(price)

    def _potts(self, links: Links) -> Potts:
        return Potts(links, self.inference)


@dataclass(repr=False, eq=False)
class PCKMeansRecipe(HMRFKMeansRecipe):
    """The same in Euclidean space, where it came from."""

    _: KW_ONLY
    distortion: Any = "euclidean"
    weight: float | str = 1.0


def with_violations(solution: Solution, constraints: Constraints, price: float) -> Solution:
    """The solution with the links given that it breaks, each at its weight times the price."""
    broken = constraints.links.where(constraints.violated(solution.labels))
    kinds = np.where(broken.together, "must-link", "cannot-link").tolist()
    told = zip(broken.pairs(), kinds, (price * broken.weights).tolist(), strict=True)
    violations = tuple(Violation(*pair, kind, cost) for pair, kind, cost in told)
    return replace(solution, violations=violations, link_price=price)
