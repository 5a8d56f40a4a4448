"""The density around each document, slowly: from the full table of distances.

One over the distance to the k-th nearest other document, k = 10 or the root of n where that is
less; then over the median, and at most ten.
"""

from __future__ import annotations

import numpy as np

FORMULAS = {
    "cosine": lambda x, y: 1 - x @ y / np.sqrt((x @ x) * (y @ y)),
    "euclidean": lambda x, y: np.linalg.norm(x - y),
    "hellinger": lambda x, y: np.sqrt(max(0.0, 1 - np.sqrt(x / x.sum() * y / y.sum()).sum())),
}


def slow_density(X, distance):
    n = len(X)
    k = min(10, int(np.sqrt(n)))
    radii = []
    for i in range(n):
        others = sorted(FORMULAS[distance](X[i], X[j]) for j in range(n) if j != i)
        radii.append(others[k - 1])
    unit = np.median(radii)
    return np.array([min(10.0, unit / radius) if radius > 0 else 10.0 for radius in radii])
