"""HMRF-KMeans with probabilities instead of labels (Basu 2005, chapter 4).

    Pr(X, Y)  proportional to  prod_i pi_{y_i} exp(-b D(x_i, mu_{y_i}))  exp(-b V(Y))

At b = 1 and equal pi that is (4.7) with (4.3), (4.4) and (4.8). The price of a link is in units
of D, as in (4.10), so that b is one temperature for documents and links. As b grows, the mixture
becomes HMRF-KMeans. The normalisers are taken to be constant (4.4.1).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.default_weight import mean_distortion
from textclust.engine.expectation_maximisation import (
    Components,
    EStep,
    default_temperature,
    maximise_likelihood,
    most_probable,
)
from textclust.engine.problem import Problem, Solution
from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.assignment import moments as moments_of
from textclust.geometry.capabilities import cold
from textclust.geometry.energies import optimum
from textclust.geometry.offset import Offset
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver, with_link_prices
from textclust.parameters import Parameters, Settings
from textclust.stopping import half_of_the_time
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.inference.mean_field import MeanField

__all__ = ["HMRFEMSolver"]

_SHARPEST = 1e6  # for each feature, where every document is a prototype


@dataclass(repr=False, eq=False)
class HMRFEMSolver(HMRFKMeansSolver):
    """The parameters of `textclust.HMRFEM`, and how it solves a problem."""

    rules: ClassVar[Parameters] = parameters.HMRF_EM

    _: KW_ONLY
    beta: float | str = "auto"
    prior: str = "auto"
    temperature: float | str = "auto"

    def usual(self) -> Settings:
        """A prior for clusters."""
        return {**super().usual(), "prior": "learned"}

    def published(self) -> Settings:
        """The field of 4.2 at temperature 1, without a prior for clusters."""
        return {**super().published(), "beta": 1.0, "prior": "uniform", "temperature": 1.0}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The mixture found from HMRF-KMeans; clusters with most documents first."""
        constraints = supervision.constraints
        with half_of_the_time():
            initial = super()._solve(X, weights, supervision)
        problem = self._problem(X, weights)
        problem = replace(problem, distortion=cold(problem.distortion))
        beta = _default_beta(problem, initial) if self.beta == "auto" else float(self.beta)
        field, price, reliability = None, self.price(problem), np.ones(len(constraints or ()))
        if self.robust and initial.link_prices is not None and constraints is not None:
            price, reliability = _reliability_from_prices(initial.link_prices, constraints)
        if constraints is not None and reliability.any() and self.use_constraints == "both":
            links = self._links(constraints.times(reliability), price)
            counting = (problem.weights[links.left] > 0) & (problem.weights[links.right] > 0)
            field = MeanField(links.where(counting).times(beta), problem.weights)

        def components(moments: Moments, shares: Array, before: Components | None) -> Components:
            return self._components(problem, beta, moments, shares, before)

        def temperature(components: Components) -> float:
            wanted = self.temperature
            return default_temperature(problem, beta) if wanted == "auto" else float(wanted)

        solution = maximise_likelihood(
            EStep(problem, beta, field),
            components,
            initial.labels,
            temperature,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        solution = most_probable(problem, solution)
        if constraints is None:
            return solution
        return with_link_prices(solution, constraints, price * reliability)

    def _components(
        self,
        problem: Problem,
        beta: float,
        moments: Moments,
        shares: Array,
        before: Components | None,
    ) -> Components:
        """M-step; a component that nothing is left of stays where it was."""
        (sums, masses), k = moments, problem.k
        lost = masses == 0
        if before is not None:
            sums[lost], masses = before.prototypes[lost], np.where(lost, 1.0, masses)
        prototypes = problem.distortion.prototypes(sums, masses)
        pi = np.full(k, 1.0 / k) if self.prior == "uniform" else shares
        with np.errstate(divide="ignore"):
            offsets = -np.log(pi) / beta
        return Components(Offset(problem.distortion, offsets), np.asfortranarray(prototypes), pi)


def _reliability_from_prices(prices: Array, constraints: Constraints) -> tuple[float, Array]:
    """The price of the link most trusted, and what each link counts beside it."""
    weights = constraints.links.weights
    found = np.divide(prices, weights, out=np.zeros_like(weights), where=weights > 0)
    price = float(found.max(initial=0.0))
    return price, found / price if price > 0 else found


def _default_beta(problem: Problem, initial: Solution) -> float:
    """d / 2 over the mean distortion of a document from the prototype of its cluster.

    The value of highest likelihood under the squared Euclidean distance, and under any other
    Bregman divergence and the cosine near it where clusters are tight.
    """
    weights = problem.effective_weights
    clusters = moments_of(problem.X, initial.labels, weights, problem.k)
    filled = clusters.masses > 0
    own = np.where(weights > 0, problem.distortion.own_costs(problem.X), 0.0)
    energies = optimum(problem.distortion, *clusters).energies[filled]
    mean = (float(energies.sum()) + float(weights @ own)) / float(weights.sum())
    d, farthest = problem.X.shape[1], mean_distortion(problem)
    least = farthest / _SHARPEST
    return d / 2.0 / max(mean, least) if least > 0 else 1.0
