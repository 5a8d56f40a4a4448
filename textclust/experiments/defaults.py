"""`textclust cluster` as it comes, beside scikit-learn's TfidfVectorizer and KMeans."""

from __future__ import annotations

from collections.abc import Iterator

from textclust import metrics
from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Labels
from textclust.pipeline import cluster

__all__ = ["EXPERIMENTS"]

COLLECTIONS = ("newsgroups", *NEWS_COLLECTIONS, "classic4", "20newsgroups")
_RUNS_ON_THE_LARGEST = 3
_METHODS = ("textclust", "scikit-learn")


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI with the folders of the documents."""
    documents = collection(case["collection"])
    truth = classes(documents)
    k = len(set(truth))
    if case["method"] == "textclust":
        labels = cluster(documents, k, random_state=run).labels
    else:
        labels = _peer(documents.texts, k, run)
    yield {"NMI": metrics.nmi(truth, labels)}


def _peer(texts: list[str], k: int, state: int) -> Labels:
    from sklearn.cluster import KMeans
    from sklearn.feature_extraction.text import TfidfVectorizer

    X = TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95).fit_transform(texts)
    return KMeans(k, n_init=10, random_state=state).fit_predict(X)


EXPERIMENTS = (
    Experiment(
        name="defaults",
        title="NMI with the defaults",
        source="",
        unit=unit,
        cases=(
            *grid(collection=COLLECTIONS[:-1], method=_METHODS),
            *grid(collection=COLLECTIONS[-1:], method=_METHODS, runs=[_RUNS_ON_THE_LARGEST]),
        ),
        runs=10,
        axes=("collection", "method"),
        x="collection",
        lines="method",
        across="method",
        baseline="scikit-learn",
        notes=(
            "scikit-learn, on the same texts and states: KMeans(k, n_init=10) after "
            'TfidfVectorizer(stop_words="english", min_df=5, max_df=0.95)',
            f"at most {_RUNS_ON_THE_LARGEST} runs on {COLLECTIONS[-1]}",
        ),
    ),
)
