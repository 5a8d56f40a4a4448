"""Slopes in single precision as the core reads them: tiles, and postings of rare terms.

A tile holds a run of clusters, term by term. Where there are many clusters, a term that few
documents have is in the slopes of few of them: it has no row in the tiles but a list of these
clusters, as in an inverted index, so that what is read is mostly what is not zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.rows import STRETCHES, stretches

__all__ = ["Packed", "Packer", "Postings", "Rows", "TermSplit", "by_term", "csr_parts"]

_MANY = 128  # clusters, from where on postings pay
_CROWDED = 4  # a term has a row in the tiles if more than one cluster in so many may have it

_MORE = 4  # postings of a term there is room for, beyond twice those that it has
_TOGETHER = 1 << 15  # rows that are divided at a time

_POSTING = np.dtype([("cluster", np.int32), ("slope", np.float32)])
_COPY = 7e-7  # milliseconds to pack a slope, about
Share = Callable[[Callable[[int, int], None], int, float, Callable[[], Array] | None], None]
Rows = tuple[Array, Array, Array]  # of a CSR matrix: int64 ends, int32 columns, float32 values


@dataclass(frozen=True, eq=False)
class TermSplit:
    """Which terms have a row in every tile, and which have postings."""

    place: Array  # of each term among its kind; -1 less it for those with postings
    frequent: int  # how many have a row
    starts: Array  # where the postings of each of the others begin: there is room for its documents

    @classmethod
    def of(cls, columns: Array, d: int, k: int) -> TermSplit | None:
        """For k clusters of rows with these columns; None where every term is to have a row."""
        if k < _MANY:
            return None
        documents: Array = np.bincount(columns, minlength=d)
        rare: Array = documents * _CROWDED <= k
        if not rare.any():
            return None
        place = np.where(rare, np.cumsum(rare) * -1, np.cumsum(~rare) - 1).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(documents[rare])]).astype(np.int64)
        return cls(place, int(d - rare.sum()), starts)

    @classmethod
    def of_slopes(cls, counts: Array, documents: Array, k: int) -> TermSplit:
        """For slopes of which so many have each term, as many documents do; with room for more."""
        rare = counts.astype(np.int64) * _CROWDED <= k
        place = np.where(rare, np.cumsum(rare) * -1, np.cumsum(~rare) - 1).astype(np.int32)
        room = np.maximum(counts, np.minimum(documents, 2 * counts + _MORE))[rare]
        starts = np.concatenate([[0], np.cumsum(room)]).astype(np.int64)
        return cls(place, int((~rare).sum()), starts)

    def fits(self, counts: Array) -> bool:
        """Whether there is room for slopes of which so many have each term."""
        return bool((counts[self.place < 0] <= np.diff(self.starts)).all())

    def divide(self, rows: Rows) -> tuple[Rows, Rows]:
        """The entries of rows in terms that have a row in the tiles, and in the others."""
        ends, columns, values = rows
        counted = np.zeros(len(ends), dtype=np.int64)
        blocks = [*range(0, len(ends) - 1, _TOGETHER), len(ends) - 1]
        for begin, end in pairwise(blocks):
            frequent = self.place[columns[ends[begin] : ends[end]]] >= 0
            running = np.concatenate([[0], np.cumsum(frequent)])
            counted[begin : end + 1] = counted[begin] + running[ends[begin : end + 1] - ends[begin]]
        of_frequent = _entries(counted, values)
        of_rare = _entries(ends - counted, values)
        for begin, end in pairwise(blocks):
            some = slice(ends[begin], ends[end])
            places = self.place[columns[some]]
            frequent = places >= 0
            for (cuts, *found), chosen in ((of_frequent, frequent), (of_rare, ~frequent)):
                here = slice(cuts[begin], cuts[end])
                found[0][here], found[1][here] = places[chosen], values[some][chosen]
        columns_of_rare = of_rare[1]
        np.subtract(-1, columns_of_rare, out=columns_of_rare)
        return of_frequent, of_rare


def _entries(ends: Array, values: Array) -> Rows:
    """Room for the columns and values of rows that end there."""
    size = int(ends[-1])
    return ends, np.empty(size, dtype=np.int32), np.empty(size, dtype=values.dtype)


class Postings(NamedTuple):
    """For each rare term from its start on the clusters that have it, so many, and their slopes."""

    starts: Array
    counts: Array
    list: Array

    @classmethod
    def room(cls, split: TermSplit) -> Postings:
        """Room for the postings of a split."""
        size = max(1, int(split.starts[-1]))
        counts = np.zeros(len(split.starts) - 1, dtype=np.int32)
        return cls(split.starts, counts, np.zeros(size, dtype=_POSTING))


class Packed(NamedTuple):
    """The slopes of k clusters, and a size that none exceeds."""

    k: int
    tiles: Array
    largest: float
    split: TermSplit | None = None
    postings: Postings | None = None

    def of(self, core: Any, clusters: Labels) -> Packed:
        """The same of some of the clusters."""
        count, (width, tile) = self.tiles.shape[1], core.tiling(len(clusters))
        tiles = np.zeros((width, count, tile), dtype=np.float32)
        core.take(self.tiles, clusters.astype(np.int32), 0, count, tiles)
        postings = self.postings
        if postings is not None:
            places = np.full(self.k, -1, dtype=np.int32)
            places[clusters] = np.arange(len(clusters))
            fresh = (np.zeros(part.shape, part.dtype) for part in postings[1:])  # touched late
            taken = Postings(postings.starts, *fresh)
            core.take_postings(*postings, places, *taken[1:])
            postings = taken
        return Packed(len(clusters), tiles, self.largest, self.split, postings)


class Packer:
    """Packs slopes for the rows of one matrix, into room that it keeps."""

    def __init__(self, core: Any, columns: Array, d: int, share: Share) -> None:
        self._core, self._columns, self._d, self._share = core, columns, d, share
        self._split: TermSplit | None = None  # for the first number of clusters that needs one
        self._sparse_split: TermSplit | None = None  # for slopes that are CSR
        self._rooms: dict[tuple[str, bool], Packed] = {}

    def pack(self, slopes: Matrix, place: str) -> tuple[Array, Packed]:
        """The squared lengths, and slopes packed; these are good until the place is taken."""
        if sp.issparse(slopes):
            return self._pack_csr(slopes, place)
        slopes = by_term(slopes)
        d, k = slopes.shape
        if self._split is None:
            self._split = TermSplit.of(self._columns, d, k)
        ways = [self._split, None] if self._split is not None and k >= _MANY else [None]
        for split in ways:
            packed = self._room(k, place, split)
            squares = self._fill(slopes, packed)
            if squares is not None:
                return squares, packed._replace(largest=float(np.sqrt(squares.max())))
        raise AssertionError("tiles with a row for every term have room for all slopes")

    def _pack_csr(self, slopes: Matrix, place: str) -> tuple[Array, Packed]:
        """The same of slopes that are mostly zeros, k x d, with postings for terms of few."""
        (k, d), csr = slopes.shape, csr_parts(slopes)
        counts: Array = np.bincount(csr[1], minlength=d)
        if self._sparse_split is None or not self._sparse_split.fits(counts):
            documents = np.bincount(self._columns, minlength=d)
            self._sparse_split = TermSplit.of_slopes(counts, documents, k)
        split = self._sparse_split
        packed = self._room(k, place, split)
        assert packed.postings is not None
        packed.tiles.fill(0.0)
        packed.postings.counts.fill(0)
        cuts, parts = stretches(d), np.zeros((STRETCHES, k))
        room = (split.place, *packed.postings)

        def fill(begin: int, end: int) -> None:
            for part in range(begin, end):
                where = (cuts[part], cuts[part + 1])
                self._core.pack_csr(csr, *where, packed.tiles, parts[part], room)

        self._share(fill, STRETCHES, slopes.nnz * _COPY, lambda: np.arange(STRETCHES + 1))
        squares = parts.sum(axis=0)
        return squares, packed._replace(largest=float(np.sqrt(squares.max())))

    def _room(self, k: int, place: str, split: TermSplit | None) -> Packed:
        """Room for k clusters: that of before, where it fits."""
        packed = self._rooms.get((place, split is None))
        if packed is None or packed.k != k or packed.split is not split:
            self._rooms.pop((place, split is None), None)
            tiles, width = self._core.tiling(k)
            terms = self._d if split is None else max(split.frequent, 1)
            room = np.zeros((tiles, terms, width), dtype=np.float32)
            postings = None if split is None else Postings.room(split)
            packed = self._rooms[place, split is None] = Packed(k, room, 0.0, split, postings)
        return packed

    def _fill(self, slopes: Array, packed: Packed) -> Array | None:
        """The squared lengths of slopes that are put into a room; None where they do not fit."""
        (d, k), fits = slopes.shape, [True] * STRETCHES
        cuts, parts = stretches(d), np.zeros((STRETCHES, k))

        def fill(begin: int, end: int) -> None:
            for part in range(begin, end):
                where = (cuts[part], cuts[part + 1])
                if packed.split is None or packed.postings is None:
                    self._core.pack(slopes, *where, packed.tiles, parts[part])
                else:
                    room = (packed.tiles, packed.split.place, *packed.postings)
                    fits[part] = self._core.pack_split(slopes, *where, *room, parts[part])

        self._share(fill, STRETCHES, d * k * _COPY, lambda: np.arange(STRETCHES + 1))
        return parts.sum(axis=0) if all(fits) else None


def by_term(slopes: Array) -> Array:
    """A table of slopes term by term in double precision, d x k."""
    return np.ascontiguousarray(slopes.T, dtype=np.float64)


def csr_parts(slopes: Matrix) -> tuple[Array, Array, Array]:
    """CSR slopes as the core reads them: ends, terms and values."""
    return (
        slopes.indptr.astype(np.int64, copy=False),
        slopes.indices.astype(np.int32, copy=False),
        slopes.data.astype(np.float64, copy=False),
    )
