"""Old against new: what became of the classes of a background, and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from textclust.engine.problem import Findings
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.supervision.background.labelled import Background
from textclust.supervision.background.novelty import Fit

__all__ = ["Past"]

_TERMS = 6


@dataclass(frozen=True)
class Past:
    """The class of each cluster, how many old documents it had, and how its terms moved."""

    classes: tuple[str | None, ...]  # of each cluster; None for a new one
    sizes: tuple[int, ...]  # old documents of the class, 0 for a new cluster
    rising: tuple[tuple[str, ...], ...]  # terms that count for more than they did
    falling: tuple[tuple[str, ...], ...]
    novelty: Array  # of each document, from 0 to 1

    @classmethod
    def of(
        cls,
        background: Background,
        findings: Findings,
        X: Matrix,
        labels: Labels,
        features: Sequence[str],
    ) -> Self:
        """What a clustering of X makes of a background."""
        class_of_cluster = findings.class_of_cluster
        drifts = _drifts(background, class_of_cluster, X, labels, features)
        return cls(
            classes=tuple(None if c < 0 else str(background.classes[c]) for c in class_of_cluster),
            sizes=tuple(0 if c < 0 else int(background.sizes[c]) for c in class_of_cluster),
            rising=tuple(rising for rising, _ in drifts),
            falling=tuple(falling for _, falling in drifts),
            novelty=findings.novelty,
        )

    @property
    def unlike_all(self) -> Array:
        """Which documents fit no class that is known."""
        return Fit.is_new(self.novelty)

    def named(self, names: Sequence[str]) -> list[str]:
        """Clusters by their class; new ones by their terms, marked as new."""
        pairs = zip(self.classes, names, strict=True)
        return [f"{name} (new)" if known is None else known for known, name in pairs]

    def to_dict(self) -> dict[str, Any]:
        """Plain data but for the arrays, for a model file."""
        return {
            "classes": list(self.classes),
            "sizes": list(self.sizes),
            "rising": [list(terms) for terms in self.rising],
            "falling": [list(terms) for terms in self.falling],
        }

    @classmethod
    def from_dict(
        cls, data: dict[str, Any], arrays: dict[str, Any], shape: tuple[int, int]
    ) -> Self:
        """The same from plain data about n documents in k clusters; ValueError if it is not."""
        n, k = shape
        novelty = arrays["novelty"]
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
            raise ValueError("what is known of the past does not fit the clusters")
        return cls(tuple(known), tuple(sizes), _all(rising), _all(falling), novelty)


def _all(columns: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(terms) for terms in columns)


def _drifts(
    background: Background,
    class_of_cluster: Sequence[int],
    X: Matrix,
    labels: Labels,
    features: Sequence[str],
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each class the terms whose share of its centroid grew most, and shrank most."""
    assert background.features is not None  # or nothing would be known to be shared
    now = _centroids(X, labels, len(class_of_cluster)) ** 2
    then = _centroids(background.X, background.y, len(background.classes)) ** 2
    every = list(dict.fromkeys([*features, *background.features]))
    place = {term: column for column, term in enumerate(every)}
    new, old = ([place[term] for term in terms] for terms in (features, background.features))
    drifts: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    for h, home in enumerate(class_of_cluster):
        if home < 0 or not now[h].any():
            drifts.append(((), ()))
            continue
        moved = np.zeros(len(every))
        moved[new] += now[h]
        moved[old] -= then[home]
        order = np.argsort(-moved, kind="stable")
        up = [every[column] for column in order[:_TERMS] if moved[column] > 0]
        down = [every[column] for column in order[::-1][:_TERMS] if moved[column] < 0]
        drifts.append((tuple(up), tuple(down)))
    return drifts


def _centroids(X: Matrix, labels: Labels, k: int) -> Array:
    cosine = Cosine()
    return cosine.prototypes(*moments(cosine.prepare(X), labels, np.ones(X.shape[0]), k))
