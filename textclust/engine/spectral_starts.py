"""Starts for kernel k-means: the same question relaxed, where eigenvectors answer it.

If labels need not be whole, the energy of weighted kernel k-means is lowest at the k leading
eigenvectors of W^1/2 K W^1/2 (Dhillon, Guan and Kulis 2004). Documents are clustered by their
directions among these, as Ng, Jordan and Weiss 2001 do, and that is where the loop begins.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from textclust.engine.latent_starts import best_in_space
from textclust.engine.neighbourhood_starts import neighbourhood_centroids, neighbourhoods_and_draws
from textclust.engine.problem import Problem, Start
from textclust.engine.starts import kmeans_plus_plus
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.cosine import Cosine
from textclust.geometry.feature_space import InFeatureSpace

__all__ = ["scaled", "spectral_starts", "starts_in_feature_space"]

_TRIES = 10
_PER_CLUSTER = 5  # documents, at least, for eigenvectors to say anything
_ITERATIONS = 100
_SPARE = 2  # eigenvectors beyond those asked for
_FEW = 50  # documents whose eigenvectors are worked out one and all


def starts_in_feature_space(
    problem: Problem, tries: int | None, rng: np.random.Generator
) -> Iterator[Start]:
    """Neighbourhoods far from each other, eigenvectors, and documents drawn far from each other."""
    guided = problem.interaction is not None and len(problem.interaction.neighbourhoods()) > 0
    draws = [kmeans_plus_plus, *([neighbourhoods_and_draws] if guided else [])]
    if guided:
        yield neighbourhood_centroids(problem, rng)
    yield from spectral_starts(problem, tries, rng)
    for t in range(max(tries or _TRIES, len(draws))):
        yield draws[t % len(draws)](problem, rng)


def spectral_starts(
    problem: Problem, tries: int | None, rng: np.random.Generator
) -> Iterator[Start]:
    """From the eigenvectors of K, and from those of K with every degree made the same."""
    space, weights = problem.distortion, problem.effective_weights
    assert isinstance(space, InFeatureSpace)
    rows = np.flatnonzero(weights > 0)
    if len(rows) < max(_PER_CLUSTER * problem.k, problem.k + 2):
        return
    some = space.gram if len(rows) == len(weights) else space.gram[rows][:, rows]
    relaxed = scaled(some, np.sqrt(weights[rows]))
    degrees = np.asarray(some @ weights[rows])
    tables = [relaxed]
    if space.degrees is None and degrees.min() > 0:
        tables.append(scaled(relaxed, 1.0 / np.sqrt(degrees)))
    for table in tables:
        vectors = _leading(table, problem.k, rng)
        latent = problem.seen_as(vectors, Cosine(), rows)
        labels = np.zeros(len(weights), dtype=np.intp)
        labels[rows] = best_in_space(latent, [kmeans_plus_plus], rng, tries or _TRIES)
        yield Start(labels=labels)


def scaled(values: Matrix, factors: Array) -> Matrix:
    """Each row and each column times its factor."""
    if sp.issparse(values):
        scale = sp.diags_array(factors)
        return sp.csr_array(scale @ values @ scale)
    return values * factors[:, None] * factors


def _leading(values: Matrix, count: int, rng: np.random.Generator) -> Array:
    """The eigenvectors of the largest eigenvalues, a column each."""
    n = values.shape[0]
    if n <= _FEW:
        return np.linalg.eigh(values @ np.eye(n))[1][:, -count:]
    from scipy.sparse.linalg import lobpcg

    block = rng.standard_normal((n, count + _SPARE))  # a graph in pieces has equal eigenvalues
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a start need not be exact
        found = lobpcg(values, block, largest=True, tol=1e-4, maxiter=_ITERATIONS)
    return np.asarray(found[1])[:, np.argsort(-found[0])[:count]]
