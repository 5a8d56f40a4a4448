"""Clusters in the feature space of a kernel, as new documents meet them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.assignment import make_backend
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.rows import row_totals, scale_columns, scale_rows, squared_norms
from textclust.geometry.similarity import Similarity

__all__ = ["Expansion", "Landmarks", "Mapped", "Placing", "UnitEuclidean", "inverse", "placed"]

_ENTRIES = 1 << 22  # of similarities held at a time


@dataclass(frozen=True, eq=False)
class Expansion:
    """B = 2 alpha, c = <alpha, K alpha>, over similarities with the documents clustered.

    What a document costs on its own is left out: it is the same in every cluster.
    """

    similarity: Similarity
    lengths: Array  # c
    degrees: Array | None = None  # of the documents clustered, where K has been divided by them
    masses: Array | None = None  # how much each of them counts in a degree

    def prepare(self, X: Matrix) -> Matrix:
        """The similarities of new rows, each with every document that was clustered."""
        rows = self.similarity.with_fitted(X)
        if self.degrees is None:
            return rows
        degrees = row_totals(rows, np.asarray, self.masses)
        return scale_rows(rows, inverse(degrees))

    def affine(self, prototypes: Array) -> AffineForm:
        """What clusters with these shares cost such rows."""
        if self.degrees is not None:
            prototypes = scale_columns(prototypes, inverse(self.degrees))
        return AffineForm(prototypes, self.lengths, np.full(len(prototypes), 2.0))


class Placing(Protocol):
    """What it takes to place new rows: how they are seen, and what clusters cost them there."""

    def prepare(self, X: Matrix) -> Matrix: ...

    def affine(self, prototypes: Array) -> AffineForm: ...


def placed(X: Matrix, space: Placing, prototypes: Array) -> Labels:
    """The nearest cluster of each row, seen a block of rows at a time."""
    labels = np.empty(X.shape[0], dtype=np.intp)
    form = space.affine(prototypes)
    step = max(1, _ENTRIES // prototypes.shape[1])
    for begin in range(0, len(labels), step):
        rows = slice(begin, begin + step)
        labels[rows] = make_backend(space.prepare(X[rows])).assign(form).labels
    return labels


def inverse(values: Array) -> Array:
    """One over each; nothing for nothing."""
    return np.divide(1.0, values, out=np.zeros(len(values)), where=values > 0)


class UnitEuclidean(Euclidean):
    """Euclidean between directions: the feature space of the cosine; rows of zeros stay."""

    name = "directions"

    def prepare(self, X: Matrix) -> Matrix:
        return scale_rows(X, inverse(np.sqrt(squared_norms(X))))


class Transformer(Protocol):
    """What scikit-learn calls so."""

    def transform(self, X: Matrix) -> Array: ...


@dataclass(frozen=True, eq=False)
class Landmarks(Euclidean):
    """Euclidean in the span of some documents in feature space (Williams and Seeger 2001).

    `map` is scikit-learn's Nystroem, fitted.
    """

    map: Transformer

    name = "landmarks"

    def prepare(self, X: Matrix) -> Matrix:
        return np.asarray(self.map.transform(X), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Mapped(Euclidean):
    """Euclidean among rows that are in feature space already."""

    outside: Euclidean  # which takes rows there

    name = "mapped"

    def expansion(self, prototypes: Array) -> Euclidean:
        """Clusters with these prototypes as new documents meet them."""
        return self.outside
