"""A clustering as plain data: the content of clusters.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textclust.answer.clustering import Clustering

__all__ = ["summary"]


def summary(clustering: Clustering, terms: int, documents: int) -> dict[str, Any]:
    """Sizes, terms, representative and borderline documents, objective and settings."""
    return {
        "k": clustering.k,
        "documents": len(clustering.cards),
        "objective": clustering.objective,
        "agreement": clustering.agreement(),
        **_evidence(clustering),
        **_learned(clustering, terms),
        **_past(clustering),
        "clusters": [_cluster(clustering, h, terms, documents) for h in range(clustering.k)],
        "settings": clustering.settings,
    }


def _evidence(clustering: Clustering) -> dict[str, Any]:
    """What was said beforehand and what became of it; nothing where nothing was said."""
    evidence, ids, told = clustering.evidence, clustering.ids, dict[str, Any]()
    if evidence.links:
        broken = clustering.violations()
        told["constraints"] = {
            "given": len(evidence.links),
            "violated": [
                {"left": ids[b.left], "right": ids[b.right], "kind": b.kind, "price": b.price}
                for b in broken
            ],
        }
    if evidence.seeds:
        kept = evidence.kept_seeds(clustering.labels.tolist())
        homes = evidence.homes(clustering.labels.tolist())
        classes = dict(zip(evidence.classes, homes, strict=True))
        told["seeds"] = {"given": len(evidence.seeds), "kept": kept, "clusters": classes}
    return told


def _learned(clustering: Clustering, terms: int) -> dict[str, Any]:
    """The terms that a learned measure counts most and least; nothing where none was learned."""
    most, least = clustering.learned_terms(terms)
    if not most:
        return {}
    weighed = {"most": most, "least": least}
    return {"learned": {kind: [asdict(term) for term in some] for kind, some in weighed.items()}}


def _past(clustering: Clustering) -> dict[str, Any]:
    """What became of each class of a background; nothing where there was none."""
    past = clustering.past
    if past is None:
        return {}
    classes = [
        {"cluster": h, "class": name, "old": old, "new": new, "rising": up, "falling": down}
        for h, (name, old, new, up, down) in enumerate(
            zip(past.classes, past.sizes, clustering.sizes, past.rising, past.falling, strict=True)
        )
    ]
    return {"background": {"clusters": classes, "fit_no_class": int(past.unlike_all.sum())}}


def _cluster(clustering: Clustering, h: int, terms: int, documents: int) -> dict[str, Any]:
    def listed(kind: str) -> list[dict[str, Any]]:
        return [asdict(term) for term in clustering.weighted_terms(h, terms, kind)]

    def shown(rows: list[int]) -> list[dict[str, Any]]:
        cards, scores = clustering.cards, clustering.scores
        return [
            {"id": cards[row].id, "title": cards[row].title, "score": round(float(scores[row]), 4)}
            for row in rows
        ]

    return {
        "cluster": h,
        "name": clustering.names[h],
        "size": clustering.sizes[h],
        "terms": listed("descriptive"),
        "discriminating_terms": listed("discriminating"),
        "representatives": shown(clustering.nearest_rows(h, documents)),
        "borderline": shown(clustering.borderline_rows(h, documents)),
    }
