"""What a few named documents bring: clustering by them beside classifiers on the same vectors.

Some documents of each class are named, drawn at random. Accuracy is as named, a document in the
cluster of another class than its own is wrong, and like NMI it is taken on the documents that
nothing was said of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from textclust import metrics
from textclust.estimators.base import BaseClusterer
from textclust.estimators.guided import GuidedClustering
from textclust.estimators.seeded import ConstrainedKMeans, SeededKMeans
from textclust.experiments.classifiers import CLASSIFIERS
from textclust.experiments.collections import NEWS_COLLECTIONS
from textclust.experiments.datasets import dataset
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array, Labels, Matrix

__all__ = ["COLLECTIONS", "EXPERIMENTS", "LARGEST", "METHODS", "NAMED"]

COLLECTIONS = ("newsgroups", *NEWS_COLLECTIONS, "classic4", "20-newsgroups-100", "yahoo-news")
LARGEST = "20newsgroups"
NAMED: dict[str, tuple[int, ...]] = {LARGEST: (5, 20, 50, 250)}
_NAMED = (2, 5, 20, 100)
_RUNS_ON_THE_LARGEST = 3
_LEFT_OUT = ("LabelSpreading", "SelfTraining")  # on the largest
_CLUSTERERS: dict[str, Callable[..., BaseClusterer]] = {
    "GuidedClustering": GuidedClustering,
    "SeededKMeans": SeededKMeans,
    "ConstrainedKMeans": ConstrainedKMeans,
    "Seeded as published": partial(SeededKMeans, as_published=True),
    "Constrained as published": partial(ConstrainedKMeans, as_published=True),
}
METHODS = (*_CLUSTERERS, *CLASSIFIERS)


def unit(case: Case, run: int) -> Iterator[Row]:
    """Accuracy and NMI of one method, for each number of named documents."""
    X, truth = dataset(case["collection"], damped=True)
    for count in NAMED.get(case["collection"], _NAMED):
        y = named_documents(truth, count, np.random.default_rng((run, count)))
        labels, others = _labels(case["method"], X, y, run), y < 0
        yield {
            "named": count,
            "accuracy": float((labels == truth)[others].mean()),
            "NMI": metrics.nmi(truth[others], labels[others]),
        }


def named_documents(truth: Array, count: int, rng: np.random.Generator) -> Labels:
    """The class of so many documents of each class, at most half of it; -1 elsewhere."""
    y = np.full(len(truth), -1)
    for label in np.unique(truth):
        rows = rng.permutation(np.flatnonzero(truth == label))
        y[rows[: min(count, len(rows) // 2)]] = label
    return y


def _labels(method: str, X: Matrix, y: Labels, state: int) -> Array:
    """Cluster h is class h: every class has a document that is named."""
    if method in CLASSIFIERS:
        return CLASSIFIERS[method](X, y, state)
    return _CLUSTERERS[method](int(y.max()) + 1, random_state=state).fit(X, y=y).labels_


EXPERIMENTS = (
    Experiment(
        name="supervision",
        title="Accuracy as named, and NMI, on the documents that are not named, by how many are",
        source="",
        unit=unit,
        cases=(
            *grid(collection=COLLECTIONS, method=METHODS),
            *grid(
                collection=[LARGEST],
                method=[method for method in METHODS if method not in _LEFT_OUT],
                runs=[_RUNS_ON_THE_LARGEST],
            ),
        ),
        runs=10,
        axes=("collection", "named", "method"),
        x="named",
        lines="method",
        across="method",
        baseline="GuidedClustering",
        measures=("accuracy", "NMI"),
        notes=(
            "named: documents of each class, drawn at random, at most half of the class; all "
            "methods on the same damped TF-IDF and the same named documents",
            "as published: one run from the means of the named documents",
            "naive Bayes, EM: MultinomialNB(alpha=0.01), eight rounds; LabelSpreading: 15 nearest "
            "neighbours in 100 latent dimensions; SelfTraining: around a calibrated LinearSVC",
            f"at most {_RUNS_ON_THE_LARGEST} runs on {LARGEST}, without {' and '.join(_LEFT_OUT)}",
        ),
    ),
)
