"""Slow and dense, straight from the thesis: one document after the other, one link at a time."""

from __future__ import annotations

import numpy as np


def cost(x, mu, name):
    if name == "euclidean":
        return ((x - mu) ** 2).sum()
    return 1.0 - x @ mu


def centre(rows, name):
    mean = rows.mean(axis=0)
    return mean if name == "euclidean" else mean / np.linalg.norm(mean)


def penalty(i, cluster, labels, must, cannot, weight):
    """The second and third sum of Basu 2005, eq. (4.11), for document i in a cluster."""
    total = 0.0
    for pair in must:
        if i in pair and labels[sum(pair) - i] != cluster:
            total += weight
    for pair in cannot:
        if i in pair and labels[sum(pair) - i] == cluster:
            total += weight
    return total


def energy(X, labels, centres, must, cannot, weight, name):
    """Eq. (4.10)."""
    total = sum(cost(x, centres[h], name) for x, h in zip(X, labels, strict=True))
    total += weight * sum(labels[i] != labels[j] for i, j in must)
    return total + weight * sum(labels[i] == labels[j] for i, j in cannot)


def settles(X, labels, centres, must, cannot, weight, name):
    """Whether no document has a cheaper cluster and no centre a better place (figure 4.3)."""
    for i, x in enumerate(X):
        here = [
            cost(x, centres[h], name) + penalty(i, h, labels, must, cannot, weight)
            for h in range(len(centres))
        ]
        if here[labels[i]] > min(here) + 1e-9:
            return False
    return all(
        np.allclose(centres[h], centre(X[labels == h], name))
        for h in range(len(centres))
        if (labels == h).any()
    )


def closure(n, must, cannot):
    """All must-links and cannot-links that follow, by repetition until nothing is new."""
    together = np.eye(n, dtype=bool)
    for i, j in must:
        together[i, j] = together[j, i] = True
    for _ in range(n):
        together = (together.astype(int) @ together.astype(int)) > 0
    apart = np.zeros((n, n), dtype=bool)
    for i, j in cannot:
        apart |= np.outer(together[i], together[j]) | np.outer(together[j], together[i])
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    return [p for p in pairs if together[p]], [p for p in pairs if apart[p]]


def seeded(X, y, k, clamp, iterations=100):
    """Figures 3.1 and 3.2: k-means from the centroids of the seeds, which may be clamped."""
    centres = np.array([X[y == h].mean(axis=0) for h in range(k)])
    for _ in range(iterations):
        labels = np.array([np.argmin([((x - c) ** 2).sum() for c in centres]) for x in X])
        if clamp:
            labels = np.where(y >= 0, y, labels)
        new = np.array([X[labels == h].mean(axis=0) for h in range(k)])
        if np.allclose(new, centres):
            return labels, new
        centres = new
    return labels, centres
