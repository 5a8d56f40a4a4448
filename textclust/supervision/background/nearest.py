"""The nearest labelled document, in the metric that belongs to the distortion of the clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.parameters import Number, OneOf, Rule, check
from textclust.supervision.background.labelled import float_rows

__all__ = ["NearestNeighbourLabeller"]

_BLOCK = 1 << 22  # distances held at a time
_TYPICAL = 0.9  # of the labelled documents are nearer than this to another
_METRICS = ("euclidean", "cosine", "hellinger")
_NOTHING_IN_COMMON = 1.0  # the cosine and the Hellinger distance of documents that share no term


@dataclass
class NearestNeighbourLabeller:
    """The class of the nearest labelled document (Gao et al. 2005, 2.2).

    Its confidence in class j is proportional to 1 / (alpha + NN(i, j)), with NN(i, j) the
    distance to the nearest document of that class (eq. 2.3).

    Parameters
    ----------
    delta : float or "auto", default="auto"
        A document at least so far from every labelled one is left out. "auto" is the
        distance within which nine in ten labelled documents have another; with "cosine" and
        "hellinger" at most 1, the distance of documents without a common term.
    alpha : float or "auto", default="auto"
        Smooths the confidences; "auto" is the mean distance of labelled documents from the
        nearest other, so that they do not depend on the scale of the features.
    metric : {"auto", "euclidean", "cosine", "hellinger"}, default="auto"
        "auto" follows the distortion of `SemiHard` or `SemiFuzzy`: "cosine" for cosine,
        "euclidean" for euclidean, and "hellinger", sqrt(1 - sum_t sqrt(p_t q_t)) of rows that
        sum to one, for KL, I-divergence and Itakura-Saito, which are infinite between documents
        of different terms. Cosine and Hellinger do not depend on the length of a row, of which
        the shared features hold only a part. Outside these methods "auto" is "euclidean".

    Notes
    -----
    - Formula: ``1 / (alpha + NN(i, j))``, scaled to the sum one over the classes j.
    - Complexity: O(nnz m) time to label by m labelled documents.
    - Paper: Gao, Tan and Cheng 2005, 2.2 and eq. 2.3.

    Examples
    --------
    >>> from textclust import NearestNeighbourLabeller
    >>> model = NearestNeighbourLabeller(delta=2.0, alpha=1.0).fit([[0.0], [4.0]], [0, 1])
    >>> model.predict_proba([[1.0]]).round(3).tolist(), model.knows([[1.0], [9.0]]).tolist()
    ([[0.667, 0.333]], [True, False])
    """

    delta: float | str = "auto"
    alpha: float | str = "auto"
    metric: str = "auto"

    def under(self, distortion: Distortion) -> NearestNeighbourLabeller:
        """The same with the metric of a distortion, where it has none of its own."""
        if self.metric != "auto":
            return self
        divergence = "hellinger" if distortion.non_negative else "euclidean"
        named = distortion.name if distortion.name in _METRICS else divergence
        return replace(self, metric=named)

    def fit(self, X: Matrix, y: Labels) -> Self:
        """Keep the rows, and a class for each from 0 on."""
        rules: dict[str, Rule] = {
            "delta": Number(0.0, words=("auto",)),
            "alpha": Number(0.0, words=("auto",)),
            "metric": OneOf(("auto", *_METRICS)),
        }
        check(self, rules)
        self.metric_ = "euclidean" if self.metric == "auto" else self.metric
        y = np.asarray(y, dtype=np.intp)
        order = np.argsort(y, kind="stable")
        self.classes_, self._begins = np.unique(y[order], return_index=True)
        self._X = self._rows(X)[order]
        apart = self._apart()
        mean = float(apart.mean()) if len(apart) else 1.0
        self.delta_ = self._typical_distance(apart) if self.delta == "auto" else float(self.delta)
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
        X = self._rows(X)
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

    def _typical_distance(self, apart: Array) -> float:
        """Just above the distance within which most labelled documents have another."""
        most = np.inf if self.metric_ == "euclidean" else _NOTHING_IN_COMMON
        typical = float(np.quantile(apart, _TYPICAL)) if len(apart) else np.inf
        return float(min(np.nextafter(typical, np.inf), most))

    def _rows(self, X: Matrix) -> Matrix:
        rows = float_rows(X)
        return np.sqrt(rows) if self.metric_ == "hellinger" else rows

    def _between(self, rows: Matrix) -> Array:
        """The distances of some rows from all labelled documents."""
        from sklearn.metrics import pairwise_distances

        if self.metric_ == "hellinger":  # square roots of shares have unit length
            return np.sqrt(pairwise_distances(rows, self._X, metric="cosine"))
        return np.asarray(pairwise_distances(rows, self._X, metric=self.metric_))
