"""k-means that learns its metric: M-KMeans and MPC-KMeans.

    J = sum_i |x_i - mu_{y_i}|_A^2  -  log det A  +  sum of w f over broken links

Basu, Bilenko and Mooney 2003, eq. (4); eq. (2) is the same without links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.weighted import lifted
from textclust.methods.hmrf import PCKMeansRecipe
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
        """The clustering of lowest energy found; clusters with most documents first.

        Starts are found in Euclidean space, which is where the metric starts too.
        """
        plain = self._problem(X, weights)
        links = self._links(plain, constraints)
        local = self.metric == "local"
        if local and self.inference != "icm":
            raise InputError("metric='local' knows inference='icm' alone")
        if links is None:
            problem = MetricLearner.problem(plain, None, local)
            return in_canonical_order(problem, self._descend(problem, plain))
        spans = Spans.of(plain.X, links)
        even = np.ones((1, plain.X.shape[1]))
        scaled = links.times(spans.penalties(even)[:, 0])
        guide = replace(plain, interaction=self._potts(scaled))
        if self.use_constraints == "init":
            problem = MetricLearner.problem(plain, None, local)
            return in_canonical_order(problem, self._descend(problem, guide))
        problem = MetricLearner.problem(plain, spans, local, self.inference)
        return largest_first(problem, self._descend(problem, guide))

    def _starts(self, guide: Problem, rng: np.random.Generator) -> Iterator[Start]:
        for start in super()._starts(guide, rng):
            yield start if start.moments is None else Start(lifted(start.moments))


@dataclass(repr=False, eq=False)
class MKMeansRecipe(MPCKMeansRecipe):
    """The metric is learned, and links bear on the start alone."""

    _parameters: ClassVar[dict[str, Rule]] = {
        **MPCKMeansRecipe._parameters,
        "use_constraints": OneOf(("init",)),
    }

    _: KW_ONLY
    use_constraints: str = "init"
