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
from textclust.geometry.weighted import lifted
from textclust.methods.hmrf import PCKMeansRecipe, with_violations
from textclust.methods.metric import MetricLearner
from textclust.methods.problem import Problem, Solution, Start
from textclust.methods.search import in_canonical_order, largest_first
from textclust.parameters import Number, OneOf, Rule
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

    def solve(
        self, X: Matrix, weights: Array | None = None, constraints: Constraints | None = None
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        plain = self._problem(X, weights)
        if self.robust:
            raise InputError("robust=True learns no metric; choose one of them")
        local = self.metric == "local"
        if local and self.inference != "icm":
            raise InputError("metric='local' knows inference='icm' alone")
        price, spans = self.price(plain), None
        if constraints is not None and len(Constraints.given(constraints, X.shape[0])):
            spans = Spans.of(plain.X, self._links(constraints, price))
        heeded = spans if self.use_constraints == "both" else None
        problem = MetricLearner.problem(plain, heeded, local, self.inference)
        solution = min(
            (self._from_metric(metric, problem, plain, spans) for metric in self._first(problem)),
            key=lambda solution: solution.energy,
        )
        arrange = in_canonical_order if heeded is None else largest_first
        solution = arrange(problem, solution)
        if constraints is None:
            return solution
        return with_violations(solution, constraints, price)

    def _first(self, problem: Problem) -> list[Array]:
        """The metrics to start with: even weights and, to be chosen between, even variances."""
        assert isinstance(problem.learner, MetricLearner)
        variances = problem.learner.variances
        even = np.ones_like(variances)
        if not isinstance(self.init, str) or self.init != "auto":
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
