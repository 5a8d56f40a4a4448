"""What became of the supervision as plain data, for a model file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from textclust.geometry.affine import Array, Labels
from textclust.result.outcome import SupervisionOutcome, clusters_of
from textclust.result.sizes_outcome import SizesOutcome
from textclust.result.words_outcome import WordsOutcome
from textclust.supervision.background.outcome import BackgroundOutcome
from textclust.supervision.links import KINDS, Link, Links, Origin

__all__ = ["background_from_dict", "background_to_dict", "outcome_from_dict", "outcome_to_dict"]


def outcome_to_dict(outcome: SupervisionOutcome) -> dict[str, object]:
    """Links and seeds by row; what follows from the labels is left out."""
    links = outcome.given_links
    return {
        "links": [[link.left, link.right, link.kind, link.price] for link in links],
        "weights": [link.weight for link in links],
        "origins": [link.origin and [link.origin.source, link.origin.line] for link in links],
        "seeds": [list(seed) for seed in outcome.given_seeds.items()],
        "classes": list(outcome.classes),
        "numbered": outcome.numbered,
        "clusters": None if outcome.numbered else list(outcome.clusters),
        "moved": outcome.moved,
        "accuracy": outcome.accuracy,
        "words": None if outcome.words is None else outcome.words.to_file(),
        "sizes": None if outcome.sizes is None else outcome.sizes.to_dict(),
    }


def outcome_from_dict(
    data: Mapping[str, Any],
    ids: Sequence[str],
    labels: Labels,
    memberships: Array | None = None,
    k: int | None = None,
) -> SupervisionOutcome:
    """The same about documents in clusters; ValueError where it does not fit them."""
    n, links, moved = len(ids), _links(data), data.get("moved")
    accuracy = data.get("accuracy")
    seeds, classes = dict(data["seeds"]), tuple(data["classes"])
    count = int(labels.max(initial=0)) + 1 if k is None else k
    clusters = data.get("clusters")  # the first versions wrote none
    rows = [*(link.left for link in links), *(link.right for link in links), *seeds]
    sound = (
        all(_is_number(row, n) for row in rows)
        and all(_is_number(number, len(classes)) for number in seeds.values())
        and all(link.kind in KINDS and _is_price(link.price) for link in links)
        and all(_is_price(link.weight) and link.weight is not None for link in links)
        and all(isinstance(name, str) for name in classes)
        and (clusters is None or len(clusters) == len(classes))
        and (len(classes) <= count or not data.get("numbered", True))
        and all(_is_number(cluster, count) for cluster in clusters or ())
        and (moved is None or _is_number(moved, n + 1))
        and (_is_price(accuracy) and (accuracy or 0.0) <= 1)
    )
    if not sound:
        raise ValueError("the supervision does not fit the documents")
    violated = Links.of(links).violations(clusters_of(labels, memberships)).tolist()
    judged = [replace(link, violated=flag) for link, flag in zip(links, violated, strict=True)]
    numbered = bool(data.get("numbered", True))
    given, bound = data.get("words"), data.get("sizes")  # nor these
    words = None if given is None else WordsOutcome.from_file(given, labels, count)
    sizes = None if bound is None else SizesOutcome.from_dict(bound, count)
    known = None if clusters is None else tuple(clusters)
    found = SupervisionOutcome.judged(
        ids, tuple(judged), seeds, classes, numbered, labels, memberships, words, known
    )
    return replace(found, moved=moved, accuracy=accuracy, sizes=sizes)


def _links(data: Mapping[str, Any]) -> list[Link[int]]:
    """Links as they were written; the first versions wrote neither weights nor origins."""
    count = len(data["links"])
    columns = data["links"], data.get("weights", [1.0] * count), data.get("origins", [None] * count)
    return [
        Link(left, right, kind, weight, None if origin is None else _origin(*origin), price)
        for (left, right, kind, price), weight, origin in zip(*columns, strict=True)
    ]


def _origin(source: object, line: object) -> Origin:
    if isinstance(source, str) and (line is None or type(line) is int):
        return Origin(source, line)
    raise ValueError("the supervision does not fit the documents")


def _is_number(value: object, below: int) -> bool:
    return type(value) is int and 0 <= value < below


def _is_price(value: object) -> bool:
    return value is None or (
        isinstance(value, int | float) and type(value) is not bool and 0 <= value < inf
    )


def background_to_dict(outcome: BackgroundOutcome) -> dict[str, object]:
    """What became of a background but for the novelty of documents, which is an array."""
    return {
        "classes": outcome.class_names,
        "sizes": list(outcome.sizes),
        "rising": [list(terms) for terms in outcome.rising],
        "falling": [list(terms) for terms in outcome.falling],
    }


def background_from_dict(
    data: Mapping[str, Any], novelty: Array, shape: tuple[int, int]
) -> BackgroundOutcome:
    """The same about n documents in k clusters; ValueError if it is not."""
    n, k = shape
    columns = [data[name] for name in ("classes", "sizes", "rising", "falling")]
    known, sizes, rising, falling = columns
    sound = (
        all(isinstance(column, list) and len(column) == k for column in columns)
        and all(name is None or isinstance(name, str) for name in known)
        and all(type(size) is int and size >= 0 for size in sizes)
        and all(isinstance(term, str) for terms in rising + falling for term in terms)
        and novelty.shape == (n,)
        and novelty.dtype.kind == "f"
    )
    if not sound:
        raise ValueError("the background does not fit the clusters")
    up, down = (tuple(map(tuple, column)) for column in (rising, falling))
    return BackgroundOutcome(tuple(known), tuple(sizes), novelty, up, down)
