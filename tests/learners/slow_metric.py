"""MPC-KMeans slow and dense, straight from Basu, Bilenko and Mooney 2003.

`A` is a list with each cluster's metric, a diagonal or a full matrix; one metric for all is the
same k times. `bounds` are alpha_min and alpha_max as fractions of the longest must-link.
"""

from __future__ import annotations

import numpy as np

PRINTED = (0.0, 1.0)


def full(a):
    """A metric as a matrix."""
    return np.diag(a) if np.ndim(a) == 1 else np.asarray(a)


def distance(x, y, a):
    return float((x - y) @ full(a) @ (x - y))


def log_det(a):
    return float(np.linalg.slogdet(full(a))[1])


def longest(X, must, cannot, a):
    """Section 4.1: the largest squared distance of a must-link."""
    most = max((distance(X[i], X[j], a) for i, j in must), default=0.0)
    return most or max((distance(X[i], X[j], a) for i, j in cannot), default=0.0)


def f_must(X, pair, must, cannot, a, bounds=PRINTED):
    i, j = pair
    least, most = (bound * longest(X, must, cannot, a) for bound in bounds)
    return max(least, most - distance(X[i], X[j], a))


def f_cannot(X, pair, must, cannot, a, bounds=PRINTED):
    i, j = pair
    least, most = (bound * longest(X, must, cannot, a) for bound in bounds)
    return min(least + distance(X[i], X[j], a), most)


def penalty(X, labels, must, cannot, weight, A, bounds=PRINTED):
    """The second and third sum of eq. (4); of two metrics, the mean."""
    total = 0.0
    for i, j in must:
        if labels[i] != labels[j]:
            both = [f_must(X, (i, j), must, cannot, A[labels[end]], bounds) for end in (i, j)]
            total += weight * sum(both) / 2
    for i, j in cannot:
        if labels[i] == labels[j]:
            total += weight * f_cannot(X, (i, j), must, cannot, A[labels[i]], bounds)
    return total


def objective(X, labels, centres, must, cannot, weight, A, local, bounds=PRINTED):
    """Eq. (4), the log det once; for local metrics once for every document."""
    total = sum(distance(x, centres[h], A[h]) for x, h in zip(X, labels, strict=True))
    dets = sum(log_det(A[h]) for h in labels) if local else log_det(A[0])
    return total - dets + penalty(X, labels, must, cannot, weight, A, bounds)


def conditional(X, i, labels, centres, must, cannot, weight, A, local, bounds=PRINTED):
    """Step 2a: what each cluster costs document i, the others staying."""
    costs = []
    for h in range(len(centres)):
        moved = np.array(labels)
        moved[i] = h
        toll = log_det(A[h]) if local else 0.0
        others = penalty(X, moved, must, cannot, weight, A, bounds)
        costs.append(distance(X[i], centres[h], A[h]) - toll + others)
    return costs


def outer(x, like):
    """(x_d)^2 of each feature, or x x', as the metric is."""
    return np.outer(x, x) if np.ndim(like) == 2 else x * x


def to_invert(X, labels, centres, must, cannot, weight, a, cluster=None, bounds=PRINTED):
    """What is in the brackets of section 3.3, of all clusters or of one."""
    inside = np.full(len(X), True) if cluster is None else labels == cluster
    total = sum(outer(x - centres[h], a) for x, h in zip(X[inside], labels[inside], strict=True))
    total = total + 0.0 * np.asarray(a)
    threshold = (bounds[1] - bounds[0]) * longest(X, must, cannot, a)
    for i, j in must:
        if labels[i] != labels[j] and distance(X[i], X[j], a) < threshold:
            share = 1.0 if cluster is None else (int(inside[i]) + int(inside[j])) / 2
            total -= share * weight * outer(X[i] - X[j], a)
    for i, j in cannot:
        if labels[i] == labels[j] and inside[i] and distance(X[i], X[j], a) < threshold:
            total += weight * outer(X[i] - X[j], a)
    return total


def closed_form(
    X, labels, centres, must, cannot, weight, a, cluster=None, least=0.01, bounds=PRINTED
):
    """Section 3.3: a_dd of all clusters or, with the weight of its documents, of one."""
    total = to_invert(X, labels, centres, must, cannot, weight, a, cluster, bounds)
    documents = len(X) if cluster is None else np.sum(labels == cluster)
    varies = X.var(axis=0) > 0
    total = np.maximum(total, least * documents * X.var(axis=0))
    mass = 1.0 if cluster is None else documents
    return np.where(varies, mass / np.where(varies, total, 1.0), 1.0)


def nearest(X, centres, A, local):
    """The assignment of plain k-means under the metric."""
    tolls = [log_det(a) if local else 0.0 for a in A]
    k = len(centres)
    return np.argmin([[distance(x, centres[h], A[h]) - tolls[h] for h in range(k)] for x in X], 1)
