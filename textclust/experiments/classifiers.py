"""Classifiers on the same vectors: from the classes of some rows to a class for every row.

The first two learn from the rows that have a class alone, the others from all of them. y is -1
where nothing is known. Settings other than scikit-learn's own were chosen by accuracy and time in
a trial on a few collections.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix

__all__ = [
    "CLASSIFIERS",
    "label_spreading",
    "linear_svc",
    "logistic_regression",
    "naive_bayes_with_em",
    "self_training",
]

_LATENT = 100  # dimensions
_NEIGHBOURS = 15
_SMOOTHING = 0.01  # of naive Bayes; with 0.1 it is worse where there are twenty classes
_ITERATIONS = 8


def linear_svc(X: Matrix, y: Labels, state: int) -> Array:
    """scikit-learn's LinearSVC."""
    from sklearn.svm import LinearSVC

    known = np.flatnonzero(y >= 0)
    return np.asarray(LinearSVC(random_state=state).fit(X[known], y[known]).predict(X))


def logistic_regression(X: Matrix, y: Labels, state: int) -> Array:
    """scikit-learn's LogisticRegression."""
    from sklearn.linear_model import LogisticRegression

    known = np.flatnonzero(y >= 0)
    model = LogisticRegression(max_iter=1000, random_state=state)
    return np.asarray(model.fit(X[known], y[known]).predict(X))


def naive_bayes_with_em(X: Matrix, y: Labels, state: int) -> Array:
    """scikit-learn's MultinomialNB in the loop of Nigam et al. 2000; nothing in it is random."""
    from sklearn.naive_bayes import MultinomialNB

    classes, known = np.arange(y.max() + 1), np.flatnonzero(y >= 0)
    model = MultinomialNB(alpha=_SMOOTHING).fit(X[known], y[known])
    for _ in range(_ITERATIONS):
        shares = model.predict_proba(X)
        shares[known] = y[known, None] == classes
        model = MultinomialNB(alpha=_SMOOTHING)
        for label in classes:
            model.partial_fit(X, np.full(len(y), label), classes, shares[:, label])
    return np.asarray(model.predict(X))


def label_spreading(X: Matrix, y: Labels, state: int) -> Array:
    """scikit-learn's LabelSpreading over nearest neighbours in a latent space."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.preprocessing import normalize
    from sklearn.semi_supervised import LabelSpreading

    size = min(_LATENT, min(X.shape) - 1)
    Z = normalize(TruncatedSVD(size, random_state=state).fit_transform(X))
    model = LabelSpreading(kernel="knn", n_neighbors=min(_NEIGHBOURS, len(Z)), max_iter=100)
    return np.asarray(model.fit(Z, y).transduction_)


def self_training(X: Matrix, y: Labels, state: int) -> Array:
    """scikit-learn's SelfTrainingClassifier around a LinearSVC whose scores are calibrated.

    Classes count the same, or the one that is confident first takes everything.
    """
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.semi_supervised import SelfTrainingClassifier
    from sklearn.svm import LinearSVC

    base = CalibratedClassifierCV(LinearSVC(class_weight="balanced", random_state=state), cv=2)
    return np.asarray(SelfTrainingClassifier(base).fit(X, y).predict(X))


CLASSIFIERS: dict[str, Callable[[Matrix, Labels, int], Array]] = {
    "LinearSVC": linear_svc,
    "LogisticRegression": logistic_regression,
    "naive Bayes, EM": naive_bayes_with_em,
    "LabelSpreading": label_spreading,
    "SelfTraining": self_training,
}
