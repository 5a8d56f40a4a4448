"""Label models straight from their formulas, dense and one document at a time."""

from __future__ import annotations

import itertools
from math import exp, log, sqrt

import numpy as np
from scipy.stats import multivariate_normal


def softmax(scores):
    """exp(score) / sum of exp(scores) of one document."""
    weights = [exp(score - max(scores)) for score in scores]
    return np.array(weights) / sum(weights)


def one_hot(y, k):
    """A row for each document, 1 for its class; of zeros where it has none."""
    return np.array([[float(label == h) for h in range(k)] for label in y])


def anchor_graph(links):
    """P_ij = sum_a Z_ia Z_ja / sum_l Z_la, all pairs of documents (Liu, He and Chang 2010, (3))."""
    n, m = links.shape
    P = np.zeros((n, n))
    for a in range(m):
        if links[:, a].sum() > 0:
            P += np.outer(links[:, a], links[:, a]) / links[:, a].sum()
    return P


def spread(P, y, k, a):
    """F = (I - a P)^-1 Y, all n equations (Zhou et al. 2004), then the share of each class."""
    Y = one_hot(y, k)
    for h in range(k):
        Y[:, h] /= max(1, sum(label == h for label in y))
    F = np.linalg.solve(np.eye(len(P)) - a * P, Y)
    return np.array([row / row.sum() for row in F])


def ridge(X, labels, weights, k, penalty):
    """B and b of the weighted normal equations (X'WX + penalty I) B = X'W (Y - b), b = mean Y."""
    Y, W = one_hot(labels, k), np.diag(weights)
    b = weights @ Y / weights.sum()
    B = np.linalg.solve(X.T @ W @ X + penalty * np.eye(X.shape[1]), X.T @ W @ (Y - b))
    return B.T, b


def telling(X, weights, shares, smoothing):
    """|log of a term's share in a class over that in all others|, with a mean square of 1."""
    counts = (shares * weights[:, None]).T @ X + smoothing
    found = np.zeros_like(counts)
    for h in range(len(counts)):
        inside, outside = counts[h], np.delete(counts, h, axis=0).sum(axis=0)
        found[h] = np.abs(np.log(inside / inside.sum()) - np.log(outside / outside.sum()))
        found[h] /= np.sqrt(np.mean(found[h] ** 2))
    return found


def naive_bayes_em(X, weights, y, k, smoothing, iterations):
    """Nigam et al. 2000, table 1: M-step from the shares, E-step for all but the seeds."""
    n, d = X.shape
    shares = one_hot(y, k)
    for _ in range(iterations):
        counts = np.full((k, d), smoothing)
        for i, h in itertools.product(range(n), range(k)):
            counts[h] += weights[i] * shares[i, h] * X[i]
        mass = [1.0 + sum(weights[i] * shares[i, h] for i in range(n)) for h in range(k)]
        scores = np.zeros((n, k))
        for i, h in itertools.product(range(n), range(k)):
            scores[i, h] = log(mass[h] / sum(mass))
            for t in range(d):
                scores[i, h] += X[i, t] * log(counts[h, t] / counts[h].sum())
        shares = np.array(
            [one_hot([y[i]], k)[0] if y[i] >= 0 else softmax(scores[i]) for i in range(n)]
        )
    return scores


def gaussian_scores(Z, shares, shrunk):
    """log pi_h N(z_i; mu_h, S), with one S = (1 - shrunk) scatter + shrunk (its mean) I."""
    (n, d), k = Z.shape, shares.shape[1]
    mass = shares.sum(axis=0)
    means = [sum(shares[i, h] * Z[i] for i in range(n)) / mass[h] for h in range(k)]
    scatter = np.zeros((d, d))
    for i, h in itertools.product(range(n), range(k)):
        scatter += shares[i, h] * np.outer(Z[i] - means[h], Z[i] - means[h]) / mass.sum()
    S = (1 - shrunk) * scatter + shrunk * np.trace(scatter) / d * np.eye(d)
    columns = [multivariate_normal.logpdf(Z, mean, S) for mean in means]
    return np.array(columns).T + np.log(mass / mass.sum())


def gaussians_em(Z, shares, y, shrunk, iterations):
    """EM from these shares; seeds keep their class."""
    k = shares.shape[1]
    for _ in range(iterations):
        shares = np.array(
            [one_hot([y[i]], k)[0] if y[i] >= 0 else shares[i] for i in range(len(y))]
        )
        scores = gaussian_scores(Z, shares, shrunk)
        shares = np.array([softmax(row) for row in scores])
    return scores


def vmf_from_seeds(X, y, k, kappa, iterations):
    """Soft-moVMF of Banerjee et al. 2005 with one kappa, from the seeds, which keep their class."""
    n = len(X)
    size = [max(1, sum(label == h for label in y)) for h in range(k)]
    classes, seeds = len({label for label in y if label >= 0}), sum(label >= 0 for label in y)
    shares = one_hot(y, k) * [seeds / (classes * size[h]) for h in range(k)]
    for _ in range(iterations):
        sums = [sum(shares[i, h] * X[i] for i in range(n)) for h in range(k)]
        mu = [s / np.linalg.norm(s) for s in sums]
        pi = shares.sum(axis=0) / shares.sum()
        scores = np.array([[kappa * (mu[h] @ x) + log(pi[h]) for h in range(k)] for x in X])
        shares = np.array(
            [one_hot([y[i]], k)[0] if y[i] >= 0 else softmax(scores[i]) for i in range(n)]
        )
    return scores


def surprise(weights, tables, y):
    """-sum log p(y_i) under sum_m w_m log p_m, every class of the same weight in all."""
    total = 0.0
    for i, label in enumerate(y):
        p = softmax(sum(w * table[i] for w, table in zip(weights, tables, strict=True)))
        total -= len(y) / (len(set(y)) * sum(other == label for other in y)) * log(p[label])
    return total


def stacking_loss(weights, tables, y, shares, scale, strength):
    """The surprise, and the square of what the weights differ from the prior in its scale."""
    away = sum((w / scale - share) ** 2 for w, share in zip(weights, shares, strict=True))
    return surprise(weights, tables, y) + strength * away


def fit_of_clusters(X, prototypes, clusters, y, similarity):
    """How well cluster g stands for class h: the sum over its seeds by the root of their number."""
    k = len(prototypes)
    fit = np.zeros((k, k))
    for h, g in itertools.product(range(k), range(k)):
        seeds = [i for i in range(len(y)) if y[i] == h]
        for i in seeds:
            fit[h, g] += (similarity * (X[i] @ prototypes[g]) + (clusters[i] == g)) / sqrt(
                len(seeds)
            )
    return fit


def best_total(fit):
    """The largest sum over all permutations."""
    k = len(fit)
    return max(sum(fit[h, g[h]] for h in range(k)) for g in itertools.permutations(range(k)))
