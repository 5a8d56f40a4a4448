"""Criteria for the number of clusters, each a small function of what is known of a clustering.

The first three weigh how well the means of the clusters describe the documents against how
many means there are. Their model is a spherical Gaussian around each mean, in as many
dimensions as documents really scatter in (see `effective_dimension`): in the thousands of
a vocabulary every mean would cost more than it could ever bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.metrics import adjusted_rand_index
from textclust.supervision.constraints import Constraints

__all__ = [
    "ClusterFit",
    "KeptLinks",
    "agreement",
    "bic",
    "effective_dimension",
    "first_within_error",
    "gap",
    "kept_links",
    "mdl",
    "mml",
]

_PROBES = 64  # random directions


@dataclass(frozen=True)
class ClusterFit:
    """A clustering as the penalised criteria see it."""

    scatter: float  # the sum of squared distances from the means of the clusters
    sizes: Array  # documents in each cluster, none empty
    dimension: float  # that documents scatter in


def bic(fit: ClusterFit) -> float:
    """Bayesian information criterion (Schwarz 1978; for k-means Pelleg and Moore 2000).

    Twice the code length of the documents, and log n for every number in the means and shares.
    """
    k, n = len(fit.sizes), fit.sizes.sum()
    return float(2.0 * _length(fit) + k * (fit.dimension + 1.0) * np.log(n))


def mdl(fit: ClusterFit) -> float:
    """Minimum description length (Rissanen 1978): what it takes to write everything down.

    Each mean is written as precisely as the documents of its own cluster can tell it.
    """
    return float(_length(fit) + 0.5 * (fit.dimension + 1.0) * np.log(fit.sizes).sum())


def mml(fit: ClusterFit) -> float:
    """Minimum message length (Wallace and Freeman 1987, as in Figueiredo and Jain 2002, eq. 15)."""
    k, n, numbers = len(fit.sizes), fit.sizes.sum(), fit.dimension + 1.0
    means = 0.5 * numbers * np.log(fit.sizes / 12.0).sum()
    return float(_length(fit) + means + 0.5 * k * np.log(n / 12.0) + 0.5 * k * (numbers + 1.0))


def gap(scatter: float, references: Array) -> tuple[float, float]:
    """Gap statistic and its error (Tibshirani, Walther and Hastie 2001).

    How far the log of the scatter is below that of reference data without clusters.
    """
    logs = np.log(np.maximum(references, np.finfo(float).tiny))
    error = float(logs.std() * np.sqrt(1.0 + 1.0 / len(logs)))
    return float(logs.mean() - np.log(max(scatter, np.finfo(float).tiny))), error


def first_within_error(gaps: Array, errors: Array) -> int:
    """The first place whose gap is no more than an error below the next; the last, if none."""
    enough = gaps[:-1] >= gaps[1:] - errors[1:]
    return int(enough.argmax()) if enough.any() else len(gaps) - 1


def agreement(labellings: list[Labels]) -> float:
    """Stability (Ben-Hur et al. 2002; Lange et al. 2004): how alike labellings are, from 0 to 1.

    The mean adjusted Rand index of each two, which is 0 for what chance alone would do.
    """
    pairs = [adjusted_rand_index(a, b) for a, b in combinations(labellings, 2)]
    return float(np.mean(pairs))


@dataclass(frozen=True)
class KeptLinks:
    """The share of links that a clustering keeps, and how far chance may have moved it."""

    share: float
    error: float


def kept_links(constraints: Constraints, labels: Labels) -> KeptLinks:
    """How well clusters made without the links keep them: must-links and cannot-links alike.

    The mean of both shares, so that the many cannot-links of a random choice do not speak for
    ever more clusters (as the prediction of held-out labels in Banerjee and Langford 2004).
    """
    links, kept = constraints.links, ~constraints.violated(labels)
    shares, variances = [], []
    for kind in (links.together, ~links.together):
        if kind.any():
            right = (kept[kind].sum() + 1.0) / (kind.sum() + 2.0)
            shares.append(float(kept[kind].mean()))
            variances.append(right * (1.0 - right) / kind.sum())
    return KeptLinks(float(np.mean(shares)), float(np.sqrt(np.sum(variances)) / len(shares)))


def effective_dimension(X: Matrix, rng: np.random.Generator) -> float:
    """In how many directions the rows scatter about alike: (sum l)^2 / sum l^2.

    The participation ratio of the eigenvalues l of their scatter, with the sum of squares from
    products with random directions (Hutchinson 1990). No row is made dense.
    """
    n = X.shape[0]
    centre = np.asarray(X.mean(axis=0)).ravel()
    values = X.data if hasattr(X, "indptr") else X
    total = float(np.square(values, dtype=np.float64).sum() - n * centre @ centre)
    probes = rng.choice([-1.0, 1.0], (X.shape[1], _PROBES))
    seen = np.asarray(X @ probes) - centre @ probes
    back = np.asarray(X.T @ seen) - np.outer(centre, seen.sum(axis=0))
    squares = float(np.square(back).sum() / _PROBES)
    return max(1.0, total**2 / squares) if squares > 0 else 1.0


def _length(fit: ClusterFit) -> float:
    """Nats to write each document down as its cluster and its difference from the mean."""
    n, d = fit.sizes.sum(), fit.dimension
    variance = max(fit.scatter, np.finfo(float).tiny) / (n * d)
    labels = -(fit.sizes * np.log(fit.sizes / n)).sum()
    return float(0.5 * n * d * np.log(2.0 * np.pi * np.e * variance) + labels)
