"""Month after month: a chain of runs that go on from each other, beside runs of their own.

A collection is cut by date into parts of the same size. Runs of their own are matched afterwards,
as a person would do it: each with the one before, by what the clusters contain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from textclust import metrics
from textclust.comparison.continuing import going_on
from textclust.errors import InputError
from textclust.experiments.collections import collection
from textclust.experiments.declared import Case, Experiment, Row
from textclust.pipeline import cluster
from textclust.result.clustering import Clustering
from textclust.text.documents import Documents

__all__ = ["EXPERIMENTS", "months_of", "unit"]

CONTINUED, OWN = "continued", "runs of their own, matched"
_PARTS = 5
_ALL = "all"


def unit(case: Case, run: int) -> Iterator[Row]:
    """How good each month is, and how much of it goes on from the month before."""
    before: Clustering | None = None
    whos: list[int] = []
    truth: list[str] = []
    for number, documents in enumerate(months_of(case["collection"]), start=1):
        found = _run(documents, case["k"], case["way"], before, run)
        classes = [str(card.truth) for card in found.cards]
        numbers = [found.identity.numbers[h] for h in found.labels.tolist()]
        at = {"month": str(number)}
        row = {**at, "NMI": metrics.nmi(classes, found.labels), "clusters": found.k}
        if before is not None:
            row.update(_carried(before, found, documents.texts, numbers))
        yield row
        whos += numbers
        truth += classes
        before = found
    yield {"month": _ALL, "NMI": metrics.nmi(truth, whos), "clusters": len(set(whos))}


def _run(documents: Documents, k: int, way: str, before: Clustering | None, run: int) -> Clustering:
    if way == CONTINUED and before is not None:
        return cluster(documents, previous=before, random_state=run)
    found = cluster(documents, k, random_state=run)
    return found if before is None else going_on(found, before)


def _carried(before: Clustering, found: Clustering, texts: list[str], numbers: list[int]) -> Row:
    """What goes on from the run before."""
    expected = np.array(before.identity.numbers)[before.predict(texts).labels]
    then, now = _majorities(before), _majorities(found)
    both = then.keys() & now.keys()
    return {
        "as predicted": float((expected == numbers).mean()),
        "identities kept": len(both) / before.k,
        "same class": sum(then[n] == now[n] for n in both) / before.k,
    }


def _majorities(clustering: Clustering) -> dict[int, str]:
    """The class of most documents of each cluster that has any, by its identity."""
    found: dict[int, Counter[str]] = {}
    for h, card in zip(clustering.labels.tolist(), clustering.cards, strict=True):
        found.setdefault(clustering.identity.numbers[h], Counter())[str(card.truth)] += 1
    return {number: max(sorted(each), key=each.__getitem__) for number, each in found.items()}


@lru_cache(maxsize=1)
def months_of(name: str) -> list[Documents]:
    """A collection in parts of the same size, the oldest documents first."""
    documents = collection(name)
    if documents.dates is None or None in documents.dates:
        raise InputError(f"{name}: not every document has a date")
    dates = [each.timestamp() for each in documents.dates if each is not None]
    order = sorted(range(len(documents)), key=lambda row: (dates[row], documents.ids[row]))
    return [documents.select(part) for part in np.array_split(np.array(order), _PARTS)]


EXPERIMENTS = (
    Experiment(
        name="months",
        title="A chain of runs that go on, beside runs of their own",
        source="",
        unit=unit,
        cases=tuple(
            {"collection": name, "k": k, "way": way}
            for name, k in (("20newsgroups", 20), ("3-news-related-1000", 3))
            for way in (CONTINUED, OWN)
        ),
        runs=3,
        axes=("collection", "way", "month"),
        x="month",
        lines="way",
        baseline=OWN,
        measures=("NMI", "as predicted", "identities kept", "same class", "clusters"),
        shown=("NMI", "as predicted", "identities kept", "same class"),
        notes=(
            f"the collection in {_PARTS} parts of the same size by date; {_ALL}: identities "
            "against classes over all parts",
            "as predicted: documents in the cluster where the run before would put them",
            "identities kept: of the clusters of the run before; same class: those of them in "
            "which the class of most documents is what it was",
            "continued: k of the first run, then as many clusters as the documents support",
        ),
    ),
)
