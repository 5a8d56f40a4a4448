"""Kernel k-means with pairwise constraints: SS-Kernel-KMeans.

    E = sum_i |phi(x_i) - m_{y_i}|^2  +  w (violated must-links + violated cannot-links)

Kulis, Basu, Dhillon and Mooney 2005, who reward a must-link that holds where this has a price on
one that does not: the same but for a constant. Yan and Domeniconi 2006, 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import numpy as np

from textclust.engine.feature_spaces import in_feature_space, mapped, on_landmarks
from textclust.engine.problem import Problem, Start
from textclust.engine.restarts import candidate_starts
from textclust.engine.spectral_starts import spectral_starts, starts_in_feature_space
from textclust.engine.starts import kmeans_plus_plus
from textclust.errors import InputError
from textclust.geometry import KERNELS
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.expansion import Mapped, UnitEuclidean
from textclust.geometry.feature_space import InFeatureSpace
from textclust.geometry.similarity import (
    KernelFunction,
    KernelValues,
    NearestCosines,
    PrecomputedKernel,
    refuse_too_many,
    symmetric_graph,
)
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver
from textclust.methods.kmeans import generator
from textclust.methods.learners.kernel_width import median_squared_distance
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings

__all__ = ["SSKernelKMeansSolver"]

_SAMPLE = 1_000  # documents whose distances say how wide a kernel is
_USUAL = 1 / 8  # of their median squared distance
_SMOOTH = 1 / 2  # of the same: a kernel that few landmarks can tell


@dataclass(repr=False, eq=False)
class SSKernelKMeansSolver(HMRFKMeansSolver):
    """Documents and the links between them decide the labels together, in feature space."""

    rules: ClassVar[Parameters] = parameters.KERNEL

    _: KW_ONLY
    distortion: DistortionLike = "euclidean"
    kernel: str = "rbf"
    width: float | str = "auto"
    degree: int = 3
    n_neighbors: int = 15
    cut: str | None = "auto"
    n_landmarks: int | None = None

    def published(self) -> Settings:
        """The links as given, each of weight 1, and farthest-first over their neighbourhoods."""
        return {**super().published(), "entailed": False}

    def describe(self) -> str:
        """What the method is run with, in words."""
        if self.kernel == "neighbours":
            words = f"the graph of {self.n_neighbors} nearest neighbours"
        elif self.kernel == "precomputed":
            words = "a kernel or graph given"
        else:
            words = f"{'an' if self.kernel == 'rbf' else 'a'} {self.kernel} kernel"
        if self.n_landmarks is not None:
            words += f" on {self.n_landmarks} landmarks"
        return words if self._cut is None else f"{words} and {self._cut} cut"

    def _problem(self, X: Matrix, weights: Array | None = None) -> Problem:
        """The question without links, in feature space."""
        plain, cut = self._outside(X, weights), self._cut
        if self.n_landmarks is not None:
            return self._on_landmarks(plain, cut)
        if self.kernel == "precomputed":
            return in_feature_space(plain, symmetric_graph(plain.X), PrecomputedKernel(), cut)
        if self.kernel == "neighbours":
            nearest = NearestCosines(plain.X, self.n_neighbors)
            return in_feature_space(plain, nearest.graph(), nearest, cut)
        if cut is None and self.kernel in ("linear", "cosine"):
            return plain if self.kernel == "linear" else mapped(plain, UnitEuclidean())
        refuse_too_many(plain.X.shape[0])
        seen = KernelValues(self._function(plain), plain.X)
        return in_feature_space(plain, seen.with_fitted(plain.X), seen, cut)

    def _outside(self, X: Matrix, weights: Array | None) -> Problem:
        """The same among the rows as they are, outside feature space."""
        plain = super()._problem(X, weights)
        self._refuse_misfit(plain)
        return plain

    def _on_landmarks(self, plain: Problem, cut: str | None) -> Problem:
        if self.kernel not in KERNELS or cut is not None:
            known = ", ".join(map(repr, KERNELS))
            raise InputError(
                f"n_landmarks is for the kernels {known}, without a cut; name one of these"
            )
        rng = generator(self.random_state)
        return on_landmarks(plain, self._function(plain), int(self.n_landmarks or 0), rng)

    def _refuse_misfit(self, plain: Problem) -> None:
        """Raise an InputError where `init` is centres of something else."""
        n, d = plain.X.shape
        shape = () if isinstance(self.init, str) else np.shape(self.init)
        if len(shape) == 2 and shape != (plain.k, d):
            raise InputError(
                f"init must be {plain.k} centres of {d} features or one label per document ({n}); "
                f"got an array of shape {shape}"
            )

    @property
    def _cut(self) -> str | None:
        if self.cut == "auto":
            return "normalised" if self.kernel == "neighbours" else None
        return self.cut

    def _function(self, plain: Problem) -> KernelFunction:
        if self.kernel != "rbf" or self.width != "auto":
            width = 1.0 if self.width == "auto" else float(self.width)
            return KernelFunction(self.kernel, width, self.degree)
        from sklearn.metrics.pairwise import euclidean_distances

        drawn = np.random.default_rng(0).permutation(plain.X.shape[0])[:_SAMPLE]
        squares = euclidean_distances(plain.X[drawn], squared=True)
        square = median_squared_distance(squares, plain.weights[drawn])
        share = _USUAL if self.n_landmarks is None else _SMOOTH
        return KernelFunction("rbf", float(np.sqrt(share * square)))

    def price(self, problem: Problem) -> float:
        """What it costs to break a link of weight 1.

        "auto" for a cut is half of what a document adds, on average, to the similarity within
        clusters that the cut divides by their size.
        """
        space = problem.distortion
        if self.weight != "auto" or self._cut is None or not isinstance(space, InFeatureSpace):
            return super().price(problem)
        share = 0.5 * problem.k / float((problem.effective_weights > 0).sum())
        if self._cut == "normalised":
            return share
        gram = space.gram
        return share * float(gram.sum() - gram.diagonal().sum()) / gram.shape[0]

    def _starts(self, problem: Problem, rng: np.random.Generator) -> Iterator[Start]:
        """The starts that `init` names, in the space of the problem."""
        init, tries = self.init, None if self.n_init == "auto" else int(self.n_init)
        implicit = isinstance(problem.distortion, InFeatureSpace)
        if not isinstance(init, str):
            centres = np.asarray(init)
            given = centres if centres.ndim < 2 else _by_centres(problem, centres)
            return candidate_starts(problem, given, self.n_init, rng)
        if implicit and init == "auto":
            return starts_in_feature_space(problem, tries, rng)
        if implicit and init == "spectral":
            found = list(spectral_starts(problem, tries, rng))
            return iter(
                found or [kmeans_plus_plus(problem, rng)]
            )  # eigenvectors of few say nothing
        return candidate_starts(problem, "lsa" if init == "spectral" else init, self.n_init, rng)


def _by_centres(problem: Problem, centres: Array) -> Labels:
    """The centre that each document is most like."""
    space = problem.distortion
    if isinstance(space, InFeatureSpace):
        return np.asarray(space.similarity.with_fitted(centres).argmax(axis=0)).ravel()
    outside = space.outside if isinstance(space, Mapped) else space
    form = space.affine(outside.prepare(centres))
    return problem.backend.assign(form).labels
