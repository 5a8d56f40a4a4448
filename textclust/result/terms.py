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

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.grid import exact_grid, row_sizes
from textclust.geometry.grouped_sums import sums_and_counts
from textclust.result.telling import TermEvidence

__all__ = ["KINDS", "Term", "TermWeights", "leading_terms", "weigh_terms"]

KINDS = ("descriptive", "discriminating")

_PRIOR_DOCUMENTS = 10.0  # how many documents' worth of the collection's odds each cluster has
_RARE = 1e-12


@dataclass(frozen=True)
class Term:
    """A term and how much it counts."""

    term: str
    weight: float


@dataclass(frozen=True, eq=False)
class TermWeights:
    """How much terms count in clusters; worked out a cluster at a time, as there may be many."""

    evidence: TermEvidence

    def row(self, kind: str, h: int) -> Array:
        """The weights of all terms in one cluster."""
        return self._of(kind, h, np.arange(self.evidence.d))

    def leading(self, kind: str, h: int, vocabulary: list[str], n: int) -> list[Term]:
        """The n heaviest terms of one cluster, which are among those that it has."""
        own = self.evidence.terms_of(h)
        return leading_terms(self._of(kind, h, own), vocabulary, n, own)

    def _of(self, kind: str, h: int, columns: Labels) -> Array:
        return (self._shares if kind == "descriptive" else self._log_odds)(h, columns)

    def _shares(self, h: int, columns: Labels) -> Array:
        """Of the squared length of the cluster's centroid."""
        sums = self.evidence.sums_of(h)
        length = float(sums @ sums)
        return np.asarray(sums[columns] ** 2 / length if length > 0 else np.zeros(len(columns)))

    def _log_odds(self, h: int, columns: Labels) -> Array:
        """z-scores of the cluster's document frequencies against those of all the others."""
        if self.evidence.k == 1:
            return np.zeros(len(columns))
        own, overall = self.evidence.frequencies_of(h), self.evidence.overall
        total, mine = max(float(overall.sum()), 1.0), float(own.sum())
        prior = _PRIOR_DOCUMENTS * overall[columns] / total
        drawn = _PRIOR_DOCUMENTS * float(overall.sum()) / total
        inside = np.maximum(own[columns] + prior, _RARE)
        outside = np.maximum(overall[columns] - own[columns] + prior, _RARE)
        rest = np.maximum(mine + drawn - inside, _RARE)
        rest_outside = np.maximum(total - mine + drawn - outside, _RARE)
        z = np.log(inside / rest) - np.log(outside / rest_outside)
        z /= np.sqrt(1.0 / inside + 1.0 / outside)
        return np.asarray(np.where(own[columns] > 0, z, np.minimum(z, 0.0)))


def weigh_terms(X: Matrix, labels: Labels, k: int) -> TermWeights:
    """The weights of all terms in all clusters of a matrix of texts."""
    grid = exact_grid(row_sizes(X, np.ones(X.shape[0])))
    sums, frequencies = sums_and_counts(X, labels, k, grid)
    masses = np.bincount(labels, minlength=k).astype(float)
    return TermWeights(TermEvidence(sums, frequencies, masses))


def leading_terms(
    weights: Array, vocabulary: list[str], n: int, columns: Labels | None = None
) -> list[Term]:
    """The n heaviest terms of one cluster, those of no weight left out.

    The weights are those of these columns of the vocabulary, or of all.
    """
    n = min(n, int((weights > 0).sum()))
    if n == 0:
        return []
    least = np.partition(weights, len(weights) - n)[len(weights) - n]
    heaviest = np.flatnonzero(weights >= least)  # with all that are as heavy as the last
    terms = (heaviest if columns is None else columns[heaviest]).tolist()
    found = zip(weights[heaviest].tolist(), (vocabulary[t] for t in terms), strict=True)
    top = sorted(found, key=lambda each: (-each[0], each[1]))[:n]
    return [Term(term, weight) for weight, term in top]
