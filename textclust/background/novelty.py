"""How new a document is: whether it fits any class that the background knows."""

from __future__ import annotations

import numpy as np

from textclust.background.labelled import Background, Shared
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.cosine import Cosine
from textclust.geometry.kernel import moments

__all__ = ["Fit"]

_NEW = 0.95  # of the old documents fit their class better


class Fit:
    """How documents fit the classes of a background: by the cosine with their centroids.

    An old document is held against its own class without itself, so that it is no better
    off than a new one.
    """

    def __init__(self, background: Background, shared: Shared) -> None:
        cosine, y = Cosine(), background.y
        old = cosine.prepare(shared.placed(background.X))
        q = len(background.classes)
        sums, masses = moments(old, y, np.ones(len(y)), q)
        self._centres: Array = cosine.prototypes(sums, masses)
        own = np.asarray(old @ sums.T)[np.arange(len(y)), y]
        squares = (sums**2).sum(axis=1)[y]
        rest = np.sqrt(np.maximum(squares - 2.0 * own + 1.0, 0.0))
        fits = np.divide(own - 1.0, rest, out=np.zeros(len(y)), where=rest > 1e-12)
        self._usual: Array = np.sort(np.clip(fits, 0.0, 1.0))

    def similarities(self, X: Matrix) -> Array:
        """The cosine of each document with the centroid of each class."""
        return np.asarray(Cosine().prepare(X) @ self._centres.T)

    def novelty(self, X: Matrix) -> Array:
        """The share of the old documents that fit their class better than each fits any."""
        best = self.similarities(X).max(axis=1)
        better = len(self._usual) - np.searchsorted(self._usual, best, side="right")
        return np.asarray(better / len(self._usual))

    @staticmethod
    def is_new(novelty: Array) -> Array:
        """Whether a document fits no class that is known."""
        return np.asarray(novelty >= _NEW)
