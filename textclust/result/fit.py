"""Whether a document fits anywhere, as far as the words of the collection go.

How well it fits is the product of three numbers from 0 to 1: the cosine with the nearest centre of
a cluster, the mean cosine with the five nearest documents, and the share of its different terms
that others have. A document of the collection is held against all but itself, and so is no better
off than a new one.

What fits nowhere is no measure of what does: the worst fifth of the documents is set aside, and
all are compared with the rest anew, three times. Seventh roots of what comes out are about normally
distributed, and their quartiles say where the lowest share would begin in a collection without
strangers, however many there are in this one. A text of a few words cannot fit as well as a whole
document: it is held to what as many words of documents come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix, as_table
from textclust.geometry.assignment import compact_moments
from textclust.geometry.cosine import Cosine, inverse
from textclust.geometry.parts import is_sparse
from textclust.geometry.rows import squared_norms
from textclust.geometry.sparse_sums import squares_of

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["RATE", "Fit", "compared", "fit_of"]

RATE = 0.02  # of the documents of a collection without strangers
_MOST = 2_000  # documents that others are compared with
_NEAREST = 5
_SET_ASIDE, _ROUNDS = 0.2, 3
_ROOT = 7
_QUARTILES = 1.349  # standard deviations from the first to the third
_ALIKE = 0.025  # a deviation of texts, at the least
_THINNED = 500  # documents of which a few terms stand for short ones
_LONGEST = 0.9  # of the documents have no more terms than the longest of those
_FEW = 1e-9  # of the terms are known
_BLOCK = 1 << 20  # cosines with centres held at a time


def compared(n: int) -> Labels:
    """The documents that all n are compared with: some thousand at most, evenly from all."""
    return np.unique(np.linspace(0, n - 1, min(n, _MOST)).round().astype(np.intp))


@dataclass(frozen=True, eq=False)
class _Reference:
    """Documents of unit length and the sums of their clusters."""

    rows: Matrix
    sums: Matrix
    frequencies: Array | None  # in how many of the rows each term is; None of vectors

    @classmethod
    def of(cls, X: Matrix, labels: Labels, k: int) -> Self:
        sums = compact_moments(X, labels, np.ones(X.shape[0]), k).sums
        counts = np.bincount(X.indices, minlength=X.shape[1]) if is_sparse(X) else None
        return cls(X, sums, counts)

    def widened(self, more: int) -> Self:
        X = self.rows
        rows = type(X)((X.data, X.indices, X.indptr), shape=(X.shape[0], X.shape[1] + more))
        frequencies = None if self.frequencies is None else np.pad(self.frequencies, (0, more))
        return replace(
            self, rows=rows, sums=np.pad(self.sums, ((0, 0), (0, more))), frequencies=frequencies
        )

    def values(self, X: Matrix, known: Array, own: Labels) -> Array:
        """How well prepared rows fit; `own` is the cluster of those that are among the rows."""
        near = self._nearest_cosines(X, own >= 0)
        return self._best_cosines(X, own) * near * known * self._shares(X, own >= 0)

    def _best_cosines(self, X: Matrix, own: Labels) -> Array:
        """With the centre of some cluster, of its own as it is without the document."""
        squares = squares_of(self.sums)
        scale, mine = inverse(np.sqrt(squares)), squared_norms(X)
        best = np.empty(X.shape[0])
        for rows in _blocks(X.shape[0], len(squares)):
            table = as_table(X[rows] @ self.sums.T)
            inside = np.flatnonzero(own[rows] >= 0)
            h, square = own[rows][inside], mine[rows][inside]
            product = table[inside, h]
            left = np.maximum(squares[h] - 2.0 * product + square, 0.0)
            table *= scale
            far = np.where(left > 1e-9, (product - square) * inverse(np.sqrt(left)), 0.0)
            table[inside, h] = far
            best[rows] = table.max(axis=1)
        return np.maximum(best, 0.0)

    def _nearest_cosines(self, X: Matrix, inside: Array) -> Array:
        """The mean with the nearest rows; the nearest of a row among them is itself."""
        from sklearn.neighbors import NearestNeighbors

        count = min(_NEAREST + 1, self.rows.shape[0])
        search = NearestNeighbors(n_neighbors=count, metric="cosine", algorithm="brute")
        cosines = np.clip(1.0 - search.fit(self.rows).kneighbors(X)[0], 0.0, 1.0)
        others, every = cosines[:, 1:], cosines[:, :_NEAREST]
        among = others.mean(axis=1) if count > 1 else np.zeros(len(cosines))
        return np.where(inside, among, every.mean(axis=1))

    def _shares(self, X: Matrix, inside: Array) -> Array:
        """The share of each row's terms that other rows have."""
        if self.frequencies is None:
            return np.ones(X.shape[0])
        sizes = np.diff(X.indptr)
        common = self.frequencies[X.indices] > np.repeat(inside, sizes)
        counts = np.concatenate([[0], np.cumsum(common)])[X.indptr]
        return np.asarray(np.diff(counts) / np.maximum(sizes, 1))


