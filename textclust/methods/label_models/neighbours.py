"""Labels spread over near documents (Zhou et al. 2004), through anchors (see `anchors`)."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.documents import Documents, memberships

__all__ = ["spread", "spread_labels"]

_NOTHING = 1e-6  # of a share


def spread_labels(documents: Documents, y: Labels) -> Array:
    """How much of each class arrives at a document, in logarithms."""
    return np.log(spread(documents, y) + _NOTHING)


def spread(documents: Documents, y: Labels) -> Array:
    """The share of each class in what arrives at a document, n x k; equal where nothing does."""
    named = memberships(y, documents.k)
    named /= np.maximum(named.sum(axis=0), 1.0)
    arrived = documents.anchors.spread(named)
    total = arrived.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, arrived / np.maximum(total, 1e-300), 1.0 / documents.k))
