"""Documents that are added to clusters: when a refit is called for, and what it gives.

The clusters are made from three quarters of a part of a collection, or without some of its classes;
then the rest is added, these classes included, or the part that follows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust import metrics
from textclust.experiments.declared import Case, Experiment, Row
from textclust.experiments.months import months_of
from textclust.pipeline import cluster
from textclust.refitting import refit
from textclust.result.clustering import Clustering
from textclust.text.documents import Documents

__all__ = ["EXPERIMENTS", "old_and_new", "unit"]

RANDOM = "the rest of the part"
_LEFT_OUT = {"the rest, with a new class": 1, "the rest, with three new classes": 3}
_LATER = {"the next part": 1, "the part two later": 2}
_MADE_FROM = 0.75
_PARTS = 5


def unit(case: Case, run: int) -> Iterator[Row]:
    """Whether a refit is due, by what, and how good the clusters are without and with it."""
    old, new = old_and_new(case["collection"], case["added"], run)
    found = cluster(old, len(set(old.labels or ())), random_state=run)
    added = found.extended(new)
    drift = added.drift
    assert drift is not None
    fresh = refit(added, run)
    half = len(new) // 2
    in_two = found.extended(new.select(range(half))).extended(new.select(range(half, len(new))))
    yield {
        "due": float(drift.due),
        "fits worse": drift.worse,
        "worst cluster": max((each.worse or 0.0) for each in drift.clusters),
        "fit nowhere": drift.nowhere.added - drift.nowhere.before,
        "unknown terms": drift.unknown.added - drift.unknown.before,
        "displaced": (drift.displaced or 0) / drift.fitted,
        "NMI added": _agreement(added),
        "NMI refitted": _agreement(fresh),
        "two batches": float((added.labels != in_two.labels).mean()),
    }


def _agreement(clustering: Clustering) -> float:
    return metrics.nmi([str(card.truth) for card in clustering.cards], clustering.labels)


def old_and_new(name: str, added: str, run: int) -> tuple[Documents, Documents]:
    """What clusters are made from, and what is added; the part and the classes go by the run."""
    parts, rng = months_of(name), np.random.default_rng(run)
    if added in _LATER:
        later = _LATER[added]
        first = run % (_PARTS - later)
        return parts[first], parts[first + later]
    part = parts[run % _PARTS]
    order = rng.permutation(len(part))
    count = int(_MADE_FROM * len(part))
    names = sorted({str(label) for label in part.labels or ()})
    without = rng.permutation(names)[: _LEFT_OUT.get(added, 0)].tolist()
    old = _of_classes(part.select(np.sort(order[:count])), without)
    return old, part.select(np.sort(order[count:]))


def _of_classes(documents: Documents, without: list[str]) -> Documents:
    """The documents of all classes but some."""
    labels = documents.labels or [None] * len(documents)
    return documents.select([i for i, label in enumerate(labels) if label not in without])


EXPERIMENTS = (
    Experiment(
        name="adding",
        title="Documents added to clusters, and when a refit is due",
        source="",
        unit=unit,
        cases=tuple(
            {"collection": name, "added": added}
            for name in ("20newsgroups",)
            for added in (RANDOM, *_LEFT_OUT, *_LATER)
        ),
        runs=5,
        axes=("collection", "added"),
        x="collection",
        lines="added",
        baseline=RANDOM,
        measures=(
            "due",
            "fits worse",
            "worst cluster",
            "fit nowhere",
            "unknown terms",
            "displaced",
            "NMI added",
            "NMI refitted",
            "two batches",
        ),
        notes=(
            f"the collection in {_PARTS} parts of the same size by date; the clusters are made "
            f"from {_MADE_FROM:.0%} of one, or from all of it where a later one is added",
            "due: the share of runs that call for a refit",
            "fit nowhere, unknown terms: how much larger the share is among what was added",
            "two batches: documents that are elsewhere if the new ones are added in two halves",
        ),
    ),
)
