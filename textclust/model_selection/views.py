"""What a collection looks like to the criteria: where it is clustered, and where it is weighed.

Texts have thousands of terms, in which nothing can be said from a few clusterings; they are
clustered in a small latent space and, for the criteria that weigh scatter against the number
of clusters, from there in the full one. Points of few features are clustered as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust import geometry
from textclust.engine.batched_restarts import best_labels
from textclust.engine.latent_starts import latent_vectors
from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Start
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import make_backend, moments
from textclust.geometry.cosine import Cosine
from textclust.geometry.rows import squared_norms
from textclust.methods.kmeans import KMeansSolver
from textclust.model_selection.criteria import effective_dimension

__all__ = ["View", "scatter"]

_MANY_TERMS = 100  # from here on a latent space pays
_DIRECTIONS = 20  # of it, or as many as the most clusters
_TRIES = 4
_ITERATIONS = 20
_POLISH = 10  # iterations in the full space


@dataclass(frozen=True)
class View:
    """Rows as they are weighed, and the vectors of the same rows that they are clustered by."""

    X: Matrix
    vectors: Matrix
    dimension: float
    distortion: geometry.Distortion
    threads: int

    @classmethod
    def of(
        cls,
        X: Matrix,
        distortion: geometry.Distortion,
        most: int,
        rng: np.random.Generator,
        threads: int,
    ) -> View:
        """The view of prepared rows for up to `most` clusters."""
        n, d = X.shape
        if d <= _MANY_TERMS or n <= 2 * _DIRECTIONS:
            return cls(X, X, float(d) if d <= _MANY_TERMS else 1.0, distortion, threads)
        size = min(max(_DIRECTIONS, most), n - 1, d - 1)
        vectors = latent_vectors(X, size, rng, threads)
        return cls(X, vectors, effective_dimension(X, rng), distortion, threads)

    @property
    def is_latent(self) -> bool:
        """Whether the rows are clustered elsewhere than they are weighed."""
        return self.vectors is not self.X

    def labels(self, k: int, rng: np.random.Generator) -> Labels:
        """Every row in one of k clusters, at rest among the rows as they are."""
        found = self.clusters(np.arange(self.X.shape[0]), k, rng)
        if not self.is_latent or k == 1:
            return found
        each = np.ones(len(found))
        problem = Problem(self.X, self.distortion, k, each, threads=self.threads)
        start = Start(moments(self.X, found, each, k))
        return minimise(problem, start, max_iter=_POLISH, tol=1e-4, rng=rng, roughly=True).labels

    def clusters(self, rows: Labels, k: int, rng: np.random.Generator) -> Labels:
        """Every row by the nearest of k prototypes that some rows were clustered to."""
        if k == 1:
            return np.zeros(self.X.shape[0], dtype=np.intp)
        if not self.is_latent:
            return self._among_features(rows, k, rng)
        vectors, each = self.vectors[rows], np.ones(len(rows))
        labels = best_labels(
            vectors, each, k, rng, tries=_TRIES, max_iter=_ITERATIONS, threads=self.threads
        )
        centres = Cosine().prototypes(*moments(self._unit_vectors[rows], labels, each, k))
        return np.asarray((self._unit_vectors @ centres.T).argmax(axis=1), dtype=np.intp)

    @cached_property
    def _unit_vectors(self) -> Matrix:
        return Cosine().prepare(self.vectors)

    def _among_features(self, rows: Labels, k: int, rng: np.random.Generator) -> Labels:
        found = KMeansSolver(
            k,
            distortion=self.distortion,
            init="k-means++",
            n_init=_TRIES,
            max_iter=_ITERATIONS,
            refine=False,
            n_jobs=self.threads,
            random_state=rng,
        ).solve(self.X[rows])
        form = found.distortion.affine(found.prototypes)
        return make_backend(self.X, self.threads).assign(form).labels

    def some(self, most: int, rng: np.random.Generator) -> View:
        """The same of a random choice of rows, where there are more."""
        n = self.X.shape[0]
        if n <= most:
            return self
        rows = np.sort(rng.choice(n, most, replace=False))
        part = self.X[rows]
        vectors = self.vectors[rows] if self.is_latent else part
        return View(part, vectors, self.dimension, self.distortion, self.threads)

    def without_clusters(self, rng: np.random.Generator) -> View:
        """Reference data that has what this has but the clusters.

        Of texts, every occurrence of a term in a document drawn anew: terms stay as frequent and
        documents as long as they are. Of points, uniform in the box of their principal axes
        (Tibshirani, Walther and Hastie 2001).
        """
        drawn = _shuffled(self.X, rng) if sp.issparse(self.X) else _uniform(self.X, rng)
        X = self.distortion.prepare(drawn)
        if not self.is_latent:
            return View(X, X, self.dimension, self.distortion, self.threads)
        vectors = latent_vectors(X, self.vectors.shape[1], rng, self.threads)
        return View(X, vectors, self.dimension, self.distortion, self.threads)


def scatter(X: Matrix, labels: Labels) -> float:
    """The sum of squared distances of rows from the means of their clusters."""
    k = int(labels.max()) + 1
    sums, masses = moments(X, labels, np.ones(len(labels)), k)
    explained = squared_norms(sums) / np.maximum(masses, 1.0)
    return float(max(squared_norms(X).sum() - explained.sum(), 0.0))


def _shuffled(X: Matrix, rng: np.random.Generator) -> Matrix:
    rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    return sp.csr_array((X.data, (rng.permutation(rows), X.indices)), shape=X.shape)


def _uniform(X: Array, rng: np.random.Generator) -> Array:
    centre = X.mean(axis=0)
    _, axes = np.linalg.eigh((X - centre).T @ (X - centre))
    along = (X - centre) @ axes
    return np.asarray(rng.uniform(along.min(axis=0), along.max(axis=0), X.shape) @ axes.T + centre)
