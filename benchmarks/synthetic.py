"""Matrices like those of texts: Zipf-like term frequencies, planted clusters, unit rows.

A row's terms are drawn partly from a ranking that all share and partly from its
cluster's own; common terms weigh less, as under TF-IDF. Rows come in blocks, so that a
matrix larger than memory can be written to disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Block", "Planted"]

_ROWS = 10_000  # in a block
_SHARED = 0.6  # of the draws come from the ranking that all clusters share
_FLATTENING = 20  # the rank at which frequencies begin to fall like 1 / rank


class Block(NamedTuple):
    """Rows with equally many terms: one row of each array a document."""

    terms: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float64]
    clusters: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Planted:
    """n documents of d terms in k clusters, each with `terms` of them; the same every time."""

    n: int
    d: int
    k: int
    terms: int
    seed: int = 0

    def blocks(self) -> Iterator[Block]:
        """The rows, some at a time."""
        rng = np.random.default_rng(self.seed)
        frequency = 1.0 / (np.arange(self.d) + _FLATTENING)
        cumulative = np.cumsum(frequency / frequency.sum())
        shared = rng.permutation(self.d)
        own = np.argsort(rng.random((self.k, self.d)), axis=1).astype(np.int32)
        rarity = np.empty(self.d)
        rarity[shared] = np.log(np.arange(self.d) + _FLATTENING)
        for begin in range(0, self.n, _ROWS):
            clusters = rng.integers(self.k, size=min(_ROWS, self.n - begin), dtype=np.int32)
            terms = self._terms(rng, clusters, cumulative, shared, own)
            weights = rarity[terms] * (1.0 + np.log(rng.geometric(0.7, size=terms.shape)))
            weights /= np.linalg.norm(weights, axis=1, keepdims=True)
            yield Block(terms, weights, clusters)

    def _terms(self, rng, clusters, cumulative, shared, own):  # type: ignore[no-untyped-def]
        """Ascending distinct terms; rows that drew too few are drawn again, and longer."""
        terms = np.empty((len(clusters), self.terms), dtype=np.int32)
        lacking, draws = np.arange(len(clusters)), 2 * self.terms
        while len(lacking):
            shape = (len(lacking), draws)
            ranks = np.searchsorted(cumulative, rng.random(shape)).clip(max=self.d - 1)
            drawn = own[clusters[lacking, None], ranks]
            drawn = np.where(rng.random(shape) < _SHARED, shared[ranks], drawn)
            drawn.sort(axis=1)
            chance = rng.random(shape)
            chance[:, 1:][drawn[:, 1:] == drawn[:, :-1]] = 2.0
            enough = (chance < 1.0).sum(axis=1) >= self.terms
            chosen = np.argpartition(chance[enough], self.terms - 1, axis=1)[:, : self.terms]
            chosen.sort(axis=1)
            terms[lacking[enough]] = np.take_along_axis(drawn[enough], chosen, axis=1)
            lacking, draws = lacking[~enough], 2 * draws
        return terms
