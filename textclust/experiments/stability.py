"""Whether stable documents are in the right place: their class is the one most have beside them.

The documents of a collection are ranked by their stability, or by their score, and cut into
quarters; documents that are alike in it come in random order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.geometry.affine import Array, Labels
from textclust.pipeline import cluster

__all__ = ["EXPERIMENTS", "unit"]

_COLLECTIONS = ("newsgroups", "3-news-similar-1000", "20-newsgroups-100", "classic4")
_QUARTERS = ("lowest quarter", "second", "third", "highest quarter")


def unit(case: Case, run: int) -> Iterator[Row]:
    """The share of documents in the right place in each quarter."""
    documents = collection(case["collection"])
    truth = np.unique(classes(documents), return_inverse=True)[1]
    found = cluster(documents, len(np.unique(truth)), stability=True, random_state=run)
    assert found.stability is not None
    is_right = _of_most(found.labels, truth)
    rng = np.random.default_rng(run)
    for by, figures in (("stability", found.stability.documents), ("score", found.scores)):
        for quarter, rows in zip(_QUARTERS, _quarters(figures, rng), strict=True):
            yield {"ranked by": by, "documents": quarter, "right": float(is_right[rows].mean())}


def _of_most(labels: Labels, truth: Labels) -> Array:
    """Which documents are of the class that most documents of their cluster have."""
    counts = np.zeros((labels.max() + 1, truth.max() + 1))
    np.add.at(counts, (labels, truth), 1)
    return np.asarray(truth == counts.argmax(axis=1)[labels])


def _quarters(figures: Array, rng: np.random.Generator) -> list[Labels]:
    """The documents in four parts, those of the lowest figures first."""
    order = rng.permutation(len(figures))
    return np.array_split(order[np.argsort(figures[order], kind="stable")], len(_QUARTERS))


EXPERIMENTS = (
    Experiment(
        name="stability",
        title="Documents in the right place, by their stability",
        source="",
        unit=unit,
        cases=grid(collection=_COLLECTIONS),
        runs=5,
        axes=("collection", "ranked by", "documents"),
        x="documents",
        lines="ranked by",
        measures=("right",),
        notes=(
            "right: the share of documents whose class is the one that most in their cluster have",
        ),
    ),
)
