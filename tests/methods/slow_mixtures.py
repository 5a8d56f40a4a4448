"""Mixtures straight from their formulas, dense and one document at a time."""

from __future__ import annotations

from math import exp, log

import numpy as np
from scipy.special import ive


def log_c(kappa, d):
    """The normaliser of the von Mises-Fisher density."""
    v = d / 2 - 1
    return v * log(kappa) - (v + 1) * log(2 * np.pi) - log(ive(v, kappa)) - kappa


def vmf_step(X, r, shared):
    """Algorithm soft-moVMF of Banerjee et al. 2005: M-step with eq. (4.4), then E-step."""
    n, d = X.shape
    k = r.shape[1]
    pi = [sum(r[i, h] for i in range(n)) / n for h in range(k)]
    sums = [sum(r[i, h] * X[i] for i in range(n)) for h in range(k)]
    mu = [s / np.linalg.norm(s) for s in sums]
    rbar = [np.linalg.norm(sums[h]) / (n * pi[h]) for h in range(k)]
    if shared:
        rbar = [sum(np.linalg.norm(s) for s in sums) / n] * k
    kappa = [(b * d - b**3) / (1 - b**2) for b in rbar]
    new, objective = np.zeros((n, k)), 0.0
    for i in range(n):
        p = [pi[h] * exp(log_c(kappa[h], d) + kappa[h] * (mu[h] @ X[i])) for h in range(k)]
        objective -= log(sum(p))
        new[i] = np.array(p) / sum(p)
    return new, np.array(mu), np.array(kappa), np.array(pi), objective


def free_energy(costs, q, pi, beta, weights, links):
    """What the docstring of `HMRFEM` prints; links are (i, j, together, weight)."""
    n, k = q.shape
    total = 0.0
    for i in range(n):
        for h in range(k):
            if q[i, h] > 0:
                total += weights[i] * q[i, h] * (costs[i, h] + log(q[i, h] / pi[h]) / beta)
    for i, j, together, weight in links:
        same = sum(q[i, h] * q[j, h] for h in range(k))
        total += weight * ((1 - same) if together else same)
    return total


def field_residual(costs, q, pi, beta, weights, links):
    """How far each q_i is from pi exp(-beta [D + its links / w]), adding up to one, at most."""
    worst = 0.0
    for i in range(len(q)):
        logits = np.log(pi) - beta * costs[i]
        for a, b, together, weight in links:
            if i in (a, b):
                other = q[b if i == a else a]
                logits += beta * weight / weights[i] * (other if together else -other)
        expected = np.exp(logits - logits.max())
        worst = max(worst, np.abs(q[i] - expected / expected.sum()).max())
    return worst
