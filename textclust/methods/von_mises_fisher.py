"""A mixture of von Mises-Fisher distributions: soft-moVMF (Banerjee et al. 2005).

    p(x) = sum_h pi_h c_d(kappa_h) exp(kappa_h <mu_h, x>)

Spherical k-means is the case of one kappa for all components, equal pi, and labels instead
of probabilities (Basu 2005, 3.3.1).
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from textclust.engine.expectation_maximisation import (
    Components,
    EStep,
    default_temperature,
    maximise_likelihood,
    most_probable,
)
from textclust.engine.problem import Solution
from textclust.geometry.affine import Array, Matrix, Moments
from textclust.geometry.rows import squared_norms
from textclust.geometry.von_mises_fisher import (
    VonMisesFisher,
    approximate_concentration,
    concentration,
    log_normaliser,
)
from textclust.methods import parameters
from textclust.methods.seeded import ConstrainedKMeansSolver
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.stopping import half_of_the_time
from textclust.supervision.given import Supervision

__all__ = ["VonMisesFisherMixtureSolver"]

_ESTIMATES = {"exact": concentration, "approximate": approximate_concentration}


@dataclass(repr=False, eq=False)
class VonMisesFisherMixtureSolver(ConstrainedKMeansSolver):
    """The parameters of `textclust.VonMisesFisherMixture`, and how it solves a problem."""

    rules: ClassVar[Parameters] = parameters.VMF

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    concentration: str = "auto"
    estimate: str = "auto"
    max_concentration: float | None = None
    prior: str = "learned"
    temperature: float | str = "auto"

    def usual(self) -> Settings:
        """One concentration for all clusters, to the last digit."""
        return {**super().usual(), "concentration": "shared", "estimate": "exact"}

    def published(self) -> Settings:
        """A kappa for each component by the formula of the paper, and its posteriors."""
        return {
            **super().published(),
            "init": "perturbed",
            "concentration": "own",
            "estimate": "approximate",
            "temperature": 1.0,
        }

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The mixture found from spherical k-means; seeds are in their cluster with certainty."""
        problem = self._problem(X, weights)
        held = self._held(X, weights, supervision)

        def temperature(components: Components) -> float:
            if self.temperature != "auto":
                return float(self.temperature)
            assert isinstance(components.distortion, VonMisesFisher)
            sharpness = components.weights @ components.distortion.concentrations
            return default_temperature(problem, float(sharpness))

        with half_of_the_time():
            initial = self._descend(held).labels
        solution = maximise_likelihood(
            EStep(held, 1.0),
            self._components,
            initial,
            temperature,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        return solution if held.unary is not None else most_probable(problem, solution)

    def _components(self, moments: Moments, shares: Array, before: Components | None) -> Components:
        """M-step; a component that nothing is left of stays where it was."""
        (sums, masses), (k, d) = moments, moments.sums.shape
        lengths, filled = np.sqrt(squared_norms(sums)), masses > 0
        mu = sums / np.where(lengths > 0, lengths, 1.0)[:, None]
        if before is not None:
            lost = lengths == 0
            mu[lost] = before.prototypes[lost]
        resultant = np.where(filled, lengths / np.where(filled, masses, 1.0), 0.0)
        if self.concentration == "shared":
            resultant = np.full(k, lengths.sum() / masses.sum())
        kappa = _ESTIMATES[self.estimate](resultant, d)
        if self.max_concentration is not None:
            kappa = np.minimum(kappa, float(self.max_concentration))
        pi = np.full(k, 1.0 / k) if self.prior == "uniform" else shares
        with np.errstate(divide="ignore"):
            offsets = -np.log(pi) - log_normaliser(kappa, d)
        return Components(VonMisesFisher(kappa, offsets), np.asfortranarray(mu), pi)
