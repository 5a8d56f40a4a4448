"""Matrices like those of texts: Zipf-like term frequencies, planted clusters, unit rows.

A row draws its terms from a ranking that all rows share, from the own words of its
cluster, and from those of a second cluster it leans to; common terms weigh less, as
under TF-IDF. Rows come in blocks, so a matrix can be written to disk as it grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Block", "Embedded", "Planted"]

_ROWS = 10_000  # in a block
_SHARED, _LEANING = 0.3, 0.1  # of the draws
_OWN_WORDS = 200  # of a cluster, at least
_SHARED_FLATTENING, _OWN_FLATTENING = 20, 10  # ranks up to which frequencies hardly fall
_DENSE_LEANING = np.float32(0.5)  # to the second cluster of a dense row
_LEADING_FEATURES = 10  # of a dense row, that hardly fall off


class Block(NamedTuple):
    """Rows with equally many terms: one row of each array a document."""

    terms: Any
    weights: Any
    clusters: Any


@dataclass(frozen=True)
class Planted:
    """n documents of d terms in k clusters, each with `terms` of them; the same every time."""

    n: int
    d: int
    k: int
    terms: int

    def blocks(self) -> Iterator[Block]:
        """The rows, some at a time."""
        rng = np.random.default_rng(1)
        for begin in range(0, self.n, _ROWS):
            rows = min(_ROWS, self.n - begin)
            clusters = rng.integers(self.k, size=rows, dtype=np.int32)
            terms = self._terms(rng, clusters)
            times = rng.geometric(0.7, size=terms.shape)
            weights = np.log(self._rank[terms] + _SHARED_FLATTENING) * (1.0 + np.log(times))
            weights /= np.linalg.norm(weights, axis=1, keepdims=True)
            yield Block(terms, weights, clusters)

    @cached_property
    def _shared(self) -> Any:
        """All terms, the most frequent first."""
        return np.random.default_rng(2).permutation(self.d).astype(np.int32)

    @cached_property
    def _rank(self) -> Any:
        return np.argsort(self._shared)

    @cached_property
    def _own(self) -> Any:
        """The own words of every cluster, the most frequent first."""
        words = min(self.d, max(_OWN_WORDS, self.d // 100))
        rng = np.random.default_rng(3)
        own = np.empty((self.k, words), dtype=np.int32)
        for cluster in range(self.k):
            own[cluster] = rng.permutation(self.d)[:words]
        return own

    def _terms(self, rng: np.random.Generator, clusters: Any) -> Any:
        """Ascending distinct terms of each row; rows that drew too few draw again, and more."""
        terms = np.empty((len(clusters), self.terms), dtype=np.int32)
        leanings = rng.integers(self.k, size=len(clusters))
        lacking, draws = np.arange(len(clusters)), 3 * self.terms
        while len(lacking):
            drawn = np.sort(self._drawn(rng, clusters[lacking], leanings[lacking], draws), axis=1)
            order = rng.random(drawn.shape)
            order[:, 1:][drawn[:, 1:] == drawn[:, :-1]] = 2.0
            enough = (order < 1.0).sum(axis=1) >= self.terms
            chosen = np.argpartition(order[enough], self.terms - 1, axis=1)[:, : self.terms]
            kept = np.take_along_axis(drawn[enough], np.sort(chosen, axis=1), axis=1)
            terms[lacking[enough]] = kept
            lacking, draws = lacking[~enough], 2 * draws
        return terms

    def _drawn(self, rng: np.random.Generator, clusters: Any, leanings: Any, draws: int) -> Any:
        shape = (len(clusters), draws)
        chance = rng.random(shape)
        topic = np.where(chance < _SHARED + _LEANING, leanings[:, None], clusters[:, None])
        own = self._own[topic, _zipf(rng, shape, self._own.shape[1], _OWN_FLATTENING)]
        shared = self._shared[_zipf(rng, shape, self.d, _SHARED_FLATTENING)]
        return np.where(chance < _SHARED, shared, own)


@dataclass(frozen=True)
class Embedded:
    """n unit rows of d dense float32 features in k clusters; the same every time.

    A row is the direction of its cluster, leaning to that of a second one, plus noise; the
    features fall off in size, as the principal components of embeddings of texts do.
    """

    n: int
    d: int
    k: int

    def rows(self) -> tuple[Any, Any]:
        """The matrix, and the cluster of each row."""
        rng = np.random.default_rng(1)
        clusters, second = rng.integers(self.k, size=(2, self.n))
        directions = rng.standard_normal((self.k, self.d), dtype=np.float32)
        X = rng.standard_normal((self.n, self.d), dtype=np.float32)
        X += directions[clusters] + _DENSE_LEANING * directions[second]
        X /= np.sqrt(1.0 + np.arange(self.d, dtype=np.float32) / _LEADING_FEATURES)
        return X / np.linalg.norm(X, axis=1, keepdims=True), clusters


def _zipf(rng: np.random.Generator, shape: tuple[int, int], ranks: int, flattening: int) -> Any:
    """Ranks from 0, drawn in proportion to 1 / (rank + flattening)."""
    cumulative = np.cumsum(1.0 / (np.arange(ranks) + flattening))
    return np.searchsorted(cumulative, rng.random(shape) * cumulative[-1]).clip(max=ranks - 1)
