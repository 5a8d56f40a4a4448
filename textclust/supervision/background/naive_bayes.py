"""Multinomial naive Bayes on rows of unit length, with calibrated posteriors.

Gao et al. 2005, 4.5 say only that the classifier is naive Bayes and that the word counts of a
document are scaled to unit length. What they leave open is chosen here. The prior is uniform:
the oldest documents are few, and their number in a class says little about the newer ones;
beside the small likelihood ratios of unit rows it would decide nearly everything. The
likelihood is tempered: words are not independent, so the posteriors of plain Bayes are close to
0 and 1 on counts, and on unit rows, which hold the weight of few words, close to the prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.parameters import Flag, Number, Rule, check
from textclust.supervision.background.labelled import float_rows

__all__ = ["NaiveBayesLabeller"]

_SHARPEST, _FLATTEST = 1e-3, 1e3  # temperatures


@dataclass
class NaiveBayesLabeller:
    """Multinomial naive Bayes: a document is drawn word by word from its class.

    P(j | x) is proportional to P(j) prod_t P(t | j)^(x_t / T).

    Parameters
    ----------
    smoothing : float, default=0.1
        Added to what each class has of each feature.
    fit_prior : bool, default=False
        Whether a class with more labelled documents is more likely beforehand.
    normalize : bool, default=True
        Scale each row to unit length in the features it has here, so that counts and weights
        do equally well and a class is not learned from its longest documents alone.
    temperature : float or "auto", default="auto"
        T. "auto" has the least cross-entropy over the labelled documents, each left out of
        its class in turn; 1 is plain Bayes.

    With ``fit_prior=True, normalize=False, temperature=1.0`` it is scikit-learn's
    `MultinomialNB` and needs rows of counts.

    Notes
    -----
    - Formula: ``P(j | x) ~ P(j) prod_t P(t | j)^(x_t / T)``.
    - Complexity: O(nnz) time to learn, O(nnz q) to label with q classes.
    - Paper: Gao, Tan and Cheng 2005, 4.5, where it labels posts of newsgroups.

    Examples
    --------
    >>> from textclust import NaiveBayesLabeller
    >>> model = NaiveBayesLabeller().fit([[3.0, 0.0], [0.0, 2.0]], [0, 1])
    >>> int(model.predict_proba([[1.0, 0.0]]).argmax())
    0
    """

    smoothing: float = 0.1
    fit_prior: bool = False
    normalize: bool = True
    temperature: float | str = "auto"

    def fit(self, X: Matrix, y: Labels) -> Self:
        """Learn from rows of counts or weights, and a class for each from 0 on."""
        rules: dict[str, Rule] = {
            "smoothing": Number(1e-12),
            "fit_prior": Flag(),
            "normalize": Flag(),
            "temperature": Number(1e-12, words=("auto",)),
        }
        check(self, rules)
        y, X = np.asarray(y, dtype=np.intp), self._rows(X)
        if X.data.min(initial=0.0) < 0:
            raise InputError(
                "naive Bayes needs counts: remove the negative values, or use another labeller"
            )
        sizes = np.bincount(y)
        sums = moments(X, y, np.ones(len(y)), len(sizes)).sums
        self.classes_ = np.arange(len(sums))
        smooth = sums + self.smoothing
        self.log_features_ = np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
        shares = sizes / len(y) if self.fit_prior else np.full(len(sizes), 1.0 / len(sizes))
        self.log_priors_ = np.log(shares)
        auto = self.temperature == "auto"
        self.temperature_ = self._calibrated(X, y, sums) if auto else float(self.temperature)
        return self

    def predict_proba(self, X: Matrix) -> Array:
        """The posterior of each class for each row."""
        return np.exp(self._log_posteriors(self._log_likelihoods(self._rows(X)), self.temperature_))

    def _rows(self, X: Matrix) -> sp.csr_array:
        rows = sp.csr_array(float_rows(X))
        return Cosine().prepare(rows) if self.normalize else rows

    def _log_likelihoods(self, X: Matrix) -> Array:
        return np.asarray(X @ self.log_features_.T)

    def _log_posteriors(self, likelihoods: Array, temperature: float) -> Array:
        joint = likelihoods / temperature + self.log_priors_
        joint -= joint.max(axis=1, keepdims=True)
        joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
        return joint

    def _calibrated(self, X: sp.csr_array, y: Labels, sums: Array) -> float:
        """The temperature with the least leave-one-out cross-entropy.

        One more document, of each class to the same degree, keeps it above zero where none of
        a few is misplaced.
        """
        from scipy.optimize import minimize_scalar

        rows = np.flatnonzero(np.bincount(y)[y] > 1)
        if len(rows) == 0 or len(sums) == 1:
            return 1.0
        likelihoods = self._log_likelihoods(X)
        likelihoods[np.arange(len(y)), y] = self._without_itself(X, y, sums)
        likelihoods, own = likelihoods[rows], y[rows]

        def cross_entropy(log_temperature: float) -> float:
            logs = self._log_posteriors(likelihoods, np.exp(log_temperature))
            return -float(logs[np.arange(len(rows)), own].sum() + logs.mean())

        ends = (np.log(_SHARPEST), np.log(_FLATTEST))
        return float(np.exp(minimize_scalar(cross_entropy, bounds=ends, method="bounded").x))

    def _without_itself(self, X: sp.csr_array, y: Labels, sums: Array) -> Array:
        """The log-likelihood of each document in its class, learned without the document."""
        n, d = X.shape
        rows = np.repeat(np.arange(n), np.diff(X.indptr))
        masses = np.asarray(X.sum(axis=1), dtype=np.float64).ravel()
        rest = np.maximum(sums[y[rows], X.indices] - X.data, 0.0) + self.smoothing
        total = np.maximum(sums.sum(axis=1)[y] - masses, 0.0) + d * self.smoothing
        return np.bincount(rows, X.data * np.log(rest), n) - masses * np.log(total)
