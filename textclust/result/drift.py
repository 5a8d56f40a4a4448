"""Old against new: how the terms of the classes of a background moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.supervision.background.labelled import Background
from textclust.supervision.background.outcome import BackgroundOutcome, Terms

__all__ = ["with_drift"]

_TERMS = 6


def with_drift(
    outcome: BackgroundOutcome,
    background: Background,
    X: Matrix,
    labels: Labels,
    features: Sequence[str],
) -> BackgroundOutcome:
    """With the terms whose share of the centroid of each class grew most, and shrank most."""
    assert background.features is not None  # or nothing would be known to be shared
    now = _centroids(X, labels, len(outcome.classes)) ** 2
    then = _centroids(background.X, background.y, len(background.classes)) ** 2
    every = list(dict.fromkeys([*features, *background.features]))
    place = {term: column for column, term in enumerate(every)}
    new, old = ([place[term] for term in terms] for terms in (features, background.features))
    rising: list[Terms] = []
    falling: list[Terms] = []
    for h, known in enumerate(outcome.classes):
        moved = np.zeros(len(every))
        if known is not None and now[h].any():
            moved[new] += now[h]
            moved[old] -= then[background.classes.index(known)]
        order = np.argsort(-moved, kind="stable")
        rising.append(tuple(every[t] for t in order[:_TERMS] if moved[t] > 0))
        falling.append(tuple(every[t] for t in order[::-1][:_TERMS] if moved[t] < 0))
    return replace(outcome, rising=tuple(rising), falling=tuple(falling))


def _centroids(X: Matrix, labels: Labels, k: int) -> Array:
    cosine = Cosine()
    return cosine.prototypes(*moments(cosine.prepare(X), labels, np.ones(X.shape[0]), k))
