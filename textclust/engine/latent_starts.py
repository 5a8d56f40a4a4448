"""The latent start: k-means in a small latent space, then the full space.

In thousands of dimensions a few hundred documents are all about equally far from each
other, and every start is a trap. A truncated SVD of the matrix (LSA) keeps the
directions that many documents share; spherical k-means finds its way there, and its
labels start the loop in the full space. Large collections are sampled first: the start
has to be good, not final.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import scipy.sparse as sp

from textclust.engine.batched_restarts import best_labels
from textclust.engine.loop import minimise
from textclust.engine.problem import Problem, Start
from textclust.engine.starts import kmeans_plus_plus
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import Cosine
from textclust.geometry.products import product
from textclust.progress import track
from textclust.stopping import while_allowed

__all__ = ["Draw", "best_in_space", "dimensions", "latent_starts", "latent_vectors"]

Draw = Callable[[Problem, np.random.Generator], Start]

_SAMPLE = 3_000  # documents to start from, at least,
_SAMPLE_PER_CLUSTER = 100  # and this many for each cluster
_MANY = 200  # clusters: from here on a start takes longer than what it saves, unless it is rough,
_ROUGH_SAMPLE_PER_CLUSTER = 40  # with fewer documents
_ROUGH_ITERATIONS = 8  # and fewer iterations, in one space
_PASSES = 4  # of the randomised SVD over the matrix
_SPARE = 8  # directions beyond those asked for
_SINGLE = (1e-3, 1e6)  # largest values that single precision has room for around
_VANISHING = 1e-12  # of the largest square of a length
_ITERATIONS = 20
_TRIED = 18_000  # documents in all tries together


def dimensions(n: int, d: int) -> list[int]:
    """The sizes of latent space to try: about n/30 between 5 and 100, half and twice that."""
    middle = min(100, max(5, n // 30))
    sizes = {max(5, middle // 2), middle, min(100, 2 * middle)}
    return sorted({min(size, n - 1, d - 1) for size in sizes} - {0, -1})


def latent_starts(
    problem: Problem,
    rng: np.random.Generator,
    tries: int | None,
    draws: Sequence[Draw] = (kmeans_plus_plus,),
) -> Iterator[Start]:
    """One start for each size of latent space, the best of `tries` there by energy.

    None is ten tries where there are few documents, and fewer where each says more. The
    tries begin with each of `draws` in turn; what bears on the labels bears on them there.
    """
    rows = _sample(problem, rng)
    X, weights = problem.X[rows], problem.effective_weights[rows]
    tries = tries or min(10, max(1, _TRIED // len(rows)))
    sizes = dimensions(*X.shape)
    if problem.k >= _MANY:
        sizes = sizes[-1:]
    vectors = latent_vectors(X, max(sizes), rng, problem.threads)
    for size in sizes:
        latent = problem.seen_as(vectors[:, :size], Cosine(), rows)
        labels = best_in_space(latent, draws, rng, max(tries, len(draws)))
        yield Start(problem.moments(X, labels, weights))


def latent_vectors(
    X: Matrix, size: int, rng: np.random.Generator, threads: int | None = None
) -> Array:
    """The rows of X in the `size` leading directions of its truncated SVD.

    Subspace iteration from a random start (Halko, Martinsson and Tropp 2011), in single
    precision; scikit-learn's takes longer to import than this to run. A search that is to stop
    makes fewer passes.
    """
    X = _in_single_precision(X)
    transposed = X.T.tocsr() if sp.issparse(X) else X.T  # whose rows are read one after another
    width = min(size + _SPARE, *X.shape)
    basis = rng.standard_normal((X.shape[0], width), dtype=np.float32)
    for _ in while_allowed(range(_PASSES)):
        basis = product(X, product(transposed, _orthonormal(basis), threads), threads)
    basis = _orthonormal(basis)
    projected = product(transposed, basis, threads)
    values, turn = np.linalg.eigh((projected.T @ projected).astype(np.float64))
    leading = np.argsort(-values)[:size]
    return np.asarray((basis @ turn[:, leading]) * np.sqrt(np.maximum(values[leading], 0.0)))


def _in_single_precision(X: Matrix) -> Matrix:
    """The same in float32, scaled where squares would leave its range: directions stay."""
    scale = _scale(X.data if sp.issparse(X) else X)
    return (X if scale == 1.0 else X * scale).astype(np.float32, copy=False)


def _scale(values: Array) -> float:
    """A power of two that brings the largest value near 1 where single precision needs that."""
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if largest == 0 or _SINGLE[0] <= largest <= _SINGLE[1]:
        return 1.0
    return float(2.0 ** -np.floor(np.log2(largest)))


def _orthonormal(basis: Array) -> Array:
    """The same span at right angles, nothing for directions that are not there.

    By the products of the columns, in double precision: a fifth of the work of QR.
    """
    exact = basis.astype(np.float64)
    values, turn = np.linalg.eigh(exact.T @ exact)
    there = values > _VANISHING * values[-1]
    scale = np.where(there, 1.0 / np.sqrt(np.where(there, values, 1.0)), 0.0)
    return np.asarray(basis @ (turn * scale).astype(np.float32))


def _sample(problem: Problem, rng: np.random.Generator) -> Labels:
    """Documents of any weight, those with potentials first."""
    candidates = np.flatnonzero(problem.effective_weights > 0)
    each = _SAMPLE_PER_CLUSTER if problem.k < _MANY else _ROUGH_SAMPLE_PER_CLUSTER
    size = max(_SAMPLE, _SAMPLE_PER_CLUSTER * min(problem.k, _MANY), each * problem.k)
    if len(candidates) <= size:
        return candidates
    is_free = problem.unconstrained_rows[candidates]
    bound, others = candidates[~is_free], candidates[is_free]
    if len(bound) >= size:
        return np.sort(rng.choice(bound, size, replace=False))
    drawn = rng.choice(others, size - len(bound), replace=False)
    return np.sort(np.concatenate([bound, drawn]))


def best_in_space(
    latent: Problem, draws: Sequence[Draw], rng: np.random.Generator, tries: int
) -> Labels:
    """The labels of lowest energy among tries in a small space, by each of `draws` in turn."""
    if len(latent.constrained_rows) == 0 and set(draws) == {kmeans_plus_plus}:
        weights, k = latent.effective_weights, latent.k
        weights = weights * _scale(weights)
        most = _ITERATIONS if k < _MANY else _ROUGH_ITERATIONS
        return best_labels(
            latent.X, weights, k, rng, tries=tries, max_iter=most, threads=latent.threads
        )
    what = f"starting in {latent.X.shape[1]} dimensions"
    numbers = track(while_allowed(range(tries)), what, tries)
    starts = (draws[t % len(draws)](latent, rng) for t in numbers)
    runs = (minimise(latent, s, max_iter=_ITERATIONS, tol=0.0, rng=rng) for s in starts)
    return min(runs, key=lambda solution: solution.energy).labels
