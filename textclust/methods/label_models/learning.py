"""From the documents that have a class to a linear label model of all."""

from __future__ import annotations

from math import ceil

import numpy as np

from textclust.geometry.affine import Labels
from textclust.methods.label_models.calibration import UNTRIED, temperature
from textclust.methods.label_models.documents import Documents
from textclust.methods.label_models.linear import LinearModel
from textclust.methods.label_models.pool import Pool, pooled
from textclust.methods.label_models.retraining import retrained
from textclust.methods.label_models.spherical import clusters_as_model, matching
from textclust.supervision.seed_words import NamedByWords

__all__ = ["learned"]

_LEARNED_FROM = 16_000  # documents at most, half of them seeds; all are clustered
_CENTRAL = 0.5  # of the documents of a cluster stand for it
_NEXT_TO_NO = 2  # seeds of a class, if they are less than
_POOR = 0.25  # of what classes have on average


def learned(
    documents: Documents,
    y: Labels,
    rng: np.random.Generator,
    by_words: NamedByWords | None = None,
    old: bool = False,
    guesses: Labels | None = None,
) -> tuple[LinearModel, Pool]:
    """The linear model that learns what all label models say together, and what they say.

    Documents that words name, or that there are guesses of, are learned from as seeds are, and need
    not keep their class. `old` is for seeds that were before the others.
    """
    known = y if by_words is None else np.where(y >= 0, y, by_words.labels)
    rows = _sample(known, rng)
    sample, y, known = documents.subset(rows), y[rows], known[rows]
    by_words = None if by_words is None else by_words.subset(rows)
    weak = np.where((known >= 0) & (y < 0), known, _by_clusters(sample, known))
    if guesses is not None:
        weak = np.where((known < 0) & (guesses[rows] >= 0), guesses[rows], weak)
    pool = pooled(sample, y, weak, rng, by_words, old)
    if pool.clusters_suffice:
        model = clusters_as_model(sample, np.where(y >= 0, y, weak))
    else:
        model = retrained(sample, y, pool.log_probabilities)
    accuracy = UNTRIED if pool.accuracy is None else pool.accuracy
    cool = temperature(model.scores(sample), accuracy)
    return LinearModel(model.coefficients / cool, model.intercepts / cool), pool


def _sample(y: Labels, rng: np.random.Generator) -> Labels:
    """As many documents as are learned from: seeds first, but no more than half of them."""
    if len(y) <= _LEARNED_FROM:
        return np.arange(len(y))
    seeds, others = (rng.permutation(np.flatnonzero(known)) for known in (y >= 0, y < 0))
    half = _LEARNED_FROM // 2
    few = min(len(seeds), max(half, _LEARNED_FROM - len(others)))
    return np.sort(np.concatenate([seeds[:few], others[: _LEARNED_FROM - few]]))


def _by_clusters(documents: Documents, y: Labels) -> Labels:
    """A guess for clusters that stand for a class: the documents nearest to the middle of each.

    Those are clusters that no seed names, and those that a class with next to no seeds beside the
    others has for itself.
    """
    guesses = np.full(len(y), -1)
    sizes = np.bincount(y[y >= 0], minlength=documents.k)
    poor = np.flatnonzero(sizes <= np.minimum(_NEXT_TO_NO, _POOR * sizes.mean()))
    order = matching(documents, y) if len(poor) else poor
    for label in poor:
        inside = np.flatnonzero(documents.clusters == order[label])
        seeds = y[inside][y[inside] >= 0]
        if sizes[label] and (len(seeds) != sizes[label] or (seeds != label).any()):
            continue
        free = inside[y[inside] < 0]
        near = np.asarray(documents.X[free] @ documents.prototypes[order[label]])
        guesses[free[np.argsort(-near, kind="stable")[: ceil(_CENTRAL * len(free))]]] = label
    return guesses
