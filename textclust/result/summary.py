"""A clustering as plain data: the content of clusters.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from textclust.display import Sheet
from textclust.plain import count
from textclust.result.course_tables import course_as_data
from textclust.result.placement import FITS_NOWHERE, NOWHERE

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["sheet", "summary"]

_TERMS, _SHOWN = 6, 10  # terms and clusters in a few lines


def sheet(clustering: Clustering) -> Sheet:
    """What a prompt or a notebook shows of it: its clusters."""
    known = clustering.settings.get("description")
    title = f"{count(clustering.n_documents, 'document')} in {count(clustering.k, 'cluster')}"
    stopped, stability = clustering.stopped, clustering.stability
    notes = [] if stopped is None else [stopped.sentence(clustering.objective)]
    return Sheet(
        title=f"Clustering: {title}" + (f", by {known}" if known else ""),
        head=("cluster", "name", "size", "terms"),
        rows=[
            (h, clustering.names[h], clustering.sizes[h], ", ".join(clustering.terms(h, _TERMS)))
            for h in range(min(clustering.k, _SHOWN))
        ],
        total=clustering.k,
        note="; ".join([*notes, *([] if stability is None else [str(stability)])]),
    )


def summary(clustering: Clustering, terms: int, documents: int) -> dict[str, object]:
    """Sizes, terms, representative and borderline documents, objective and settings."""
    return {
        "k": clustering.k,
        "documents": clustering.n_documents,
        "objective": clustering.objective,
        "stopped": clustering.stopped and asdict(clustering.stopped),
        "agreement": clustering.agreement(),
        **clustering.outcome.to_dict(),
        **_learned(clustering, terms),
        **_past(clustering),
        **({} if clustering.levels is None else {"tree": clustering.levels.to_dict()}),
        **_continued(clustering),
        **({} if clustering.stability is None else {"stability": clustering.stability.to_dict()}),
        **_over_time(clustering),
        **_added(clustering),
        "clusters": [_cluster(clustering, h, terms, documents) for h in range(clustering.k)],
        **_outliers(clustering, documents),
        "settings": clustering.settings,
    }


def _learned(clustering: Clustering, terms: int) -> dict[str, object]:
    """The terms that a learned measure counts most and least; nothing where none was learned."""
    most, least = clustering.learned_terms(terms)
    if not most:
        return {}
    weighed = {"most": most, "least": least}
    return {"learned": {kind: [asdict(term) for term in some] for kind, some in weighed.items()}}


def _continued(clustering: Clustering) -> dict[str, object]:
    """What became of the clusters of an earlier run; nothing where there was none."""
    changes = clustering.changes
    return {} if changes is None else {"continued": changes.to_dict()}


def _over_time(clustering: Clustering) -> dict[str, object]:
    """The course of the clusters, by the periods that were asked for; nothing without."""
    if "by" not in clustering.settings:
        return {}
    return {"over_time": course_as_data(clustering, clustering.settings["by"])}


def _added(clustering: Clustering) -> dict[str, object]:
    """The documents that were added, and how they differ; nothing where there are none."""
    if clustering.additions is None or clustering.drift is None:
        return {}
    return {"added": {"batches": clustering.additions.batches, **clustering.drift.to_dict()}}


def _past(clustering: Clustering) -> dict[str, object]:
    """What became of each class of a background; nothing where there was none."""
    past = clustering.outcome.background
    if past is None:
        return {}
    classes = [
        {"cluster": h, "class": name, "old": old, "new": new, "rising": up, "falling": down}
        for h, (name, old, new, up, down) in enumerate(
            zip(
                past.class_names,
                past.sizes,
                clustering.sizes,
                past.rising,
                past.falling,
                strict=True,
            )
        )
    ]
    return {"background": {"clusters": classes, "fit_no_class": int(past.fits_no_class.sum())}}


def _outliers(clustering: Clustering, documents: int) -> dict[str, object]:
    """What fits nowhere, and the first of it; nothing where it was not looked for."""
    if clustering.outliers is None:
        return {}
    rows = np.flatnonzero(clustering.outliers)[:documents].tolist()
    return {
        "outliers": {
            "cluster": NOWHERE,
            "name": FITS_NOWHERE,
            "size": clustering.n_outliers,
            "documents": _shown(clustering, rows),
        }
    }


def _shown(clustering: Clustering, rows: list[int]) -> list[dict[str, object]]:
    cards, scores = clustering.cards, clustering.scores
    return [
        {"id": cards[row].id, "title": cards[row].title, "score": round(float(scores[row]), 4)}
        for row in rows
    ]


def _cluster(clustering: Clustering, h: int, terms: int, documents: int) -> dict[str, object]:
    def listed(kind: str) -> list[dict[str, object]]:
        return [asdict(term) for term in clustering.weighted_terms(h, terms, kind)]

    return {
        "cluster": h,
        "identity": clustering.identity.numbers[h],
        "name": clustering.names[h],
        "size": clustering.sizes[h],
        **({} if clustering.group_sizes is None else {"groups": clustering.group_sizes[h]}),
        **({} if clustering.stability is None else {"stability": clustering.stability.cluster(h)}),
        "terms": listed("descriptive"),
        "discriminating_terms": listed("discriminating"),
        "representatives": _shown(clustering, clustering.nearest_rows(h, documents)),
        "borderline": _shown(clustering, clustering.borderline_rows(h, documents)),
    }
