"""HMRF-KMeans whose distortion may be learned (Basu 2005, 7.1; Basu, Bilenko and Mooney 2004).

    J = sum_i D_a(x_i, mu_{y_i})  +  sum of w f_a over broken links  -  log Pr(a)

a has a weight for every term; D_a, the penalties f_a and the prior are in `learners`, one file for
the cosine and one for the divergences.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import in_canonical_order, largest_first
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.clusterwise_cosine import ClusterwiseCosine
from textclust.geometry.clusterwise_divergence import ClusterwiseIDivergence
from textclust.geometry.cosine import Cosine
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.parts import refuse_parts
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.geometry.weighted_divergence import WeightedIDivergence
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver, with_link_prices
from textclust.methods.learners.cosine import CosineLearner
from textclust.methods.learners.divergence import DivergenceLearner
from textclust.parameters import Parameters
from textclust.supervision.by_pair import ByPair
from textclust.supervision.clusterwise import at_labels
from textclust.supervision.given import Supervision
from textclust.supervision.links import Links

__all__ = ["LearnedHMRFKMeansSolver"]

_Weighted = WeightedCosine | ClusterwiseCosine | WeightedIDivergence | ClusterwiseIDivergence


@dataclass(repr=False, eq=False)
class LearnedHMRFKMeansSolver(HMRFKMeansSolver):
    """HMRF-KMeans, with a weight for every term where it is asked to learn."""

    rules: ClassVar[Parameters] = parameters.LEARNED_HMRF

    _: KW_ONLY
    learn: bool = False
    metric: str = "global"

    def describe(self) -> str:
        """What the method is run with, in words."""
        return f"learned {super().describe()}" if self.learn else super().describe()

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        constraints = supervision.constraints
        if not self.learn:
            if self.metric == "local":
                raise InputError("metric='local' is for learned weights; set learn=True as well")
            return super()._solve(X, weights, supervision)
        refuse_parts(X, "learn=True")
        plain = self._problem(X, weights)
        self._refuse_beside_learning()
        learner = _learner_of(plain)
        price, links, even = self.price(plain), None, np.ones(1)
        if constraints is not None:
            links = self._links(constraints, price)
            if self.weight == "auto":
                even = _evened(learner.problem(plain, links))
            links = links.times(even)
        heeded = links if self.use_constraints == "both" else None
        problem = learner.problem(plain, heeded, self.inference)
        guide = learner.problem(plain, links, self.inference)
        solution = self._descend(problem, guide)
        if self.metric == "local":  # from where weights for all clusters lead
            problem = learner.problem(plain, heeded, self.inference, local=True)
            solution = self._lowest(problem, iter([Start(labels=solution.labels)]))
        solution = largest_first(problem, solution)
        if heeded is None:
            weighted = replace(plain, X=solution.distortion.prepare(plain.X))
            solution = in_canonical_order(weighted, solution)
        if constraints is None or heeded is None:
            return solution
        known, penalties = _links_and_penalties(problem, solution.distortion)
        if penalties.ndim == 2:
            penalties = at_labels(known, penalties, solution.labels)
        factors = ByPair(known, even * penalties).of(constraints.links)
        return with_link_prices(solution, constraints, price * factors)


def _evened(problem: Problem) -> Array:
    """What makes links cost on average, those of each kind, what they cost without learning.

    Two documents of a text collection are nearly as far apart as can be: unevened, a
    must-link would cost ten or twenty times as much as a cannot-link.
    """
    links, penalties = _links_and_penalties(problem, problem.distortion)
    factors = np.ones(len(links))
    for kind in (links.together, ~links.together):
        whole, paid = links.weights[kind].sum(), links.weights[kind] @ penalties[kind]
        factors[kind] = whole / paid if paid > 0 else 1.0
    return factors


def _links_and_penalties(problem: Problem, distortion: Distortion) -> tuple[Links, Array]:
    """The links of a problem that learns, and what a distortion makes of the price of each."""
    learner = problem.learner
    assert isinstance(learner, CosineLearner | DivergenceLearner)
    assert learner.links is not None
    assert isinstance(distortion, _Weighted)
    return learner.links, learner.penalties(distortion.weights)


def _learner_of(problem: Problem) -> type[CosineLearner | DivergenceLearner]:
    """Who learns the weights of terms for the distortion of a problem."""
    if type(problem.distortion) is Cosine:
        return CosineLearner
    if type(problem.distortion) in (KL, IDivergence):
        return DivergenceLearner
    raise InputError(
        "learn=True needs distortion='cosine', 'kl' and 'i-divergence'; "
        f"got {problem.distortion.name!r}. For 'euclidean' there is MPCKMeans"
    )
