"""Labels spread over near documents, through anchors instead of a graph of all pairs.

Zhou et al. 2004 on the graph of Liu, He and Chang 2010: with Q the links of documents with anchors
and L the weights of the anchors, documents are linked by P = Q L^-1 Q', and

    F = (I - a P)^-1 Y = Y + a B (I - a B'B)^-1 B'Y   with B = Q L^-1/2,

which takes one system of as many equations as there are anchors.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.documents import Documents, memberships

__all__ = ["spread", "spread_labels"]

_SPREAD = 0.95  # a: what is taken from the neighbours
_NOTHING = 1e-6  # of a share


def spread_labels(documents: Documents, y: Labels) -> Array:
    """How much of each class arrives at a document, in logarithms."""
    return np.log(spread(documents, y) + _NOTHING)


def spread(documents: Documents, y: Labels) -> Array:
    """The share of each class in what arrives at a document, n x k."""
    links, k = documents.anchors, documents.k
    named = memberships(y, k)
    named /= np.maximum(named.sum(axis=0), 1.0)
    masses = np.asarray(links.sum(axis=0)).ravel()
    B = links.multiply(1.0 / np.sqrt(np.where(masses > 0, masses, 1.0))).tocsr()
    identity = np.eye(B.shape[1])
    system = identity - _SPREAD * ((B.T @ B) @ identity)
    arrived = named + _SPREAD * (B @ np.linalg.solve(system, B.T @ named))
    return np.asarray(arrived / np.maximum(arrived.sum(axis=1, keepdims=True), 1e-300))
