"""Whether scores say how sure it is that documents are placed well: against known classes.

A document is placed well where its class is the one that most of its cluster has. By quarters of
the documents, from the lowest scores to the highest: the mean probability (1 + score) / 2 that the
scores stand for, and the share that is placed well.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.experiments.collections import NEWS_COLLECTIONS, classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.pipeline import cluster

__all__ = ["EXPERIMENTS", "unit"]

_QUARTERS = ("lowest", "second", "third", "highest")


def unit(case: Case, run: int) -> Iterator[Row]:
    """The probability and the share placed well in each quarter, and in all."""
    documents = collection(case["collection"])
    truth = np.unique(classes(documents), return_inverse=True)[1]
    k = int(truth.max()) + 1
    found = cluster(documents, k, random_state=run)
    home = np.array([np.bincount(truth[found.labels == h], minlength=k).argmax() for h in range(k)])
    well = truth == home[found.labels]
    order = np.argsort(found.scores, kind="stable")
    parts = dict(zip(_QUARTERS, np.array_split(order, len(_QUARTERS)), strict=True))
    for name, rows in {"all": order, **parts}.items():
        yield {
            "quarter": name,
            "score": float(found.scores[rows].mean()),
            "probability": float((1 + found.scores[rows].mean()) / 2),
            "placed well": float(well[rows].mean()),
        }


EXPERIMENTS = (
    Experiment(
        name="certainty",
        title="Scores, and how many documents are in the cluster of their class",
        source="",
        unit=unit,
        cases=grid(collection=(*NEWS_COLLECTIONS, "classic4", "20-newsgroups-100")),
        runs=5,
        axes=("collection", "quarter"),
        x="quarter",
        lines="collection",
        measures=("score", "probability", "placed well"),
        shown=("probability", "placed well"),
        notes=("a quarter of the documents each, by their scores",),
    ),
)
