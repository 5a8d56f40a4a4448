"""What several label models say together, each weighted by how well it predicts held-out seeds.

    log p(h | i) = sum_m w_m log p_m(h | i) + const

A logarithmic opinion pool (Genest and Zidek 1986). No single model is best everywhere: which one is
depends on how well the clusters of the documents agree with the classes, and the seeds tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.rows import squared_norms
from textclust.methods.label_models.calibration import log_probabilities
from textclust.methods.label_models.documents import Documents
from textclust.methods.label_models.evidence import cross_validated
from textclust.methods.label_models.opinions import opinions_of
from textclust.supervision.seed_words import NamedByWords

__all__ = ["Pool", "pooled"]

_SAME = 0.9  # of the documents: two clusterings that agree on so many are of the same classes


@dataclass(frozen=True, eq=False)
class Pool:
    """What label models say together."""

    log_probabilities: Array  # n x k
    weights: dict[str, float]  # of the models
    accuracy: float | None  # on held-out seeds; None where none could be held out
    clusters_suffice: bool  # whether the clusters are left as they are


def pooled(
    documents: Documents,
    y: Labels,
    weak: Labels,
    rng: np.random.Generator,
    by_words: NamedByWords | None = None,
    old: bool = False,
) -> Pool:
    """The opinion of all label models by the seeds y, -1 where a document is none.

    `weak` are further labels that are no more than guesses: models learn from them, and are not
    scored by them. `old` is for seeds that were before the others. Where the clusters are the
    classes but for a few documents, and predict the seeds as well, they are left as they are.
    Documents that words name count as seeds when models are judged, where there are more of them
    than seeds; no model sees the words then, and as these are the clearest documents, how many are
    right says nothing of the others.
    """
    judges, judged = _judges(documents, y, by_words)
    evidence = cross_validated(judges, judged, weak, rng, old)
    opinions = opinions_of(documents, np.where(y >= 0, y, weak))
    weights = {name: evidence.weights[name] for name in opinions}
    total = np.asarray(sum(weights[name] * opinions[name] for name in opinions))
    same = (total.argmax(axis=1) == opinions["clusters"].argmax(axis=1)).mean()
    suffice = evidence.clusters_suffice and bool(same >= _SAME)
    if suffice:
        weights = {name: float(name == "clusters") for name in weights}
        total = opinions["clusters"]
    accuracy = evidence.accuracy if judged is y else None
    return Pool(log_probabilities(total), weights, accuracy, suffice)


def _judges(
    documents: Documents, y: Labels, by_words: NamedByWords | None
) -> tuple[Documents, Labels]:
    """The documents that models are judged by, and their labels: seeds, or what words name too."""
    if by_words is None or (by_words.labels >= 0).sum() <= (y >= 0).sum():
        return documents, y
    columns = by_words.columns
    rest = documents if columns is None else documents.without_columns(columns)
    empty = squared_norms(rest.X) == 0
    if empty.all():
        return documents, y
    return rest, np.where((y >= 0) | empty, y, by_words.labels)
