"""Groups of near rows that stand for them where all are too many to be linked."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.assignment import make_backend
from textclust.geometry.euclidean import Euclidean
from textclust.methods.kmeans import KMeansSolver

__all__ = ["near_groups"]

_ITERATIONS = 5
_ROWS_PER_GROUP = 10  # that are looked at to find the groups


def near_groups(
    vectors: Array, example: Labels, most: int, rng: np.random.Generator, threads: int | None
) -> Labels:
    """The group of each row: itself where rows are no more than `most`, else by k-means.

    No group has rows of two examples, or of one and of none.
    """
    if len(vectors) <= most:
        return np.arange(len(vectors))
    groups = np.empty(len(vectors), dtype=np.intp)
    begin = 0
    for number in np.unique(example):
        rows = np.flatnonzero(example == number)
        k = max(1, round(most * len(rows) / len(vectors)))
        _, own = np.unique(_grouped(vectors[rows], k, rng, threads), return_inverse=True)
        groups[rows] = begin + own
        begin += int(own.max()) + 1
    return groups


def _grouped(vectors: Array, k: int, rng: np.random.Generator, threads: int | None) -> Labels:
    if k >= len(vectors):
        return np.arange(len(vectors))
    few = rng.choice(len(vectors), min(len(vectors), _ROWS_PER_GROUP * k), replace=False)
    solver = KMeansSolver(
        k,
        init="k-means++",
        n_init=1,
        max_iter=_ITERATIONS,
        refine=False,
        n_jobs=threads,
        random_state=rng,
    )
    prototypes = solver.solve(vectors[few]).prototypes
    return make_backend(vectors, threads).assign(Euclidean().affine(prototypes)).labels
