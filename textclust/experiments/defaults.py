"""`textclust cluster` as it comes, beside scikit-learn's TfidfVectorizer and KMeans."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust import metrics
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.table import Table
from textclust.pipeline import cluster
from textclust.progress import track

__all__ = ["run"]

COLLECTIONS = ("newsgroups", *NEWS_COLLECTIONS, "classic4", "20newsgroups")
_RUNS_ON_THE_LARGEST = 3


def run(runs: int) -> Table:
    """Mean NMI over random states 0, 1, 2, ... with the documents' folders as the truth."""
    rows = [_row(name, runs) for name in track(COLLECTIONS, "collections", len(COLLECTIONS))]
    return Table(
        "Mean NMI with the defaults",
        ("collection", "documents", "k", "runs", "textclust", "sd", "scikit-learn"),
        rows,
        (
            "scikit-learn, on the same texts and states: KMeans(k, n_init=10) after "
            'TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95)',
        ),
    )


def _row(name: str, runs: int) -> tuple[Any, ...]:
    documents = collection(name)
    truth = classes(documents)
    k = len(set(truth))
    states = range(min(runs, _RUNS_ON_THE_LARGEST) if len(documents) > 10_000 else runs)
    ours = [
        metrics.nmi(truth, cluster(documents, k, random_state=state).labels) for state in states
    ]
    theirs = [metrics.nmi(truth, _peer(documents.texts, k, state)) for state in states]
    means = [f"{value:.3f}" for value in (np.mean(ours), np.std(ours), np.mean(theirs))]
    return (name, len(documents), k, len(states), *means)


def _peer(texts: list[str], k: int, state: int) -> Any:
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfVectorizer

    X = TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95).fit_transform(texts)
    return KMeans(k, n_init=10, random_state=state).fit_predict(X)
