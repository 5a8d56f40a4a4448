"""k-means without supervision, in the geometry of any distortion (Basu 2005, 2.3).

E = sum_i w_i D(x_i, mu_{y_i})

Here and in every method whose loop this is, clusters may be wanted to have a number of documents at
least, `min_size`; what they lack is then part of the energy (see `engine/sizes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Self

import numpy as np

from textclust import geometry
from textclust.engine.default_weight import mean_distortion
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import (
    REFINED_WITHIN,
    candidate_starts,
    in_canonical_order,
    lowest_energy,
)
from textclust.engine.sizes import SizeBound
from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.capabilities import fitted
from textclust.geometry.validation import check_weights
from textclust.methods import parameters
from textclust.methods.solver import DistortionLike
from textclust.parameters import (
    Init,
    Parameters,
    RandomState,
    Settings,
    check,
    fill_open,
    settings_of,
)
from textclust.stopping import searching
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import NOTHING, Supervision
from textclust.threads import blas_on_one, thread_count

__all__ = ["KMeansSolver", "generator"]


@dataclass(repr=False, eq=False)
class KMeansSolver:
    """The parameters of `textclust.KMeans`, and how it solves a problem.

    A solver needs no scikit-learn, whose import costs more than clustering a small
    collection; the estimator of the same parameters is made of it.
    """

    rules: ClassVar[Parameters] = parameters.KMEANS

    n_clusters: int = 8
    _: KW_ONLY
    distortion: DistortionLike = "euclidean"
    init: Init = "auto"
    n_init: int | str = "auto"
    max_iter: int = 200
    tol: float = 1e-6
    refine: bool | str = "auto"
    min_size: int | None = None
    size_price: float | str = "auto"
    max_seconds: float | None = None
    as_published: bool = False
    n_jobs: int | None = None
    random_state: RandomState = None

    def solve(
        self, X: Matrix, weights: Array | None = None, supervision: Supervision = NOTHING
    ) -> Solution:
        """The best clustering found of the rows of X by what is known of them."""
        check(self, self.rules)
        if supervision.constraints is not None:
            links = Constraints.given(supervision.constraints, X.shape[0])
            check_weights(links.weights, "weights of constraints")
        with searching(self.max_seconds) as search, blas_on_one():
            solution = self.resolved()._solve(X, weights, supervision)
        return replace(solution, stopped=search.stopped)

    def resolved(self) -> Self:
        """The same with open settings filled in: as published, or with our defaults."""
        return fill_open(self, self.published() if self.as_published else self.usual())

    def usual(self) -> Settings:
        """What is taken where a setting is left open."""
        return {"refine": True}

    def published(self) -> Settings:
        """The settings of the paper: one run from its own start, and no refinement."""
        return {"init": "perturbed", "n_init": 1, "refine": False}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        problem = self._problem(X, weights).with_sparse_sums()
        return in_canonical_order(problem, self._descend(problem))

    def parameters(self) -> Settings:
        """Every parameter by name."""
        return settings_of(self)

    def describe(self) -> str:
        """What the method is run with, in words."""
        return f"{getattr(self.distortion, 'name', self.distortion)} distortion"

    def _descend(
        self,
        problem: Problem,
        guide: Problem | None = None,
        lift: Callable[[Start], Start] | None = None,
    ) -> Solution:
        """Where the energy of `problem` is lowest, from starts that look at `guide`.

        `lift` takes a start from the space of the guide to that of the problem.
        """
        rng = generator(self.random_state)
        starts = self._starts(guide or problem, rng)
        return self._lowest(problem, starts if lift is None else map(lift, starts), rng)

    def _starts(self, problem: Problem, rng: np.random.Generator) -> Iterator[Start]:
        """The starts that `init` names."""
        return candidate_starts(problem, self.init, self.n_init, rng)

    def _lowest(
        self,
        problem: Problem,
        starts: Iterator[Start],
        rng: np.random.Generator | None = None,
        refined_within: float = REFINED_WITHIN,
    ) -> Solution:
        """Where the energy is lowest from any of these starts."""
        rng = rng or generator(self.random_state)
        return lowest_energy(
            problem,
            starts,
            max_iter=self.max_iter,
            tol=self.tol,
            refine=bool(self.refine),
            rng=rng,
            refined_within=refined_within,
        )

    def _problem(self, X: Matrix, weights: Array | None = None) -> Problem:
        """The question without supervision; the data is checked."""
        if weights is None:
            weights = np.broadcast_to(1.0, X.shape[0])
        if X.shape[0] < self.n_clusters:
            raise InputError(
                f"n_clusters={self.n_clusters} is more than the n_samples={X.shape[0]} "
                "documents there are; use fewer clusters"
            )
        distortion = geometry.get(self.distortion)
        X = distortion.prepare(X)
        problem = Problem(
            X,
            fitted(distortion, X, weights),
            self.n_clusters,
            weights,
            threads=thread_count(self.n_jobs),
        )
        if not problem.effective_weights.any():
            raise InputError("nothing to cluster: every row of X is zero or has weight zero")
        if not np.isfinite(problem.own_costs).all():
            raise InputError("the values of X are too large to be squared; scale them down")
        return self._with_size_bound(problem)

    def _with_size_bound(self, problem: Problem) -> Problem:
        """The problem in which clusters that are too small cost something, where that is wanted.

        Each document that one lacks costs as much as a document does on average before there are
        clusters: from there on it would be in an absurd place.
        """
        if self.min_size is None:
            return problem
        total = float(problem.effective_weights.sum())
        if self.min_size * self.n_clusters > total:
            raise InputError(
                f"min_size={self.min_size} needs {self.min_size * self.n_clusters} documents for "
                f"n_clusters={self.n_clusters}, and there are {total:g}; lower either"
            )
        price = mean_distortion(problem) if self.size_price == "auto" else float(self.size_price)
        return replace(problem, sizes=SizeBound(self.min_size, price, problem.effective_weights))


def generator(random_state: RandomState) -> np.random.Generator:
    """The random numbers that a `random_state` stands for."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    return np.random.default_rng(random_state)
