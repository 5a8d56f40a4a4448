"""What the weights of terms cost under the cosine, and a step that costs less.

The step is one of gradient descent in log a, in the scale of the prior's curvature, halved
until J falls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments, own_products
from textclust.geometry.rows import squared_norms
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.supervision.links import Links

__all__ = ["CosineMeasure", "penalties", "prior"]

_LONGEST = 1.0  # of a step, in log a
_HALVINGS = 6
_LITTLE = 1e-7  # of J: less is not worth another measure


@dataclass(frozen=True, eq=False)
class CosineMeasure:
    """J as a function of the weights that some documents and broken links are measured by."""

    X: Matrix  # all documents, with even weights
    documents: Labels
    labels: Labels  # of these documents
    weights: Array  # of these documents
    broken: Links | None

    def better(self, weights: Array) -> Array:
        """The weights after one step; the same where no step lowers J."""
        here = self.energy(weights)
        step = np.clip(-self.gradient(weights) / (1.0 + weights**2), -_LONGEST, _LONGEST)
        for _ in range(_HALVINGS):
            tried = weights * np.exp(step)
            if self.energy(tried) < here - _LITTLE * abs(here):
                return np.asarray(tried)
            step = step / 2
        return weights

    def energy(self, weights: Array) -> float:
        """J, but for the sum of the documents' ones."""
        rows = self._rows(weights)
        energy = prior(weights) + float(self.weights.sum())
        energy -= float(np.sqrt(squared_norms(self._sums(rows))).sum())
        if self.broken is not None:
            energy += float(self.broken.weights @ penalties(self.X, self.broken, weights))
        return energy

    def gradient(self, weights: Array) -> Array:
        """dJ / d log a."""
        rows = self._rows(weights)
        sums = self._sums(rows)
        centres = WeightedCosine(weights).prototypes(sums, np.ones(len(sums)))
        cosines = self.weights * own_products(rows, self.labels, centres)
        slope = -0.5 * ((centres * sums).sum(axis=0) - _squares(rows).T @ cosines)
        if self.broken is not None:
            slope = slope + self._pull(self.broken, weights)
        return np.asarray(slope + weights**2 - 1.0)

    def _rows(self, weights: Array) -> Matrix:
        every = len(self.documents) == self.X.shape[0]
        return WeightedCosine(weights).prepare(self.X if every else self.X[self.documents])

    def _sums(self, rows: Matrix) -> Array:
        k = int(self.labels.max(initial=0)) + 1
        return moments(rows, self.labels, self.weights, k).sums

    def _pull(self, broken: Links, weights: Array) -> Array:
        """What the broken links add to the gradient."""
        left, right = _ends(self.X, broken, weights)
        both = _times(left, right)
        cosines = _row_sums(both)
        signs = np.where(broken.together, -1.0, np.where(cosines > 0, 1.0, 0.0)) * broken.weights
        own = (_squares(left) + _squares(right)).T @ (signs * cosines)
        return np.asarray(both.T @ signs - 0.5 * own)


def prior(weights: Array) -> float:
    """Minus the log of the Rayleigh prior with its mode at 1, and nothing for weights of 1."""
    return float(((weights**2 - 1) / 2 - np.log(weights)).sum())


def penalties(X: Matrix, links: Links, weights: Array) -> Array:
    """The distance of the documents of each must-link, the cosine of those of each cannot-link."""
    cosines = _row_sums(_times(*_ends(X, links, weights)))
    return np.where(links.together, 1.0 - cosines, np.maximum(cosines, 0.0))


def _ends(X: Matrix, links: Links, weights: Array) -> tuple[Matrix, Matrix]:
    """The two documents of each link under these weights."""
    prepare = WeightedCosine(weights).prepare
    return prepare(X[links.left]), prepare(X[links.right])


def _squares(X: Matrix) -> Matrix:
    return _times(X, X)


def _times(left: Matrix, right: Matrix) -> Matrix:
    return left.multiply(right) if sp.issparse(left) else left * right


def _row_sums(X: Matrix) -> Array:
    return np.asarray(X.sum(axis=1), dtype=np.float64).ravel()
