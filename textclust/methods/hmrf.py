"""k-means with pairwise constraints: PC-KMeans and HMRF-KMeans.

    E = sum_i D(x_i, mu_{y_i})  +  w (violated must-links + violated cannot-links)

Basu, Bilenko and Mooney 2003, eq. (1); Basu 2005, eq. (4.10).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.kernel import moments
from textclust.methods.kmeans import KMeansRecipe, generator
from textclust.methods.loop import minimise
from textclust.methods.problem import Problem, Solution, Start, Violation
from textclust.methods.search import STARTS, in_canonical_order, largest_first
from textclust.parameters import Flag, Number, OneOf, Rule
from textclust.supervision.constraints import Constraints
from textclust.supervision.doubt import trust
from textclust.supervision.inference import INFERENCES
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["HMRFKMeansRecipe", "PCKMeansRecipe", "with_violations"]

_SHARE = 0.1  # of what a document costs before there are clusters
_ENTAILED = 100_000  # pairs, or
_DOUBTS = 3  # rounds
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
        "robust": Flag(),
    }

    _: KW_ONLY
    distortion: Any = "cosine"
    weight: float | str = "auto"
    inference: str = "icm"
    use_constraints: str = "both"
    entailed: bool = False
    robust: bool = False

    def solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        problem = self._problem(X, weights)
        links = self._links(problem, constraints)
        if links is None or constraints is None:
            return in_canonical_order(problem, self._descend(problem))
        guide = replace(problem, interaction=self._potts(links))
        if self.use_constraints == "init":
            solution = in_canonical_order(problem, self._descend(problem, guide))
        else:
            solution = self._descend(guide)
            if self.robust:
                solution = self._doubting(guide, links, solution)
            solution = largest_first(guide, solution)
        return with_violations(solution, constraints, self.price(problem))

    def price(self, problem: Problem) -> float:
        """What it costs to break a link of weight 1.

        "auto" is a share of the mean distortion of a document from the centre of all, so
        that a link weighs as much under each distortion and on any scale.
        """
        if self.weight != "auto":
            return float(self.weight)
        n, weights = problem.X.shape[0], problem.weighty
        whole = moments(problem.X, np.zeros(n, dtype=np.intp), weights, 1)
        energy = float(problem.distortion.best(*whole).energies[0])
        own = np.where(weights > 0, problem.own_costs, 0.0)
        return _SHARE * (energy + float(weights @ own)) / float(weights.sum())

    def _doubting(self, problem: Problem, links: Links, solution: Solution) -> Solution:
        """Go on from a solution with less weight on the links it breaks, a few times over.

        What comes of it is told at the full price of every link.
        """
        for _ in range(_DOUBTS):
            trusted = links.times(trust(links, solution.labels))
            doubted = replace(problem, interaction=self._potts(trusted))
            start, rng = Start(labels=solution.labels), generator(self.random_state)
            solution = minimise(
                doubted,
                start,
                max_iter=self.max_iter,
                tol=self.tol,
                rng=rng,
                refine=self.refine,
            )
        return replace(solution, energy=_energy(problem, solution))

    def _links(self, problem: Problem, constraints: Constraints | None) -> Links | None:
        """The links and, if wanted, what follows from them, with their price; None without any."""
        if constraints is None:
            return None
        given = Constraints.given(constraints, problem.X.shape[0])
        if len(given) == 0:
            return None
        limit = max(_ENTAILED, _TIMES_GIVEN * len(given))
        known = (self.entailed and given.entailed(limit)) or given
        return known.links.times(self.price(problem))

    def _potts(self, links: Links) -> Potts:
        return Potts(links, self.inference)


@dataclass(repr=False, eq=False)
class PCKMeansRecipe(HMRFKMeansRecipe):
    """The same in Euclidean space, where it came from."""

    _: KW_ONLY
    distortion: Any = "euclidean"
    weight: float | str = 1.0


def _energy(problem: Problem, solution: Solution) -> float:
    """E of a solution's labels and prototypes, with V as the problem has it."""
    assert problem.interaction is not None
    rows, labels = np.arange(problem.X.shape[0]), solution.labels
    form = solution.distortion.affine(solution.prototypes)
    cost = problem.kernel.costs_at(form, rows, labels) + problem.own_costs
    own = np.where(problem.weighty > 0, problem.weighty * cost, 0.0).sum()
    return float(own) + problem.interaction.energy(labels[problem.interaction.documents])


def with_violations(solution: Solution, constraints: Constraints, price: float) -> Solution:
    """The solution with the links given that it breaks, each at its weight times the price."""
    broken = constraints.links.where(constraints.violated(solution.labels))
    kinds = np.where(broken.together, "must-link", "cannot-link").tolist()
    told = zip(broken.pairs(), kinds, (price * broken.weights).tolist(), strict=True)
    violations = tuple(Violation(*pair, kind, cost) for pair, kind, cost in told)
    return replace(solution, violations=violations, link_price=price)
