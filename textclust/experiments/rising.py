"""How many terms rise over time with the dates of documents, and with dates that mean nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.pipeline import cluster
from textclust.result.over_time import over_time

__all__ = ["EXPERIMENTS", "unit"]

_COLLECTIONS = ("newsgroups", "3-news-related-1000", "3-news-similar-1000", "20newsgroups")
_FEWEST = 3  # documents of a period in which a term could rise
_DATES = ("shuffled", "true")


def unit(case: Case, run: int) -> Iterator[Row]:
    """The share of the periods of clusters in which terms rise, and how many terms do."""
    documents = collection(case["collection"])
    assert documents.dates is not None
    if case["dates"] == "shuffled":
        order = np.random.default_rng(run).permutation(len(documents))
        documents = replace(documents, dates=[documents.dates[i] for i in order])
    found = cluster(documents, len(set(classes(documents))), random_state=run)
    for freq in ("week", "month"):
        course = over_time(found, freq)
        earlier = course.sizes.cumsum(axis=1) - course.sizes
        periods = ((course.sizes >= _FEWEST) & (earlier > 0)).sum()
        terms = [len(rising) for of_cluster in course.rising for rising in of_cluster]
        yield {
            "period": freq,
            "periods with rising terms": float(np.count_nonzero(terms) / max(periods, 1)),
            "terms": float(sum(terms)),
        }


EXPERIMENTS = (
    Experiment(
        name="rising",
        title="Periods of clusters in which a term rises, by what the dates are",
        source="",
        unit=unit,
        cases=grid(collection=_COLLECTIONS, dates=_DATES),
        runs=5,
        axes=("collection", "period", "dates"),
        x="collection",
        lines="dates",
        across="dates",
        measures=("periods with rising terms", "terms"),
        shown=("periods with rising terms",),
        notes=(
            "periods: of clusters that have 3 documents or more then, and documents before",
            "shuffled: each document has the date of another",
        ),
    ),
)
