"""Linear classifiers by least squares: of the seeds alone, and of all documents by their labels.

Targets are 1 for the class of a document and 0 for all others, less their mean; the ridge keeps the
coefficients small. A classifier of all documents weighs the terms of each class by how telling
naive Bayes finds them (Wang and Manning 2012).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.documents import Documents, balanced, memberships

__all__ = ["LinearModel", "fit_linear", "ridge_classifier", "telling_classifier"]

_RIDGE_OF_SEEDS = 0.3
_RIDGE_OF_ALL = 3.0
_STEPS = 10  # of conjugate gradients,
_STEPS_FROM_NEAR = 5  # or so many from a model that is nearly right
_SEED = 3.0  # counts as so many documents when a model learns from all
_SMOOTHING = 0.1  # of what a class has of every term
_LEAST_TELLING = 1e-3
_TINY = np.float32(1e-30)


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
    known = documents.subset(seeds)
    terms = np.flatnonzero(np.asarray(abs(known.X).sum(axis=0)).ravel())
    few = replace(known, X=known.X[:, terms])
    model = fit_linear(few, y[seeds], balanced(y[seeds]), _RIDGE_OF_SEEDS)
    coefficients = np.zeros((documents.k, documents.X.shape[1]))
    coefficients[:, terms] = model.coefficients
    return LinearModel(coefficients, model.intercepts).scores(documents)


def telling_classifier(
    documents: Documents, y: Labels, shares: Array, near: LinearModel | None = None
) -> LinearModel:
    """The classifier of all documents by their most probable class, each as sure as its share.

    Seeds y count more, and a class that is most probable for none keeps the document that has most
    of it. `near` is a model to begin with.
    """
    labels = _most_probable(y, shares)
    weights = np.where(y >= 0, _SEED, shares.max(axis=1))
    return fit_linear(documents, labels, weights, telling=_telling(documents, shares), near=near)


def fit_linear(
    documents: Documents,
    labels: Labels,
    weights: Array,
    ridge: float = _RIDGE_OF_ALL,
    telling: Array | float = 1.0,
    near: LinearModel | None = None,
) -> LinearModel:
    """The ridge regression of labels on terms, each document by its weight, each term by its own.

    Conjugate gradients for all classes at once (Hestenes and Stiefel 1952); a few steps are as good
    as the end, as they look at the directions first that most documents share.
    """
    counted = weights * documents.weights
    targets = memberships(labels, documents.k)
    mean = counted @ targets / max(counted.sum(), 1e-300)
    each = weights.astype(np.float32)[:, None]
    terms = np.ones(documents.X.shape[1], dtype=np.float32)

    def gram(directions: Array) -> Array:
        image = documents.sums(each * documents.times(telling * directions))
        image *= telling
        image += ridge * directions
        return image

    def inner(left: Array, right: Array) -> Array:
        return np.asarray((left * right) @ terms)

    residuals = telling * documents.sums(weights[:, None] * (targets - mean))
    found = np.zeros_like(residuals)
    if near is not None:
        found = near.coefficients / telling
        residuals -= gram(found)
    directions, squares = residuals, inner(residuals, residuals)
    for _ in range(_STEPS if near is None else _STEPS_FROM_NEAR):
        image = gram(directions)
        steps = (squares / np.maximum(inner(directions, image), _TINY))[:, None]
        found += steps * directions
        residuals = residuals - steps * image
        before, squares = squares, inner(residuals, residuals)
        directions = residuals + (squares / np.maximum(before, _TINY))[:, None] * directions
    return LinearModel(telling * found, mean)


def _most_probable(y: Labels, shares: Array) -> Labels:
    """The class of each document, every class with one if it can be."""
    labels = np.where(y >= 0, y, shares.argmax(axis=1))
    sizes = np.bincount(labels, minlength=shares.shape[1])
    for empty in np.flatnonzero(sizes == 0):
        free = (y < 0) & (sizes[labels] > 1)
        if free.any():
            moved = int(np.where(free, shares[:, empty], -1.0).argmax())
            sizes[labels[moved]] -= 1
            labels[moved], sizes[empty] = empty, 1
    return labels


def _telling(documents: Documents, shares: Array) -> Array | float:
    """How far the share of each term in a class is from that in all others, 1 on average.

    The absolute logarithm of their ratio; 1 for features that are no counts.
    """
    counts = documents.counts
    if counts is None:
        return 1.0
    if counts is not documents:
        are_counts = np.diff(counts.columns.indptr) > 0
        return np.where(are_counts, _telling(counts, shares), np.float32(1.0))
    inside = documents.sums(shares) + _SMOOTHING
    outside = inside.sum(axis=0) - inside
    ratios = np.log(inside / outside)
    ratios -= np.log(inside.sum(axis=1) / outside.sum(axis=1))[:, None]
    far = np.abs(ratios)
    far /= np.maximum(np.sqrt((far**2).mean(axis=1)), _TINY)[:, None]
    return np.maximum(far, _LEAST_TELLING)
