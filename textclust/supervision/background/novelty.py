"""How new a document is: whether it fits any class that the background knows."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.geometry.rows import squared_norms
from textclust.supervision.background.labelled import Background

__all__ = ["Fit"]

_NEW = 0.95  # of the old documents fit better
_NOTHING = 1e-9  # the length of the sum of no documents


class Fit:
    """How documents fit the classes of a background: by the cosine with their centroids.

    The cosine is taken whatever distance the clusters are made with: novelty is a matter of words.
    A word that no old document has makes a new one less like all of them. An old document is
    held against its own class without itself, so that it is no better off than a new one.
    """

    def __init__(self, background: Background, placed: Matrix) -> None:
        """Of a background whose rows are placed among the features of the new documents."""
        cosine, y, rows = Cosine(), background.y, np.arange(len(background))
        old = cosine.prepare(placed)
        sums, masses = moments(old, y, np.ones(len(y)), len(background.classes))
        self._centres: Array = cosine.prototypes(sums, masses)
        fits = np.asarray(old @ self._centres.T)
        squares, own = squared_norms(old), np.asarray(old @ sums.T)[rows, y]
        others = np.sqrt(np.maximum((sums**2).sum(axis=1)[y] - 2.0 * own + squares, 0.0))
        alone = others <= _NOTHING
        fits[rows, y] = np.where(alone, 0.0, (own - squares) / np.where(alone, 1.0, others))
        self._usual: Array = np.sort(fits.max(axis=1))

    def similarities(self, X: Matrix) -> Array:
        """The cosine of each document with the centroid of each class."""
        return np.asarray(Cosine().prepare(X) @ self._centres.T)

    def novelty(self, similarities: Array) -> Array:
        """The share of the old documents that fit some class better than each of these fits any."""
        best = similarities.max(axis=1)
        better = len(self._usual) - np.searchsorted(self._usual, best, side="right")
        return np.asarray(better / len(self._usual))

    @staticmethod
    def is_new(novelty: Array) -> Array:
        """Whether a document fits no class that is known."""
        return np.asarray(novelty >= _NEW)
