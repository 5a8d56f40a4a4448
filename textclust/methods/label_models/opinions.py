"""What each label model says of every document, all equally sure."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models import LABEL_MODELS
from textclust.methods.label_models.calibration import log_probabilities, temperature
from textclust.methods.label_models.documents import Documents
from textclust.threads import share, thread_count

__all__ = ["opinion", "opinions_of"]

_CONFIDENCE = 0.7  # of each model on average, before the weights of the pool
_FLOOR = -14.0  # of a logarithm, so that no model can forbid a class


def opinions_of(documents: Documents, y: Labels) -> dict[str, Array]:
    """Log-probabilities of the classes by every label model that has something to say."""
    models = [LABEL_MODELS[name] for name in LABEL_MODELS]
    found: list[Array | None] = [None] * len(models)

    def ask(begin: int, end: int) -> None:
        for number in range(begin, end):
            scores = models[number](documents, y)
            found[number] = None if scores is None else opinion(scores)

    documents.prepare()
    share(ask, range(len(models) + 1), thread_count(documents.threads))
    opinions = zip(LABEL_MODELS, found, strict=True)
    return {name: table for name, table in opinions if table is not None}


def opinion(scores: Array) -> Array:
    """The log-probabilities by these scores, as sure as those of any other model."""
    even = temperature(scores, _CONFIDENCE)
    return np.maximum(log_probabilities(scores / even), _FLOOR)
