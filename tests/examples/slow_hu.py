"""Hu et al. 2013 to the letter: sums over points and pairs, and every level by itself."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import minimize

from textclust.metrics import cori, weighted_category_utility


def outer(x):
    return np.outer(x, x)


def power(A, exponent):
    values, turn = np.linalg.eigh(A)
    return turn @ np.diag(values**exponent) @ turn.T


def regular(A, regularisation):
    return A + regularisation * np.trace(A) / len(A) * np.eye(len(A))


def must_pairs(examples, links=()):
    """All pairs within an example, and those linked that have no row of one."""
    inside = {row for rows in examples for row in rows}
    own = {tuple(sorted(pair)) for rows in examples for pair in combinations(rows, 2)}
    more = {tuple(sorted(pair)) for pair in links if not inside & set(pair)}
    return sorted(own | more)


def cannot_pairs(n, examples):
    """All pairs of a row in an example and one outside it."""
    number = {row: e for e, rows in enumerate(examples) for row in rows}
    return [(i, j) for i, j in combinations(range(n), 2) if number.get(i, -1) != number.get(j, -1)]


def of_pairs(X, pairs):
    return sum(outer(X[i] - X[j]) for i, j in pairs) / len(pairs)


def a_ml(X, examples):
    """Equation (2)."""
    total = sum(outer(x - X[rows].mean(axis=0)) for rows in examples for x in X[rows])
    return total / sum(len(rows) for rows in examples)


def a_cl(X, examples):
    """Equation (3)."""
    total, count = 0, 0
    for rows in examples:
        for i in sorted(set(range(len(X))) - set(rows)):
            total, count = total + outer(X[i] - X[rows].mean(axis=0)), count + 1
    assert count == len(X) * len(examples) - sum(len(rows) for rows in examples)  # N_b
    return total / count


def matrix(name, X, examples, regularisation, links=None):
    """M of a learner by its name."""
    pairs = of_pairs(X, must_pairs(examples, links or ()))
    own = pairs if links is not None else a_ml(X, examples)
    if name == "rca":
        return power(regular(own, regularisation), -1.0)
    if name == "clue":
        root = power(regular(own, regularisation), -0.5)
        return root @ a_cl(X, examples) @ root
    assert name == "yeung-chang"
    root = power(regular(pairs, regularisation), -0.5)
    return root @ of_pairs(X, cannot_pairs(len(X), examples)) @ root


def xing_g(a, X, examples, regularisation, links=()):
    """g(A) of Xing et al. 2002, section 2.1, pair by pair."""
    must = sum((X[i] - X[j]) ** 2 for i, j in must_pairs(examples, links))
    must = must + regularisation * must.mean()
    far = [np.sqrt(a @ (X[i] - X[j]) ** 2) for i, j in cannot_pairs(len(X), examples)]
    return a @ must - np.log(sum(far))


def diagonal(X, examples, regularisation, links=()):
    """The diagonal of least g, and g there, by a general optimiser without derivatives given."""
    must = sum((X[i] - X[j]) ** 2 for i, j in must_pairs(examples, links))
    scale = 1 / (must + regularisation * must.mean())

    def g(c):
        return xing_g(c * scale, X, examples, regularisation, links)

    found = minimize(
        g, np.full(len(scale), 0.5), method="SLSQP", bounds=[(1e-10, None)] * len(scale), tol=1e-12
    )
    return found.x * scale, found.fun


def levels(merges, n):
    """The labels of every level of a dendrogram."""
    clusters = {row: [row] for row in range(n)}
    found = []
    for t in range(n):
        labels = np.empty(n, dtype=int)
        for number, rows in enumerate(clusters.values()):
            labels[rows] = number
        found.append(labels)
        if t < n - 1:
            left, right = (clusters.pop(each) for each in merges[t])
            clusters[n + t] = left + right
    return found


def whole_levels(heights):
    """The levels that no two merges of one height lie on either side of, nor rows that coincide."""
    n = len(heights) + 1
    bounds = [0.0, *heights, np.inf]
    return [t for t in range(n) if bounds[t + 1] - bounds[t] > 1e-9]


def best_level(X, merges, examples):
    """The level of highest CORI, then of highest WCU."""
    judged = [
        (round(cori(labels, examples), 12), weighted_category_utility(X, labels))
        for labels in levels(merges, len(X))
    ]
    return max(range(len(judged)), key=lambda t: judged[t])


def cluedo_links(X, examples, linkage, learn, rounds):
    """The pairs that are linked after all rounds (Algorithm 2), `learn` giving T."""
    inside = {row for rows in examples for row in rows}
    links = set()
    for i in range(1, rounds):
        merges = linkage(X @ learn(X, examples, links if i > 1 else None))
        labels = levels(merges, len(X))[min(i * len(X) // rounds, len(X) - 1)]
        same = {p for p in combinations(range(len(X)), 2) if labels[p[0]] == labels[p[1]]}
        links |= {pair for pair in same if not inside & set(pair)}
    return links
