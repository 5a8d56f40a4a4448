"""What a cluster is about: terms that describe it, and terms that set it apart.

Descriptive terms hold the cluster together: each is weighed by its share of the squared
length of the cluster's centroid, which is its share of the mean similarity inside.
Discriminating terms set it apart: each is weighed by the z-score of the log-odds of its
document frequency inside against outside, with the whole collection as prior (Monroe,
Colaresi and Quinn 2008), so that a rare word needs more than luck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix, Moments
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import Cosine
from textclust.result.telling import TermEvidence

__all__ = ["KINDS", "Term", "TermWeights", "leading_terms", "term_weights", "weigh_terms"]

KINDS = ("descriptive", "discriminating")


_PRIOR_DOCUMENTS = 10.0  # how many documents' worth of the collection's odds each cluster has


@dataclass(frozen=True)
class Term:
    """A term and how much it counts."""

    term: str
    weight: float


@dataclass(frozen=True)
class TermWeights:
    """One row for each cluster, one column for each term; and what names are made from."""

    descriptive: Array
    discriminating: Array
    evidence: TermEvidence


def weigh_terms(X: Matrix, labels: Labels, k: int) -> TermWeights:
    """The weights of all terms in all clusters of a matrix of texts."""
    each = np.ones(X.shape[0])
    present = type(X)((np.ones_like(X.data), X.indices, X.indptr), shape=X.shape)
    return term_weights(moments(X, labels, each, k), moments(present, labels, each, k).sums)


def term_weights(clusters: Moments, frequencies: Array) -> TermWeights:
    """The same from the sums of clusters, and in how many documents of each a term occurs."""
    centroids, odds = Cosine().prototypes(*clusters), _log_odds(frequencies)
    return TermWeights(
        np.ascontiguousarray(centroids**2),
        np.ascontiguousarray(odds),
        TermEvidence.of(clusters, frequencies),
    )


def leading_terms(weights: Array, vocabulary: list[str], n: int) -> list[Term]:
    """The n heaviest terms of one cluster, those of no weight left out."""
    n = min(n, len(weights))
    heaviest = np.argpartition(-weights, n - 1)[:n].tolist() if n else []
    top = sorted(heaviest, key=lambda column: (-weights[column], vocabulary[column]))
    return [
        Term(vocabulary[column], float(weights[column])) for column in top if weights[column] > 0
    ]


def _log_odds(frequencies: Array) -> Array:
    """z-scores of each cluster's document frequencies against those of all the others."""
    overall = frequencies.sum(axis=0)
    if len(frequencies) == 1:
        return np.zeros_like(frequencies)
    prior = _PRIOR_DOCUMENTS * overall / max(overall.sum(), 1.0)
    inside, outside = frequencies + prior, overall - frequencies
    outside += prior
    for part in (inside, outside):
        np.maximum(part, 1e-12, out=part)
    z = _odds(inside)
    z /= _odds(outside)
    np.log(z, out=z)
    for part in (inside, outside):
        np.divide(1, part, out=part)
    inside += outside
    z /= np.sqrt(inside, out=inside)
    return z


def _odds(part: Array) -> Array:
    rest = part.sum(axis=1, keepdims=True) - part
    return np.divide(part, rest, out=rest)
