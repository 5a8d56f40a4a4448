"""Spherical k-means in few dense dimensions, several restarts at once.

It is what `minimise` does after `kmeans_plus_plus`, for a start and not for a result: in
single precision, and every step of all tries in one product. By itself a try is so small
that more time would go into asking for its steps than into taking them, so it has a loop
of its own.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels
from textclust.geometry.rows import squared_norms
from textclust.progress import track
from textclust.stopping import due, while_allowed
from textclust.threads import share, thread_count

__all__ = ["best_labels"]

_MANY = 200  # clusters,
_ROWS_PER_CLUSTER = 20  # among which each of so many is drawn
_ENTRIES = 1 << 17  # of a table of similarities, which a thread holds at a time


def best_labels(
    vectors: Array,
    weights: Array,
    k: int,
    rng: np.random.Generator,
    *,
    tries: int,
    max_iter: int,
    threads: int | None = None,
) -> Labels:
    """Labels for the rows in k clusters: those of the try that ends with the lowest energy."""
    lengths = np.sqrt(squared_norms(vectors))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    X = np.ascontiguousarray(vectors * scale[:, None], dtype=np.float32)
    weights = np.where(lengths > 0, weights, 0.0).astype(np.float32)
    runs = _Restarts(X, weights, X[_drawn(X, weights, k, rng, tries)], thread_count(threads))
    iterations = while_allowed(range(max_iter))
    for _ in track(iterations, f"starting in {X.shape[1]} dimensions", max_iter):
        if not runs.step():
            break
    return runs.labels[:, runs.energies.argmin()].astype(np.intp)


class _Restarts:
    """Tries that go on for as long as documents move; those at rest are left alone."""

    def __init__(self, X: Array, weights: Array, prototypes: Array, threads: int) -> None:
        self.X, self.weights, self.prototypes, self.threads = X, weights, prototypes, threads
        tries = len(prototypes)
        self.labels = np.full((len(X), tries), -1, dtype=np.int32)
        self.energies = np.zeros(tries)  # less the total of the weights
        self.moving = np.arange(tries)

    def step(self) -> bool:
        """One iteration of every try that moves; whether any still does."""
        prototypes = self.prototypes[self.moving]
        labels = _nearest(self.X, prototypes, self.threads)
        self._refill(labels, prototypes)
        sums = self._sums(labels, prototypes.shape[1])
        lengths = np.sqrt(np.einsum("thm,thm->th", sums, sums))
        filled = lengths > 0
        prototypes[filled] = sums[filled] / lengths[filled][:, None]
        moved = (labels != self.labels[:, self.moving]).any(axis=0)
        self.prototypes[self.moving], self.labels[:, self.moving] = prototypes, labels
        self.energies[self.moving] = -lengths.sum(axis=1, dtype=np.float64)
        self.moving = self.moving[moved]
        return len(self.moving) > 0

    def _sums(self, labels: Array, k: int) -> Array:
        """The weighted sum of the rows of every cluster of every try."""
        n, tries = labels.shape
        cells = (labels + k * np.arange(tries, dtype=np.int32)).ravel()
        ends = np.arange(0, n * tries + 1, tries)
        member = sp.csc_array((np.repeat(self.weights, tries), cells, ends), shape=(tries * k, n))
        return np.asarray(member @ self.X).reshape(tries, k, -1)

    def _refill(self, labels: Array, prototypes: Array) -> None:
        """Give each empty cluster the document that fits its own cluster worst, where one does."""
        k = prototypes.shape[1]
        for t, centres in enumerate(prototypes):
            own = labels[:, t]
            sizes = np.bincount(own[self.weights > 0], minlength=k)
            if sizes.all():
                continue
            loss = self.weights * (1.0 - np.einsum("im,im->i", self.X, centres[own]))
            for empty in np.flatnonzero(sizes == 0):
                worst = int(np.where(sizes[own] > 1, loss, 0.0).argmax())
                if loss[worst] <= 0 or sizes[own[worst]] <= 1:
                    break
                sizes[own[worst]] -= 1
                sizes[empty] += 1
                own[worst], loss[worst] = empty, 0.0


def _nearest(X: Array, prototypes: Array, threads: int) -> Array:
    """The nearest prototype of every row, one column for each try."""
    tries, k, _ = prototypes.shape
    flat = np.ascontiguousarray(prototypes.reshape(tries * k, -1).T)
    labels: Array = np.empty((len(X), tries), dtype=np.int32)

    def find(begin: int, end: int) -> None:
        similar = (X[begin:end] @ flat).reshape(-1, tries, k)
        labels[begin:end] = similar.argmax(axis=2)

    step = max(1, _ENTRIES // (tries * k))
    share(find, [*range(0, len(X), step), len(X)], threads)
    return labels


def _drawn(X: Array, weights: Array, k: int, rng: np.random.Generator, tries: int) -> Labels:
    """Rows to start from, k for each try, drawn as `kmeans_plus_plus` draws them.

    Of many clusters each is drawn among few rows, and the best of fewer draws. Where the search is
    to stop, those that are missing are any others.
    """
    if k >= _MANY and len(X) > _ROWS_PER_CLUSTER * k:
        some = np.sort(rng.choice(len(X), _ROWS_PER_CLUSTER * k, replace=False))
        return np.asarray(some[_drawn(X[some], weights[some], k, rng, tries)])
    draws = 2 + int(np.log(k)) if k < _MANY else 3
    chosen = np.empty((tries, k), dtype=np.intp)
    loss = np.ones((tries, len(X)), dtype=np.float32)
    for h in range(k):
        if h and due():
            for own in chosen:
                own[h:] = _any_others(own[:h], weights, k - h, rng)
            break
        candidates = _rows_by_chance(weights * loss, rng.random((tries, draws if h else 1)))
        apart = np.maximum(1.0 - X[candidates.ravel()] @ X.T, 0.0).reshape(*candidates.shape, -1)
        remaining = np.minimum(loss[:, None], apart, out=apart)
        best = (remaining @ weights).argmin(axis=1)
        each = np.arange(tries)
        chosen[:, h], loss = candidates[each, best], remaining[each, best]
    return chosen


def _any_others(chosen: Labels, weights: Array, count: int, rng: np.random.Generator) -> Labels:
    """So many rows of any weight that are not chosen yet; some twice, if there are too few."""
    able = np.setdiff1d(np.flatnonzero(weights > 0), chosen)
    able = able if len(able) else chosen
    return rng.choice(able, count, replace=len(able) < count)


def _rows_by_chance(chances: Array, points: Array) -> Labels:
    """For every point between 0 and 1 the row whose share it falls into; any, if there is none."""
    running = np.cumsum(chances, axis=1, dtype=np.float64)
    running[running[:, -1] <= 0] = np.arange(1, chances.shape[1] + 1)
    found = [
        np.minimum(
            np.searchsorted(shares, point * shares[-1], side="right"),
            np.searchsorted(shares, shares[-1]),  # where a product of tiny numbers is rounded up
        )
        for shares, point in zip(running, points, strict=True)
    ]
    return np.asarray(found)
