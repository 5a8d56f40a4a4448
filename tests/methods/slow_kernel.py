"""Slow and straight from Yan and Domeniconi 2006: one point, one pair, one link at a time."""

from __future__ import annotations

import numpy as np


def rbf(x, y, width):
    return np.exp(-((x - y) ** 2).sum() / (2 * width**2))


def matrix(X, kernel):
    return np.array([[kernel(x, y) for y in X] for x in X])


def distance(K, i, members):
    """A_ii + B_cc - D_ic of section 2.1."""
    size = len(members)
    between = sum(K[j, m] for j in members for m in members) / size**2
    return K[i, i] + between - 2 / size * sum(K[i, j] for j in members)


def members_of(labels, cluster):
    return [i for i, label in enumerate(labels) if label == cluster]


def within(K, labels):
    return sum(distance(K, i, members_of(labels, label)) for i, label in enumerate(labels))


def objective(K, labels, must, cannot, weight):
    """Section 2.2, with a price on parted must-links in the place of a reward on others."""
    total = within(K, labels)
    total += weight * sum(labels[i] != labels[j] for i, j in must)
    return total + weight * sum(labels[i] == labels[j] for i, j in cannot)


def adaptive_objective(X, labels, must, cannot, width, references):
    """J_kernel-obj with Const = 0 and w = 1; the last sum is the mean over some x_r."""
    K = matrix(X, lambda x, y: rbf(x, y, width))
    total = sum(
        (1 - K[i, j]) / len(members_of(labels, labels[i]))
        for i in range(len(X))
        for j in range(len(X))
        if labels[i] == labels[j]
    )
    total += sum(2 * (1 - K[i, j]) for i, j in must if labels[i] != labels[j])
    far = K.min()  # of the two points farthest from each other
    total += sum(2 * (K[i, j] - far) for i, j in cannot if labels[i] == labels[j])
    spreads = [sum(2 * (1 - K[i, r]) for i in range(len(X))) for r in references]
    return total - np.mean(spreads)


def normalised_cut(A, labels):
    """The weight of edges that leave each cluster, as a share of all that its nodes have."""
    labels = np.asarray(labels)
    cut = 0.0
    for cluster in set(labels.tolist()):
        inside = labels == cluster
        cut += A[inside][:, ~inside].sum() / A[inside].sum()
    return cut


def ratio_cut(A, labels):
    """The same, as a share of the number of its nodes."""
    labels = np.asarray(labels)
    cut = 0.0
    for cluster in set(labels.tolist()):
        inside = labels == cluster
        cut += A[inside][:, ~inside].sum() / inside.sum()
    return cut
