"""Gao, Tan and Cheng 2005, dense and slow, straight from the paper, squared Euclidean."""

from __future__ import annotations

import numpy as np


def squared(x, c):
    return sum((a - b) ** 2 for a, b in zip(x, c, strict=True))


def discrimination(X, labels, k):
    """Eq. (2.4), the numerator over the points outside the cluster."""
    ratios = []
    for j in range(k):
        members = [x for x, label in zip(X, labels, strict=True) if label == j]
        centre = np.mean(members, axis=0)
        inside = sum(squared(x, centre) for x in members)
        outside = sum(squared(x, centre) for x, label in zip(X, labels, strict=True) if label != j)
        ratios.append(outside / inside)
    return np.array(ratios)


def hard_energy(X, centres, labels, f, w, R, k):
    """Eq. (2.1) with m = 1; f is a class for each row, -1 where it is left out."""
    total = 0.0
    for i, x in enumerate(X):
        total += squared(x, centres[labels[i]])
        if f[i] >= 0:
            t, named = np.eye(k)[labels[i]], np.eye(k)[f[i]]
            total += R * sum(w[j] * abs(t[j] - named[j]) for j in range(k))
    return total


def semi_hard(X, f, w, R, k, iterations=100):
    """Eq. (3.6) to (3.8) from the centroids of the points with a label."""
    centres = np.array(
        [np.mean([x for x, c in zip(X, f, strict=True) if c == j], axis=0) for j in range(k)]
    )
    labels = None
    for _ in range(iterations):
        before, labels = labels, []
        for i, x in enumerate(X):
            a = [squared(x, centres[j]) for j in range(k)]
            if f[i] >= 0:
                a = [a[j] - R * w[j] if j == f[i] else a[j] + R * w[j] for j in range(k)]
            labels.append(int(np.argmin(a)))
        if labels == before:
            break
        for j in range(k):
            members = [x for x, label in zip(X, labels, strict=True) if label == j]
            centres[j] = np.mean(members, axis=0)
    return np.array(labels), centres


def fuzzy_energy(X, centres, t, f, known, w, R):
    """Eq. (2.1) with m = 2."""
    total = 0.0
    for i, x in enumerate(X):
        for j, centre in enumerate(centres):
            total += t[i][j] ** 2 * squared(x, centre)
            if known[i]:
                total += R * w[j] * (t[i][j] - f[i][j]) ** 2
    return total


def semi_fuzzy(X, centres, f, known, w, R, iterations):
    """Eq. (3.9) and (3.10), so many times."""
    n, k = len(X), len(centres)
    for _ in range(iterations):
        t = np.zeros((n, k))
        for i, x in enumerate(X):
            d = [squared(x, c) for c in centres]
            r = [R * w[j] if known[i] else 0.0 for j in range(k)]
            top = 1 - sum(r[j] * f[i][j] / (d[j] + r[j]) for j in range(k))
            lam = top / sum(1 / (2 * (d[j] + r[j])) for j in range(k))
            for j in range(k):
                t[i, j] = (lam + 2 * r[j] * f[i][j]) / (2 * (d[j] + r[j]))
        centres = np.array(
            [sum(t[i, j] ** 2 * X[i] for i in range(n)) / sum(t[:, j] ** 2) for j in range(k)]
        )
    return t, centres


def left_out_loss(X, y, smoothing, priors, temperature):
    """The cross-entropy of naive Bayes that is learned anew without each document.

    Documents that are alone in their class are not left out; one more is of each class alike.
    """
    q, d, total, even = len(priors), X.shape[1], 0.0, []
    for i, x in enumerate(X):
        if list(y).count(y[i]) == 1:
            continue
        logs = []
        for j in range(q):
            sums = sum(X[m] for m in range(len(y)) if y[m] == j and m != i) + smoothing * np.ones(d)
            likelihood = sum(x[t] * np.log(sums[t] / sums.sum()) for t in range(d))
            logs.append(likelihood / temperature + np.log(priors[j]))
        logs = np.array(logs) - np.log(np.exp(logs).sum())
        total -= logs[y[i]]
        even.append(-logs.mean())
    return total + np.mean(even)
