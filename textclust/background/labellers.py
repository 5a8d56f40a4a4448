"""Labellers: what is learned from old documents, and the classes it gives to new ones.

A labeller is anything with `fit(X, y)` and `predict_proba(X)`, as scikit-learn's
classifiers have them; those here take less time to import. One that has `knows(X)` says
itself of which documents it has an opinion; all others have one where their confidence
reaches a threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np

from textclust.background.labelled import float_rows
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.kernel import moments
from textclust.parameters import Number, OneOf, Rule, check

__all__ = ["LABELLERS", "Labeller", "NaiveBayesLabeller", "NearestNeighbourLabeller"]

_BLOCK = 1 << 22  # distances held at a time
_USUAL = 0.9  # of the labelled documents are nearer than this to another


class Labeller(Protocol):
    """Learns classes from labelled rows and says how likely each is for others."""

    def fit(self, X: Matrix, y: Labels) -> Any: ...

    def predict_proba(self, X: Matrix) -> Array: ...


@dataclass
class NaiveBayesLabeller:
    """Multinomial naive Bayes: a document is drawn word by word from its class.

    Parameters
    ----------
    smoothing : float, default=0.1
        Added to what each class has of each feature. One, as it is often taken, drowns what
        a small class says: rows of unit length have few counts to set against it.

    Examples
    --------
    >>> from textclust import NaiveBayesLabeller
    >>> model = NaiveBayesLabeller().fit([[3.0, 0.0], [0.0, 2.0]], [0, 1])
    >>> int(model.predict_proba([[1.0, 0.0]]).argmax())
    0
    """

    smoothing: float = 0.1

    def fit(self, X: Matrix, y: Labels) -> Self:
        """Learn from rows of counts or weights, and a class for each from 0 on."""
        check(self, {"smoothing": Number(1e-12)})
        y, X = np.asarray(y, dtype=np.intp), float_rows(X)
        if (X.data if hasattr(X, "indptr") else X).min(initial=0.0) < 0:
            raise InputError("naive Bayes counts: give no negative values, or another labeller")
        sums = moments(X, y, np.ones(len(y)), int(y.max()) + 1).sums + self.smoothing
        self.classes_ = np.arange(len(sums))
        self.log_features_ = np.log(sums) - np.log(sums.sum(axis=1, keepdims=True))
        self.log_priors_ = np.log(np.bincount(y) / len(y))
        return self

    def predict_proba(self, X: Matrix) -> Array:
        """The posterior of each class for each row."""
        joint = np.asarray(float_rows(X) @ self.log_features_.T) + self.log_priors_
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        return joint / joint.sum(axis=1, keepdims=True)


@dataclass
class NearestNeighbourLabeller:
    """The class of the nearest labelled document (Gao et al. 2005, 2.2).

    Its confidence in class j is proportional to 1 / (alpha + NN(i, j)), with NN(i, j) the
    distance to the nearest document of that class (eq. 2.3).

    Parameters
    ----------
    delta : float or "auto", default="auto"
        A document at least so far from every labelled one is left out. "auto" is the
        distance within which nine in ten labelled documents have another.
    alpha : float or "auto", default="auto"
        Smooths the confidences; "auto" is the mean distance of labelled documents from the
        nearest other, so that they do not depend on the scale of the features.
    metric : {"euclidean", "cosine"}, default="euclidean"

    Examples
    --------
    >>> from textclust import NearestNeighbourLabeller
    >>> model = NearestNeighbourLabeller(delta=2.0, alpha=1.0).fit([[0.0], [4.0]], [0, 1])
    >>> model.predict_proba([[1.0]]).round(3).tolist(), model.knows([[1.0], [9.0]]).tolist()
    ([[0.667, 0.333]], [True, False])
    """

    delta: float | str = "auto"
    alpha: float | str = "auto"
    metric: str = "euclidean"

    def fit(self, X: Matrix, y: Labels) -> Self:
        """Keep the rows, and a class for each from 0 on."""
        rules: dict[str, Rule] = {
            "delta": Number(0.0, words=("auto",)),
            "alpha": Number(0.0, words=("auto",)),
            "metric": OneOf(("euclidean", "cosine")),
        }
        check(self, rules)
        y = np.asarray(y, dtype=np.intp)
        order = np.argsort(y, kind="stable")
        self.classes_, self._begins = np.unique(y[order], return_index=True)
        self._X = float_rows(X)[order]
        apart = self._apart()
        usual = float(np.quantile(apart, _USUAL)) if len(apart) else np.inf
        mean = float(apart.mean()) if len(apart) else 1.0
        self.delta_ = float(np.nextafter(usual, np.inf) if self.delta == "auto" else self.delta)
        self.alpha_ = float((mean or 1.0) if self.alpha == "auto" else self.alpha)
        return self

    def predict_proba(self, X: Matrix) -> Array:
        """The confidence in each class for each row (eq. 2.3)."""
        near = self.distances(X)
        tiny = np.finfo(np.float64).tiny
        confidence = 1.0 / np.maximum(self.alpha_ + near, tiny)
        return confidence / confidence.sum(axis=1, keepdims=True)

    def knows(self, X: Matrix) -> Array:
        """Whether any labelled document is nearer than delta."""
        return np.asarray(self.distances(X).min(axis=1) < self.delta_)

    def distances(self, X: Matrix) -> Array:
        """NN: how far each row is from the nearest document of each class."""
        X = float_rows(X)
        near = np.empty((X.shape[0], len(self._begins)))
        step = max(1, _BLOCK // self._X.shape[0])
        for begin in range(0, X.shape[0], step):
            apart = self._between(X[begin : begin + step])
            near[begin : begin + step] = np.minimum.reduceat(apart, self._begins, axis=1)
        return near

    def _apart(self) -> Array:
        """How far each labelled document is from the nearest other."""
        count = self._X.shape[0]
        found = []
        step = max(1, _BLOCK // count)
        for begin in range(0, count if count > 1 else 0, step):
            apart = self._between(self._X[begin : begin + step])
            apart[np.arange(len(apart)), begin + np.arange(len(apart))] = np.inf
            found.append(apart.min(axis=1))
        return np.concatenate(found) if found else np.zeros(0)

    def _between(self, rows: Matrix) -> Array:
        """The distances of some rows from all labelled documents."""
        from sklearn.metrics import pairwise_distances

        return np.asarray(pairwise_distances(rows, self._X, metric=self.metric))


LABELLERS = {"naive-bayes": NaiveBayesLabeller, "nearest": NearestNeighbourLabeller}
