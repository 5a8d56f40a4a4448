"""The latent start: k-means in a small latent space, then the full space.

In thousands of dimensions a few hundred documents are all about equally far from each
other, and every start is a trap. A truncated SVD of the matrix (LSA) keeps the
directions that many documents share; spherical k-means finds its way there, and its
labels start the loop in the full space. Large collections are sampled first: the start
has to be good, not final.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import Cosine
from textclust.geometry.kernel import moments
from textclust.methods.loop import minimise
from textclust.methods.problem import Problem, Start
from textclust.methods.starts import kmeans_plus_plus
from textclust.progress import track

__all__ = ["dimensions", "latent_starts", "latent_vectors"]

_SAMPLE = 5_000  # documents to start from, at least,
_SAMPLE_PER_CLUSTER = 100  # and this many for each cluster
_PASSES = 5  # of the randomised SVD over the matrix
_ITERATIONS = 50


def dimensions(n: int, d: int) -> list[int]:
    """The sizes of latent space to try: about n/30 between 5 and 100, half and twice that."""
    middle = min(100, max(5, n // 30))
    sizes = {max(5, middle // 2), middle, min(100, 2 * middle)}
    return sorted({min(size, n - 1, d - 1) for size in sizes} - {0, -1})


def latent_starts(problem: Problem, rng: np.random.Generator, tries: int) -> list[Start]:
    """One start for each size of latent space, the best of `tries` there by energy."""
    rows = _sample(problem, rng)
    X, weights = problem.X[rows], problem.weighty[rows]
    sizes = dimensions(*X.shape)
    vectors = latent_vectors(X, max(sizes), rng)
    starts = []
    for size in sizes:
        labels = _best_labels(vectors[:, :size], weights, problem.k, rng, tries)
        starts.append(Start(moments(X, labels, weights, problem.k)))
    return starts


def latent_vectors(X: Matrix, size: int, rng: np.random.Generator) -> Array:
    """The rows of X in the `size` leading directions of its truncated SVD."""
    from sklearn.utils.extmath import randomized_svd

    seed = int(rng.integers(2**31))
    left, values, _ = randomized_svd(X, size, n_iter=_PASSES, random_state=seed)
    return np.asarray(left * values)


def _sample(problem: Problem, rng: np.random.Generator) -> Labels:
    candidates = np.flatnonzero(problem.weighty > 0)
    size = max(_SAMPLE, _SAMPLE_PER_CLUSTER * problem.k)
    if len(candidates) <= size:
        return candidates
    return np.sort(rng.choice(candidates, size, replace=False))


def _best_labels(
    vectors: Array, weights: Array, k: int, rng: np.random.Generator, tries: int
) -> Labels:
    cosine = Cosine()
    latent = Problem(cosine.prepare(vectors), cosine, k, weights)
    runs = (
        minimise(latent, kmeans_plus_plus(latent, rng), max_iter=_ITERATIONS, tol=0.0, rng=rng)
        for _ in track(range(tries), f"starting in {vectors.shape[1]} dimensions", tries)
    )
    return min(runs, key=lambda solution: solution.energy).labels
