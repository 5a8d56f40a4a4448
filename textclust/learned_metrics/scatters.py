"""Scatters of pairs: of those within examples and linked, and of those across examples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.parameters import RandomState
from textclust.supervision.example_rows import example_labels

__all__ = ["across", "around_means", "cannot_links", "of_pairs", "scatter", "squares_of_pairs"]


def scatter(rows: Array) -> Array:
    centred = rows - rows.mean(axis=0)
    return np.asarray(centred.T @ centred)


def of_pairs(X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
    """The mean of (x - y)(x - y)' over the pairs within examples and those that are linked.

    Over all pairs of m rows the sum is m times their scatter; over the edges of a graph it
    is X' L X, with L its Laplacian.
    """
    total = np.zeros((X.shape[1], X.shape[1]))
    pairs = 0.0
    for rows in examples:
        total += len(rows) * scatter(X[rows])
        pairs += len(rows) * (len(rows) - 1) / 2
    if links is not None:
        graph = others(links, examples, len(X))
        degrees = np.asarray(graph.sum(axis=1)).ravel()
        total += (X.T * degrees) @ X - X.T @ (graph @ X)
        pairs += degrees.sum() / 2
    return total / max(pairs, 1.0)


def squares_of_pairs(X: Matrix, examples: Sequence[Labels], links: Matrix | None) -> Array:
    """The sum of (x - y)^2 over the same pairs, by feature; X may be sparse."""
    if not sp.issparse(X):
        X = X - X.mean(axis=0)
    squares = X.multiply(X).tocsr() if sp.issparse(X) else X**2
    total = np.zeros(X.shape[1])
    for rows in examples:
        total += len(rows) * squares[rows].sum(axis=0) - X[rows].sum(axis=0) ** 2
    if links is not None:
        graph = others(links, examples, X.shape[0])
        products = X.multiply(graph @ X) if sp.issparse(X) else X * (graph @ X)
        total += squares.T @ graph.sum(axis=1) - products.sum(axis=0)
    return np.maximum(total, 0.0)


def others(links: Matrix, examples: Sequence[Labels], n: int) -> Matrix:
    """The links as a symmetric graph without loops, but for pairs that examples speak of."""
    graph = sp.coo_array(links)
    if graph.shape != (n, n):
        raise InputError(f"links must be {n} x {n}, as X has {n} rows; got {graph.shape}")
    example = example_labels(examples, n)
    left, right = graph.coords
    kept = (graph.data != 0) & (left != right) & (example[left] < 0) & (example[right] < 0)
    ends = np.r_[left[kept], right[kept]], np.r_[right[kept], left[kept]]
    found = sp.coo_array((np.ones(len(ends[0])), ends), shape=(n, n)).tocsr()
    found.data[:] = 1.0
    return found


def around_means(X: Array, examples: Sequence[Labels]) -> Array:
    """A_CL of eq. (3): the scatter of the rows outside each example around its mean."""
    total, count = np.zeros((X.shape[1], X.shape[1])), 0
    for rows in examples:
        outside = np.delete(X, rows, axis=0) - X[rows].mean(axis=0)
        total += outside.T @ outside
        count += len(outside)
    return total / count if count else np.eye(X.shape[1])


def across(X: Array, examples: Sequence[Labels]) -> Array:
    """The mean of (x - y)(x - y)' over pairs of a row in an example and one outside it.

    That is over all pairs but those within an example and those outside all of them.
    """
    outside = np.delete(np.arange(len(X)), np.concatenate([*examples, np.zeros(0, np.intp)]))
    total, pairs = len(X) * scatter(X), len(X) * (len(X) - 1) / 2
    for rows in (*examples, outside):
        if len(rows):
            total -= len(rows) * scatter(X[rows])
            pairs -= len(rows) * (len(rows) - 1) / 2
    return total / pairs if pairs else np.eye(X.shape[1])


def cannot_links(
    examples: Sequence[Labels], n: int, most: int, random_state: RandomState
) -> tuple[Labels, Labels]:
    """Pairs of a row in an example and one outside it, all or as many as asked for."""
    example = example_labels(examples, n)
    inside = np.flatnonzero(example >= 0)
    if len(inside) * n <= most:
        left, right = np.repeat(inside, n), np.tile(np.arange(n), len(inside))
    else:
        rng = np.random.default_rng(random_state)
        left, right = rng.choice(inside, most), rng.integers(n, size=most)
    twice = (example[right] >= 0) & (left > right)  # the same pair comes from its other end
    apart = (example[left] != example[right]) & ~twice
    return left[apart], right[apart]
