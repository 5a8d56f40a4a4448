"""Naive Bayes that learns from unlabelled documents too, by EM (Nigam et al. 2000).

A document of unit length counts as one of a fixed number of words, so that long ones do not drown
the others.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import probabilities
from textclust.methods.label_models.documents import Documents, memberships

__all__ = ["naive_bayes_em"]

_ITERATIONS = 6
_WORDS = 10.0  # that a document counts as
_SMOOTHING = 0.1  # of the mean share of a word


def naive_bayes_em(documents: Documents, y: Labels) -> Array | None:
    """Log-posteriors of the classes; None where features are no counts."""
    if documents.X.min() < 0:
        return None
    seeded, known = memberships(y, documents.k), y >= 0
    shares = seeded
    for _ in range(_ITERATIONS):
        counts = documents.sums(shares)
        counts += max(_SMOOTHING * counts.sum(), 1e-9) / counts.size
        log_words = np.log(counts / counts.sum(axis=1, keepdims=True))
        masses = (shares * documents.weights[:, None]).sum(axis=0) + 1.0
        scores = _WORDS * documents.times(log_words) + np.log(masses / masses.sum())
        shares = probabilities(scores)
        shares[known] = seeded[known]
    return scores
