"""What each label model says of every document, all equally sure."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models import LABEL_MODELS
from textclust.methods.label_models.calibration import log_probabilities, temperature
from textclust.methods.label_models.documents import Documents

__all__ = ["opinions_of"]

_CONFIDENCE = 0.7  # of each model on average, before the weights of the pool
_FLOOR = -14.0  # of a logarithm, so that no model can forbid a class


def opinions_of(documents: Documents, y: Labels) -> dict[str, Array]:
    """Log-probabilities of the classes by every label model that has something to say."""
    found = {}
    for name in LABEL_MODELS:
        scores = LABEL_MODELS[name](documents, y)
        if scores is not None:
            even = temperature(scores, _CONFIDENCE)
            found[name] = np.maximum(log_probabilities(scores / even), _FLOOR)
    return found
