"""How many strangers planted in a collection are found, and how many of its own are taken for some.

The strangers are documents of another collection, one in twenty: from another corpus, or from other
newsgroups. The clusters are made of 70 % of the collection, with strangers among them or without;
the rest, and as many strangers again, are new documents.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.pipeline import cluster

__all__ = ["EXPERIMENTS", "unit"]

_PAIRS = {  # a collection, and where its strangers are from
    "3-news-different-1000": "3-news-similar-1000",
    "3-news-related-1000": "3-news-similar-1000",
    "3-news-similar-1000": "classic4",
    "classic4": "20newsgroups",
    "20-newsgroups-100": "classic4",
}
_STRANGERS, _LEARNED = 0.05, 0.7
_FEWEST = 15  # words of a stranger: what has no words is found by anybody


def unit(case: Case, run: int) -> Iterator[Row]:
    """Recall and precision in the collection, and shares of new documents that fit nowhere."""
    rng = np.random.default_rng(run)
    documents, other = collection(case["collection"]), collection(_PAIRS[case["collection"]])
    texts, strange = (
        rng.permutation(np.array(each.texts, dtype=object)) for each in (documents, other)
    )
    strange = np.array([text for text in strange if len(text.split()) >= _FEWEST], dtype=object)
    count = int(_LEARNED * len(texts))
    learned, new = texts[:count].tolist(), texts[count:].tolist()
    planted = int(_STRANGERS / (1 - _STRANGERS) * count)
    inside = strange[:planted].tolist() if case["planted"] else []
    found = cluster(
        [*learned, *inside], len(set(classes(documents))), outliers=True, random_state=run
    )
    outside = found.labels == -1
    is_stranger = np.arange(len(outside)) >= count
    yield {
        "own outside": float(outside[~is_stranger].mean()),
        **({"recall": float(outside[is_stranger].mean())} if inside else {}),
        **({"precision": float(is_stranger[outside].mean())} if inside and outside.any() else {}),
        "new outside": 1 - float(found.predict(new).fits.mean()),
        "new strangers outside": 1
        - float(found.predict(strange[planted : 2 * planted].tolist()).fits.mean()),
    }


EXPERIMENTS = (
    Experiment(
        name="outliers",
        title="Strangers that fit nowhere, and documents that should",
        source="",
        unit=unit,
        cases=grid(collection=tuple(_PAIRS), planted=(False, True)),
        runs=5,
        axes=("collection", "planted"),
        x="collection",
        lines="planted",
        measures=("recall", "precision", "own outside", "new outside", "new strangers outside"),
        shown=("recall", "precision", "own outside", "new outside", "new strangers outside"),
        notes=(
            "planted: whether one document in twenty of those that were clustered is a stranger",
            "own outside, new outside: of the collection itself, clustered or new; 0.02 is the aim",
        ),
    ),
)