@dataclass(frozen=True, eq=False)
class Fit:
    """What documents are compared with, and how well one has to fit."""

    reference: _Reference
    sizes: Array  # numbers of terms, ascending
    expected: Array  # the seventh root of how well a text of so many terms fits
    least: float  # how far above that it has to be, usually below 0
    own: Array  # how well the documents fit by which it was calibrated

    @classmethod
    def of(cls, X: Matrix, labels: Labels, k: int, known: Array, rate: float = RATE) -> Self:
        """Calibrated on documents in k clusters.

        `known` is the share of each one's terms that are columns of X, and `rate` how many of the
        documents of a collection without strangers are to fit nowhere.
        """
        X = Cosine().prepare(X)
        filled = squared_norms(X) > 0
        inside = filled
        for _ in range(1 + _ROUNDS):
            own = np.where(inside, labels, -1)
            reference = _Reference.of(X[inside], labels[inside], k)
            values = np.where(filled, reference.values(X, known, own), 0.0)
            inside = filled & (values >= np.quantile(values[filled], _SET_ASIDE))
        sizes, expected = _by_size(X[filled], own[filled], k, known[filled])
        found = cls(reference, sizes, expected, 0.0, values)
        excess = found.excess(values, X, known)[filled]
        return replace(found, least=_least(excess, rate, _ALIKE if is_sparse(X) else 0.0))

    def values(self, X: Matrix, known: Array) -> Array:
        """How well new rows fit, from 0 to 1."""
        X = Cosine().prepare(X)
        found = self.reference.values(X, known, np.full(X.shape[0], -1))
        return np.where(squared_norms(X) > 0, found, 0.0)

    def judged(self, X: Matrix, known: Array) -> Array:
        """Whether new rows fit."""
        return self.fits(self.values(X, known), X, known)

    def fits(self, values: Array, X: Matrix, known: Array) -> Array:
        """Whether rows that fit so well fit at all."""
        return np.asarray((values > 0) & (self.excess(values, X, known) >= self.least))

    def widened(self, more: int) -> Self:
        """The same among so many more terms, which none of the documents has."""
        return replace(self, reference=self.reference.widened(more))

    def excess(self, values: Array, X: Matrix, known: Array) -> Array:
        """How much better rows fit than texts of their lengths do, in seventh roots."""
        terms = np.diff(X.indptr) / np.maximum(known, _FEW) if is_sparse(X) else np.ones(len(X))
        expected = np.interp(np.log2(np.maximum(terms, 1)), np.log2(self.sizes), self.expected)
        return np.asarray(values ** (1 / _ROOT) - expected)


def fit_of(clustering: Clustering) -> Fit:
    """Calibrated on the documents that the clusters were made from, or on some thousand of them."""
    if clustering.whole is not None:
        raise InputError(
            "a model of documents on several machines keeps too few of them to say what fits; "
            "cluster a sample of them on one machine"
        )
    rows = compared(clustering.n_fitted)
    X = clustering.texts[rows] if clustering.vectors is None else clustering.vectors
    shares = None if clustering.of_vectors else clustering.known
    known = np.ones(len(rows)) if shares is None else shares[rows]
    rate = clustering.settings.get("outliers") or RATE
    return Fit.of(X, clustering.placement.labels[rows], clustering.k, known, rate)


def _by_size(X: Matrix, own: Labels, k: int, known: Array) -> tuple[Array, Array]:
    """How well texts of 1, 2, 4, ... terms fit: as well as so many terms of documents do.

    Some documents are held out, and compared with the others by a few of their terms.
    """
    inside, rng = own >= 0, np.random.default_rng(0)
    held = rng.permutation(X.shape[0])[: min(_THINNED, X.shape[0] // 2)]
    inside[held] = False
    if not is_sparse(X) or not len(held) or not inside.any():
        return np.ones(1), np.zeros(1)
    reference, none = _Reference.of(X[inside], own[inside], k), np.full(len(held), -1)
    longest = np.quantile(np.diff(X.indptr), _LONGEST)
    sizes = [2**power for power in range(16) if 2**power <= max(longest, 1)]
    roots = [
        np.median(reference.values(_thinned(X[held], m, rng), known[held], none) ** (1 / _ROOT))
        for m in sizes
    ]
    return np.array(sizes), np.maximum.accumulate(roots)


def _thinned(X: Matrix, count: int, rng: np.random.Generator) -> Matrix:
    """The rows with so many of their terms, drawn at random, or with all if they have fewer."""
    order = np.lexsort((rng.random(X.nnz), np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))))
    rank = np.empty(X.nnz, dtype=np.intp)
    rank[order] = np.arange(X.nnz) - np.repeat(X.indptr[:-1], np.diff(X.indptr))
    kept = rank < count
    indptr = np.concatenate([[0], np.cumsum(kept)])[X.indptr]
    return Cosine().prepare(type(X)((X.data[kept], X.indices[kept], indptr), shape=X.shape))


def _least(excess: Array, rate: float, alike: float) -> float:
    """What this share of documents would be below, going by those in the middle.

    Where nearly all are `alike`, as forms and templates are, small differences mean nothing.
    """
    from statistics import NormalDist  # which takes long to import

    first, middle, third = np.quantile(excess, (0.25, 0.5, 0.75))
    spread = max((third - first) / _QUARTILES, alike)
    return float(middle + NormalDist().inv_cdf(rate) * spread)


def _blocks(n: int, k: int) -> Iterator[slice]:
    step = max(1, _BLOCK // max(k, 1))
    return (slice(begin, begin + step) for begin in range(0, n, step))
