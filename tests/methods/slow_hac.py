"""HAC to the letter (Basu 2005, Fig. 2.1; constraints after Davidson and Ravi 2005)."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def row_distance(x, y, distortion):
    if distortion == "euclidean":
        return np.linalg.norm(x - y)
    if not x.any() or not y.any():
        return 1.0
    return 1 - x @ y / np.linalg.norm(x) / np.linalg.norm(y)


def distance(X, a, b, linkage, distortion):
    """Of two clusters, lists of rows, by the definition of the linkage."""
    if linkage == "ward":
        if distortion == "cosine":
            lengths = np.linalg.norm(X, axis=1, keepdims=True)
            X = X / np.where(lengths > 0, lengths, 1)
        gap = X[a].mean(axis=0) - X[b].mean(axis=0)
        return np.sqrt(2 * len(a) * len(b) / (len(a) + len(b)) * gap @ gap)
    each = [row_distance(X[i], X[j], distortion) for i in a for j in b]
    return {"average": np.mean, "complete": np.max, "single": np.min}[linkage](each)


def merge_all(X, linkage, distortion, must=(), cannot=()):
    """Heights, and the clusters after each merge, until nothing can be merged."""
    clusters = [[i] for i in range(len(X))]
    heights, levels = [], [clusters]
    for i, j in must:
        a, b = (next(c for c in clusters if row in c) for row in (i, j))
        if a is not b:
            clusters = [c for c in clusters if c is not a and c is not b] + [a + b]
            heights.append(0.0)
            levels.append(clusters)
    while True:
        open_pairs = [
            (a, b)
            for a, b in combinations(clusters, 2)
            if not any((i in a and j in b) or (i in b and j in a) for i, j in cannot)
        ]
        if not open_pairs:
            return heights, levels
        apart = [distance(X, a, b, linkage, distortion) for a, b in open_pairs]
        a, b = open_pairs[int(np.argmin(apart))]
        clusters = [c for c in clusters if c is not a and c is not b] + [a + b]
        heights.append(min(apart))
        levels.append(clusters)


def members(children, n):
    """The rows of every cluster of a tree, leaves first."""
    found = [[i] for i in range(n)]
    for left, right in children:
        found.append(found[left] + found[right])
    return found
