"""k-means that learns its metric: M-KMeans and MPC-KMeans.

    J = sum_i |x_i - mu_{y_i}|_A^2  -  log det A  +  sum of w f over broken links

Basu, Bilenko and Mooney 2003, eq. (4); eq. (2) is the same without links.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import in_canonical_order, largest_first
from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.rows import scale_columns
from textclust.geometry.weighted import WeightedEuclidean
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver, with_link_prices
from textclust.methods.learners.full_matrix import Full, refuse_too_many
from textclust.methods.learners.metric import EuclideanLearner
from textclust.methods.learners.metric_matrix import Diagonal, MetricMatrix
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.stopping import due, while_allowed
from textclust.supervision.by_pair import ByPair
from textclust.supervision.clusterwise import at_labels
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.pair_differences import Bounds, PairDifferences

__all__ = ["MKMeansSolver", "MPCKMeansSolver"]

_FAR = 100.0  # standard deviations
_MATRICES: dict[str, type[MetricMatrix]] = {"diagonal": Diagonal, "full": Full}


@dataclass(repr=False, eq=False)
class MPCKMeansSolver(HMRFKMeansSolver):
    """Documents and links decide the labels and the metric together."""

    rules: ClassVar[Parameters] = parameters.MPCKMEANS

    _seeds: ClassVar[bool] = True  # whether clusters start from links

    _: KW_ONLY
    distortion: DistortionLike = "euclidean"
    weight: float | str = 1.0
    metric: str = "global"
    matrix: str = "diagonal"
    alpha_min: float | str = "auto"
    alpha_max: float = 1.0

    def published(self) -> Settings:
        """The k largest neighbourhoods as the start (3.1), and penalties from 0 on (3.2)."""
        return {**super().published(), "init": "largest", "alpha_min": 0.0}

    def resolved(self) -> Self:
        """The same with open settings filled in; `alpha_min` is half of `alpha_max`."""
        found = super().resolved()
        least = found.alpha_max / 2 if found.alpha_min == "auto" else found.alpha_min
        return replace(found, alpha_min=least)

    def describe(self) -> str:
        """What the method is run with, in words."""
        shared = "for all clusters" if self.metric == "global" else "for each cluster"
        return f"a learned euclidean metric {shared}"

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        constraints = supervision.constraints
        if sp.issparse(X):
            return self._solve_centred(X, weights, constraints)
        centre, init = _far_centres(X), self.init
        if np.shape(init) == (self.n_clusters, X.shape[1]):
            init = np.asarray(init) - centre
        centred = replace(self, init=init)
        solution = centred._solve_centred(X - centre, weights, constraints)
        return replace(solution, prototypes=solution.prototypes + centre)

    def _solve_centred(
        self, X: Matrix, weights: Array | None, constraints: Constraints | None
    ) -> Solution:
        plain = self._problem(X, weights)
        self._refuse_beside_learning()
        bounds = Bounds(float(self.alpha_min), self.alpha_max).checked()
        price, pair_differences, links = self.price(plain), None, None
        if constraints is not None:
            links = self._links(constraints, price)
        if self.matrix == "full":
            refuse_too_many(X.shape[0] + (0 if links is None else len(links)), X.shape[1])
        if links is not None:
            pair_differences = PairDifferences.of(
                plain.X, links, bounds, _MATRICES[self.matrix].squared
            )
        heeded = pair_differences if self.use_constraints != "init" else None
        problem = self._learning(plain, heeded)
        solution = self._best(problem, plain, pair_differences)
        if heeded is not None and self._has_own_starts and not due():
            unlinked = self._best(self._learning(plain, None), plain, None)
            solution = min(solution, self._from_solution(unlinked, problem), key=_energy)
        arrange = in_canonical_order if heeded is None else largest_first
        solution = arrange(problem, solution)
        if constraints is None or heeded is None:
            return solution
        factors = ByPair(heeded.links, _factors(heeded, solution)).of(constraints.links)
        return with_link_prices(solution, constraints, price * factors)

    def _learning(self, plain: Problem, pair_differences: PairDifferences | None) -> Problem:
        """The problem whose metric is learned, from these links too."""
        local, matrix = self.metric == "local", _MATRICES[self.matrix]
        return EuclideanLearner.problem(
            plain, pair_differences, local, self.inference, matrix, self._assigns
        )

    @property
    def _assigns(self) -> bool:
        """Whether links choose clusters, and do not teach the metric alone."""
        return True

    def _best(
        self, problem: Problem, plain: Problem, pair_differences: PairDifferences | None
    ) -> Solution:
        """The best run from starts under any of the metrics to start with."""
        runs = (
            self._from_metric(first, problem, plain, pair_differences)
            for first in while_allowed(self._first(problem))
        )
        return min(runs, key=_energy)

    def _from_solution(self, unlinked: Solution, problem: Problem) -> Solution:
        """The run from clusters and metrics that were found without links.

        A few links can lead every other start astray, which no links would have done. They
        are as dear as many documents, and hold most where they begin if each moves alone; so
        here they move together.
        """
        assert isinstance(problem.learner, EuclideanLearner)
        assert isinstance(unlinked.distortion, WeightedEuclidean)
        together = "bp" if self.inference == "icm" else self.inference
        learner = replace(problem.learner, inference=together)
        there = learner.at(unlinked.distortion.flat, replace(problem, learner=learner))
        return self._lowest(there, iter([Start(labels=unlinked.labels)]))

    def _first(self, problem: Problem) -> list[Array]:
        """The weights to start with: even ones and, to be chosen between, even variances."""
        assert isinstance(problem.learner, EuclideanLearner)
        variances = problem.learner.matrix.variances
        even = np.ones_like(variances)
        if not self._has_own_starts:
            return [even]
        return [even, np.divide(1.0, variances, out=even.copy(), where=variances > 0)]

    def _from_metric(
        self,
        weights: Array,
        problem: Problem,
        plain: Problem,
        pair_differences: PairDifferences | None,
    ) -> Solution:
        """The best run from starts in the Euclidean space that weights make of the documents."""
        learner, roots = problem.learner, np.sqrt(weights)
        assert isinstance(learner, EuclideanLearner)
        guide = replace(plain, X=scale_columns(plain.X, roots))
        if pair_differences is not None and self._seeds:
            prices = pair_differences.penalties(learner.matrix.from_weights(weights)[None])[:, 0]
            guide = replace(guide, interaction=self._potts(pair_differences.links.times(prices)))
        lift = partial(_lifted, roots, learner.matrix)
        return self._descend(learner.at_weights(weights, problem), guide, lift)


def _far_centres(X: Array) -> Array:
    """The mean of each feature that is far from zero beside its deviation; 0 for the others.

    A metric does not see where the origin is, but squares far from it lose their digits.
    """
    mean, deviation = X.mean(axis=0, dtype=float), X.std(axis=0, dtype=float)
    mean = np.where(X.max(axis=0) == X.min(axis=0), X[0], mean)
    return np.where(np.abs(mean) > _FAR * deviation, mean, 0.0)


def _energy(solution: Solution) -> float:
    return solution.energy


def _factors(pair_differences: PairDifferences, solution: Solution) -> Array:
    """What the metric makes of the prices of links: of two metrics, what they do on average."""
    assert isinstance(solution.distortion, WeightedEuclidean)
    factors = pair_differences.penalties(solution.distortion.flat)
    if factors.shape[1] == 1:
        return factors[:, 0]
    return at_labels(pair_differences.links, factors, solution.labels)


def _lifted(roots: Array, matrix: MetricMatrix, start: Start) -> Start:
    """A start among scaled documents as one among documents with their squares."""
    if start.moments is None:
        return start
    sums, masses = start.moments
    mass = np.maximum(masses, np.finfo(float).tiny)[:, None]
    rows = np.asarray(matrix.rows(sums / roots / mass))
    return Start(Moments(np.asfortranarray(rows * mass), masses))


@dataclass(repr=False, eq=False)
class MKMeansSolver(MPCKMeansSolver):
    """The same from a start that looks at no links (Basu, Bilenko and Mooney 2003, 4.2).

    The paper says of M-KMeans that it learns the metric as in 3.3, from the links that are
    broken, "without utilizing constraints for seeding". Whether the assignment looks at links it
    does not say; `use_constraints` has both readings.
    """

    rules: ClassVar[Parameters] = parameters.MKMEANS

    _seeds: ClassVar[bool] = False

    def published(self) -> Settings:
        """The start of k-means without links."""
        return {**super().published(), "init": "perturbed"}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        constraints = supervision.constraints
        if constraints is not None and not self._assigns and self.refine:
            # Single moves are judged by their links too, which are not to choose clusters.
            return replace(self, refine=False)._solve(X, weights, supervision)
        return super()._solve(X, weights, supervision)

    @property
    def _assigns(self) -> bool:
        return self.use_constraints != "metric"
