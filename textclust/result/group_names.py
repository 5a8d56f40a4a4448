"""Names for groups of clusters: what their clusters share, and what sets them apart."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.result.terms import TermWeights, cluster_names, weigh_terms

__all__ = ["group_names"]


def group_names(
    X: Matrix,
    labels: Labels,
    of_clusters: TermWeights,
    vocabulary: list[str],
    groups: Labels,
    count: int,
) -> list[str]:
    """A name for each group, of texts with these labels and clusters with these weights.

    A term describes a group by its weight in all of its clusters, as a mean of fourth roots has
    it: one that is heavy in a single cluster says little of the others. It sets the group apart
    from the other groups as the terms of clusters do.
    """
    apart = weigh_terms(X, groups[labels], count)
    weights = TermWeights(_shared(of_clusters.descriptive, groups, count), apart.discriminating)
    return cluster_names(weights, vocabulary)


def _shared(descriptive: Array, groups: Labels, count: int) -> Array:
    """The weights of terms in groups, high where they are in every cluster of one."""
    found = np.empty((count, descriptive.shape[1]))
    for group in range(count):
        roots = np.sqrt(np.sqrt(descriptive[groups == group]))
        found[group] = roots.mean(axis=0) ** 4
    return found
