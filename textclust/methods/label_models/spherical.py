"""Clusters on the sphere: those found without supervision under the seeds' names, and from seeds.

Both are a mixture of von Mises-Fisher distributions with one high concentration, which is spherical
k-means but for documents between two clusters (Banerjee et al. 2005).
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.methods.label_models.calibration import probabilities
from textclust.methods.label_models.documents import Documents, balanced, memberships, unit_means
from textclust.methods.label_models.linear import LinearModel

__all__ = ["clusters_as_model", "matching", "named_clusters", "seeded_centroids"]

_CONCENTRATION = 100.0
_SIMILARITY = 20.0  # what the mean cosine of seeds counts beside the share of them in a cluster
_ITERATIONS = 8


def named_clusters(documents: Documents, y: Labels) -> Array:
    """The clusters found without supervision; each is the class that its seeds speak for."""
    return clusters_as_model(documents, y).scores(documents)


def clusters_as_model(documents: Documents, y: Labels) -> LinearModel:
    """The same clusters, which are linear in the document as they are."""
    prototypes = documents.prototypes[matching(documents, y)]
    return LinearModel(_CONCENTRATION * prototypes, np.zeros(documents.k))


def matching(documents: Documents, y: Labels) -> Labels:
    """The cluster of each class, one to one; classes without seeds get those that are left.

    The mean over the seeds of a class decides, and that of many seeds before that of few: it is as
    far from chance as the root of their number.
    """
    from scipy.optimize import linear_sum_assignment

    if documents.numbered:
        return np.arange(documents.k)
    k, seeds = documents.k, np.flatnonzero(y >= 0)
    named = memberships(y[seeds], k)
    near = np.asarray(documents.X[seeds] @ documents.prototypes.T)
    inside = memberships(documents.clusters[seeds], k)
    counts = np.maximum(named.sum(axis=0), 1.0)[:, None]
    fit = named.T @ (_SIMILARITY * near + inside) / np.sqrt(counts)
    return np.asarray(linear_sum_assignment(fit, maximize=True)[1])


def seeded_centroids(documents: Documents, y: Labels) -> Array:
    """The mixture that begins at the seeds, which keep their class (Basu 2005, chapter 3)."""
    seeded = memberships(y, documents.k)
    known = y >= 0
    shares = seeded * balanced(y)[:, None]
    for _ in range(_ITERATIONS):
        total = np.maximum(shares.sum(axis=0), 1e-9)
        scores = _CONCENTRATION * documents.times(unit_means(documents, shares))
        scores += np.log(total / total.sum()).astype(scores.dtype)
        shares = probabilities(scores)
        shares[known] = seeded[known]
    return scores
