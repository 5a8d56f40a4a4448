"""Naive Bayes that learns from unlabelled documents too, by EM (Nigam et al. 2000).

The counts of a document are its weighted terms at unit length, so that long ones do not drown the
others.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import probabilities
from textclust.methods.label_models.documents import Documents, memberships

__all__ = ["naive_bayes", "naive_bayes_em"]

_ITERATIONS = 8
_SMOOTHING = 0.01  # of what a class has of every word


def naive_bayes_em(documents: Documents, y: Labels) -> Array | None:
    """Log-posteriors of the classes; None where no features are counts."""
    counts = documents.counts
    if counts is None:
        return None
    seeded, known = memberships(y, documents.k), y >= 0
    shares = seeded
    for _ in range(_ITERATIONS):
        scores = naive_bayes(counts, shares)
        shares = probabilities(scores)
        shares[known] = seeded[known]
    return scores


def naive_bayes(documents: Documents, shares: Array) -> Array:
    """Log-posteriors of the classes by what share of every document each class has."""
    counts = documents.sums(shares) + _SMOOTHING
    log_words = np.log(counts)
    log_words -= np.log(counts.sum(axis=1))[:, None]
    masses = (shares * documents.weights[:, None]).sum(axis=0) + 1.0
    return documents.times(log_words) + np.log(masses / masses.sum()).astype(np.float32)
