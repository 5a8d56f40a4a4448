"""MPC-KMeans slow and dense, straight from Basu, Bilenko and Mooney 2003.

`A` is a list with the diagonal of each cluster's metric; one metric for all is the same k times.
"""

from __future__ import annotations

import numpy as np


def distance(x, y, a):
    return sum(a[d] * (x[d] - y[d]) ** 2 for d in range(len(a)))


def alpha_max(X, must, cannot, a):
    """Section 4.1: the largest squared distance of a must-link."""
    most = max((distance(X[i], X[j], a) for i, j in must), default=0.0)
    return most or max((distance(X[i], X[j], a) for i, j in cannot), default=0.0)


def f_must(X, pair, must, cannot, a):
    i, j = pair
    return max(0.0, alpha_max(X, must, cannot, a) - distance(X[i], X[j], a))


def f_cannot(X, pair, must, cannot, a):
    i, j = pair
    return min(distance(X[i], X[j], a), alpha_max(X, must, cannot, a))


def penalty(X, labels, must, cannot, weight, A):
    """The second and third sum of eq. (4); of two metrics, the mean."""
    total = 0.0
    for i, j in must:
        if labels[i] != labels[j]:
            both = [f_must(X, (i, j), must, cannot, A[labels[end]]) for end in (i, j)]
            total += weight * sum(both) / 2
    for i, j in cannot:
        if labels[i] == labels[j]:
            total += weight * f_cannot(X, (i, j), must, cannot, A[labels[i]])
    return total


def objective(X, labels, centres, must, cannot, weight, A, local):
    """Eq. (4), the log det once; for local metrics once for every document."""
    total = sum(distance(x, centres[h], A[h]) for x, h in zip(X, labels, strict=True))
    dets = sum(np.log(A[h]).sum() for h in labels) if local else np.log(A[0]).sum()
    return total - dets + penalty(X, labels, must, cannot, weight, A)


def conditional(X, i, labels, centres, must, cannot, weight, A, local):
    """Step 2a: what each cluster costs document i, the others staying."""
    costs = []
    for h in range(len(centres)):
        moved = np.array(labels)
        moved[i] = h
        toll = np.log(A[h]).sum() if local else 0.0
        others = penalty(X, moved, must, cannot, weight, A)
        costs.append(distance(X[i], centres[h], A[h]) - toll + others)
    return costs


def closed_form(X, labels, centres, must, cannot, weight, a, cluster=None, least=0.01):
    """Section 3.3: a_dd of all clusters or, with the weight of its documents, of one."""
    inside = np.full(len(X), True) if cluster is None else labels == cluster
    total = np.zeros(X.shape[1])
    for x, h in zip(X[inside], labels[inside], strict=True):
        total += (x - centres[h]) ** 2
    alpha = alpha_max(X, must, cannot, a)
    for i, j in must:
        if labels[i] != labels[j] and distance(X[i], X[j], a) < alpha:
            share = 1.0 if cluster is None else (int(inside[i]) + int(inside[j])) / 2
            total -= share * weight * (X[i] - X[j]) ** 2
    for i, j in cannot:
        if labels[i] == labels[j] and inside[i] and distance(X[i], X[j], a) < alpha:
            total += weight * (X[i] - X[j]) ** 2
    varies = X.var(axis=0) > 0
    total = np.maximum(total, least * inside.sum() * X.var(axis=0))
    mass = 1.0 if cluster is None else inside.sum()
    return np.where(varies, mass / np.where(varies, total, 1.0), 1.0)
