"""k-means that learns its metric: M-KMeans and MPC-KMeans.

    J = sum_i |x_i - mu_{y_i}|_A^2  -  log det A  +  sum of w f over broken links

Basu, Bilenko and Mooney 2003, eq. (4); eq. (2) is the same without links.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.rows import scale_columns
from textclust.geometry.weighted import WeightedEuclidean, lifted
from textclust.methods.hmrf import PCKMeansRecipe, with_violations
from textclust.methods.metric import MetricLearner
from textclust.methods.problem import Problem, Solution, Start
from textclust.methods.search import in_canonical_order, largest_first
from textclust.parameters import Number, OneOf, Rule
from textclust.supervision.by_pair import ByPair
from textclust.supervision.constraints import Constraints
from textclust.supervision.spans import Spans

__all__ = ["MKMeansRecipe", "MPCKMeansRecipe"]


@dataclass(repr=False, eq=False)
class MPCKMeansRecipe(PCKMeansRecipe):
    """Documents and links decide the labels and the metric together."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **PCKMeansRecipe._parameters,
        "distortion": OneOf(("euclidean",)),
        "metric": OneOf(("global", "local")),
        "weight": Number(0.0),
    }

    _: KW_ONLY
    metric: str = "global"

    def describe(self) -> str:
        """What the method is run with, in words."""
        shared = "for all clusters" if self.metric == "global" else "for each cluster"
        return f"a learned euclidean metric {shared}"

    def _solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        plain = self._problem(X, weights)
        if self.robust:
            raise InputError("robust=True learns no metric; choose one of them")
        local = self.metric == "local"
        price, spans = self.price(plain), None
        if constraints is not None:
            spans = Spans.of(plain.X, self._links(constraints, price))
        heeded = spans if self.use_constraints == "both" else None
        problem = MetricLearner.problem(plain, heeded, local, self.inference)
        solution = self._best(problem, plain, spans)
        if heeded is not None and self._searches:
            unlinked = self._best(MetricLearner.problem(plain, None, local), plain, None)
            solution = min(solution, self._from_solution(unlinked, problem), key=_energy)
        arrange = in_canonical_order if heeded is None else largest_first
        solution = arrange(problem, solution)
        if constraints is None:
            return solution
        if heeded is None:
            return with_violations(solution, constraints, price)
        factors = ByPair(heeded.links, _factors(heeded, solution)).of(constraints.links)
        return with_violations(solution, constraints, price * factors)

    @property
    def _searches(self) -> bool:
        """Whether it is free to look for the best start."""
        return isinstance(self.init, str) and self.init == "auto"

    def _best(self, problem: Problem, plain: Problem, spans: Spans | None) -> Solution:
        """The best run from starts under any of the metrics to start with."""
        runs = (self._from_metric(first, problem, plain, spans) for first in self._first(problem))
        return min(runs, key=_energy)

    def _from_solution(self, unlinked: Solution, problem: Problem) -> Solution:
        """The run from clusters and metrics that were found without links.

        A few links can lead every other start astray, which no links would have done. They
        are as dear as many documents, and hold most where they begin if each moves alone; so
        here they move together.
        """
        assert isinstance(problem.learner, MetricLearner)
        assert isinstance(unlinked.distortion, WeightedEuclidean)
        together = "bp" if self.inference == "icm" else self.inference
        learner = replace(problem.learner, inference=together)
        there = learner.at(unlinked.distortion.weights, replace(problem, learner=learner))
        return self._lowest(there, iter([Start(labels=unlinked.labels)]))

    def _first(self, problem: Problem) -> list[Array]:
        """The metrics to start with: even weights and, to be chosen between, even variances."""
        assert isinstance(problem.learner, MetricLearner)
        variances = problem.learner.variances
        even = np.ones_like(variances)
        if not self._searches:
            return [even]
        return [even, np.divide(1.0, variances, out=even.copy(), where=variances > 0)]

    def _from_metric(
        self, metric: Array, problem: Problem, plain: Problem, spans: Spans | None
    ) -> Solution:
        """The best run from starts in the Euclidean space that a metric makes of the documents."""
        assert isinstance(problem.learner, MetricLearner)
        roots = np.sqrt(metric)
        guide = replace(plain, X=scale_columns(plain.X, roots))
        if spans is not None:
            prices = spans.penalties(metric[None])[:, 0]
            guide = replace(guide, interaction=self._potts(spans.links.times(prices)))
        return self._descend(problem.learner.at(metric, problem), guide, partial(_lift, roots))


def _energy(solution: Solution) -> float:
    return solution.energy


def _factors(spans: Spans, solution: Solution) -> Array:
    """What the metric makes of the prices of links: of two metrics, what they do on average."""
    assert isinstance(solution.distortion, WeightedEuclidean)
    factors = spans.penalties(solution.distortion.weights)
    if factors.shape[1] == 1:
        return factors[:, 0]
    every, (left, right) = np.arange(len(factors)), (spans.links.left, spans.links.right)
    homes = factors[every, solution.labels[left]] + factors[every, solution.labels[right]]
    return np.asarray(homes / 2)


def _lift(roots: Array, start: Start) -> Start:
    """A start among scaled documents as one among documents with their squares."""
    if start.moments is None:
        return start
    return Start(lifted(start.moments._replace(sums=start.moments.sums / roots)))


@dataclass(repr=False, eq=False)
class MKMeansRecipe(MPCKMeansRecipe):
    """The metric is learned, and links bear on the start alone."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **MPCKMeansRecipe._parameters,
        "use_constraints": OneOf(("init",)),
    }

    _: KW_ONLY
    use_constraints: str = "init"
