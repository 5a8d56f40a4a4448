"""Whether a consensus of twenty runs of k-means is worth them: beside the default."""

from __future__ import annotations

from collections.abc import Iterator

from textclust import metrics
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.pipeline import cluster

__all__ = ["EXPERIMENTS", "unit"]

_COLLECTIONS = (
    "newsgroups",
    "3-news-similar-1000",
    "20-newsgroups-100",
    "classic4",
    "20newsgroups",
)


def unit(case: Case, run: int) -> Iterator[Row]:
    """NMI with the folders of the documents."""
    documents = collection(case["collection"])
    truth = classes(documents)
    found = cluster(documents, len(set(truth)), method=case["method"], random_state=run)
    yield {"NMI": metrics.nmi(truth, found.labels)}


EXPERIMENTS = (
    Experiment(
        name="consensus",
        title="NMI of a consensus of runs, and of the default",
        source="",
        unit=unit,
        cases=grid(collection=_COLLECTIONS, method=("kmeans", "consensus")),
        runs=5,
        axes=("collection", "method"),
        x="collection",
        lines="method",
        across="method",
        baseline="kmeans",
    ),
)
