"""COP-KMeans to the letter (Wagstaff et al. 2001, table 1): one block after the other."""

from __future__ import annotations

import numpy as np


def violates(rows, cluster, labels, cannot):
    """Whether any of the rows would join one that it is apart from."""
    others = [j for i, j in cannot if i in rows] + [i for i, j in cannot if j in rows]
    return any(labels[other] == cluster for other in others)


def assign(X, centres, visits, cannot):
    """Each visited block to the closest cluster that violates nothing; None is the abort."""
    labels = np.full(len(X), -1)
    for rows in visits:
        distances = [((X[rows] - centre) ** 2).sum() for centre in centres]
        allowed = [h for h in np.argsort(distances) if not violates(rows, h, labels, cannot)]
        if not allowed:
            return None
        labels[rows] = allowed[0]
    return labels


def centres(X, labels, before):
    means = [
        X[labels == h].mean(axis=0) if (labels == h).any() else c for h, c in enumerate(before)
    ]
    return np.array(means)


def energy(X, labels, means):
    return sum(((x - means[h]) ** 2).sum() for x, h in zip(X, labels, strict=True))


def cop_kmeans(X, means, visits, cannot, iterations=50):
    """Labels after alternating to rest, or as long as it may; None where it aborts."""
    for _ in range(iterations):
        labels = assign(X, means, visits, cannot)
        if labels is None:
            return None
        new = centres(X, labels, means)
        if np.allclose(new, means):
            break
        means = new
    return labels
