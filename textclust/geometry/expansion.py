"""Clusters in the feature space of a kernel, as new documents meet them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.rows import row_totals, scale_columns, scale_rows, squared_norms
from textclust.geometry.similarity import Similarity

__all__ = ["Directions", "Expansion", "Landmarks", "inverse"]


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


def inverse(values: Array) -> Array:
    """One over each; nothing for nothing."""
    return np.divide(1.0, values, out=np.zeros(len(values)), where=values > 0)


class Directions(Euclidean):
    """Euclidean between directions: the feature space of the cosine; rows of zeros stay."""

    name = "directions"
    among_terms = False

    def prepare(self, X: Matrix) -> Matrix:
        return scale_rows(X, inverse(np.sqrt(squared_norms(X))))


@dataclass(frozen=True, eq=False)
class Landmarks(Euclidean):
    """Euclidean in the span of some documents in feature space (Williams and Seeger 2001).

    `map` is scikit-learn's Nystroem, fitted.
    """

    map: Any

    name = "landmarks"
    among_terms = False

    def prepare(self, X: Matrix) -> Matrix:
        return np.asarray(self.map.transform(X), dtype=np.float64)
