"""Linear classifiers by least squares: of the seeds alone, and of all documents by their labels.

Targets are 1 for the class of a document and 0 for all others, less their mean; the ridge keeps the
coefficients small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.documents import Documents, balanced, memberships

__all__ = ["LinearModel", "fit_linear", "ridge_classifier"]

_RIDGE_OF_SEEDS = 0.3
_RIDGE_OF_ALL = 3.0
_STEPS = 10  # of conjugate gradients


@dataclass(frozen=True, eq=False)
class LinearModel:
    """Scores <x, B_h> + b_h."""

    coefficients: Array  # B, k x d
    intercepts: Array  # b, k

    def scores(self, documents: Documents) -> Array:
        """Of every class for each document."""
        return documents.times(self.coefficients) + self.intercepts


def ridge_classifier(documents: Documents, y: Labels) -> Array:
    """Scores by the seeds alone, every class counting the same."""
    seeds = np.flatnonzero(y >= 0)
    model = fit_linear(documents.subset(seeds), y[seeds], balanced(y[seeds]), _RIDGE_OF_SEEDS)
    return model.scores(documents)


def fit_linear(
    documents: Documents, labels: Labels, weights: Array, ridge: float = _RIDGE_OF_ALL
) -> LinearModel:
    """The ridge regression of labels on terms, each document by its weight.

    Conjugate gradients for all classes at once (Hestenes and Stiefel 1952); a few steps are as good
    as the end, as they look at the directions first that most documents share.
    """
    counted = weights * documents.weights
    targets = memberships(labels, documents.k)
    mean = counted @ targets / max(counted.sum(), 1e-300)

    def gram(directions: Array) -> Array:
        through = documents.sums(weights[:, None] * documents.times(directions))
        return np.asarray(through + ridge * directions)

    residuals = documents.sums(weights[:, None] * (targets - mean))
    found, directions = np.zeros_like(residuals), residuals.copy()
    squares = (residuals**2).sum(axis=1)
    for _ in range(_STEPS):
        image = gram(directions)
        steps = squares / np.maximum((directions * image).sum(axis=1), 1e-300)
        found += steps[:, None] * directions
        residuals -= steps[:, None] * image
        before, squares = squares, (residuals**2).sum(axis=1)
        directions = residuals + (squares / np.maximum(before, 1e-300))[:, None] * directions
    return LinearModel(found, mean)
