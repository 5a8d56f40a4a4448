"""The M-step that learns the weights of terms for KL and the I-divergence (Basu 2005, 7.1).

    J(a) = sum_m a_m (s_m + l_m) - t_m log a_m        lowest at        a_m = t_m / (s_m + l_m)

s_m is how far the documents are from the means of their clusters in term m, t_m how far from
the mean of all, and l_m what broken links add (Basu, Bilenko and Mooney 2004): two documents
that are parted cost w times their divergence from their mean, two that are joined w times what
they lack of being as far apart as two documents can be,

    j_m = x_im log(2 x_im / (x_im + x_jm)) + x_jm log(2 x_jm / (x_im + x_jm))   must-links
    log 2 (x_im + x_jm) - j_m, which is 0 where only one has the term           cannot-links

The last sum of J is the -log det of MPC-KMeans, in which each term counts for t_m. So all
weights are 1 while there is one cluster and no broken link; a term that the clusters explain
weighs more; one in which parted documents differ, or which joined ones share, weighs less. If
every term counted the same, all would end with the same share of J, the rarest with the
highest weight. The Rayleigh prior of 2004 would do for the cosine, which does not change when
all weights grow; a divergence does, so all weights would fall as documents grow in number.

s_m + l_m counts as at least a hundredth of t_m, and a term that is the same everywhere keeps
the weight 1. As J is a sum over terms, the lowest point under that floor is the floored
formula: J never rises. Weights are learned once the smoothing has cooled; links are measured
without smoothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.kernel import moments
from textclust.geometry.rows import scale_rows
from textclust.geometry.weighted_divergence import WeightedIDivergence, WeightedKL
from textclust.methods.partition import Partition
from textclust.methods.problem import Problem
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["DivergenceLearner"]

_LEAST = 0.01  # of the divergence from the mean of all
_NOISE = 1e-12  # of the numbers that make up J


@dataclass(frozen=True, eq=False)
class DivergenceLearner:
    """Learns one weight for every term from clusters and the links they break."""

    whole: Array  # t
    mass: float  # of all documents
    links: Links | None = None
    parts: Matrix | None = None  # what each link costs, term by term, as sparse as documents are
    inference: str = "icm"

    @classmethod
    def problem(cls, plain: Problem, links: Links | None, inference: str = "icm") -> Problem:
        """A problem under a divergence as one whose weights are learned; at first all are 1."""
        before, (n, d) = plain.distortion, plain.X.shape
        assert isinstance(before, IDivergence)
        cold = replace(before, smoothing=min(before.smoothing, before.floor))
        together = moments(plain.X, np.zeros(n, dtype=np.intp), plain.weighty, 1)
        whole = cold.scatters(plain.X, plain.weighty, together)
        parts = None if links is None else _parts(plain.X, links)
        learner = cls(whole, float(plain.weighty.sum()), links, parts, inference)
        kind = WeightedKL if isinstance(before, KL) else WeightedIDivergence
        at_first = kind(before.smoothing, before.floor, before.cooling, weights=np.ones(d))
        return replace(
            plain,
            distortion=at_first,
            interaction=learner.interaction(at_first.weights),
            learner=learner,
        )

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem with the weights that suit these clusters and the links they break."""
        before, labels = problem.distortion, partition.known_labels
        assert isinstance(before, WeightedIDivergence)
        price = before.scatters(problem.X, problem.weighty, partition.filled_moments)
        price = price + self._pull(labels)
        floored = np.maximum(price, _LEAST * self.whole)
        weights = np.divide(self.whole, floored, out=np.ones_like(price), where=self.whole > 0)
        np.minimum(weights, 1 / _LEAST, out=weights)  # which rounding alone exceeds
        noise = _NOISE * (float(price @ before.weights) + float(self.whole.sum()))
        if self._objective(price, weights) >= self._objective(price, before.weights) - noise:
            return problem
        learned = replace(before, weights=weights, toll=-float(self._logs(weights)) / self.mass)
        return problem.learned(learned, self.interaction(weights))

    def interaction(self, weights: Array) -> Potts | None:
        """What the links cost under these weights."""
        if self.links is None:
            return None
        return Potts(self.links.times(self.penalties(weights)), self.inference)

    def penalties(self, weights: Array) -> Array:
        """What it costs to break each link, for one of weight 1."""
        return np.asarray(self.parts @ weights)

    def _pull(self, labels: Labels) -> Array | float:
        """l: what the broken links cost, term by term."""
        if self.links is None or self.parts is None:
            return 0.0
        same = labels[self.links.left] == labels[self.links.right]
        paid = np.where(same != self.links.together, self.links.weights, 0.0)
        return np.asarray(self.parts.T @ paid)

    def _objective(self, price: Array, weights: Array) -> float:
        return float(price @ weights) - self._logs(weights)

    def _logs(self, weights: Array) -> float:
        return float(self.whole @ np.log(weights))


def _parts(X: Matrix, links: Links) -> Matrix:
    """A row for each link: what it adds for each term to the price of breaking it."""
    left, right = X[links.left].astype(np.float64), X[links.right].astype(np.float64)
    both = left + right
    shared = _entropies(both) - _entropies(left) - _entropies(right)
    farthest = scale_rows(both, np.where(links.together, np.log(2.0), 0.0))
    parts = farthest + scale_rows(shared, np.where(links.together, -1.0, 1.0))
    return parts.maximum(0.0) if sp.issparse(parts) else np.maximum(parts, 0.0)


def _entropies(X: Matrix) -> Matrix:
    """x log x of every value, 0 for 0."""
    from scipy.special import xlogy

    if not sp.issparse(X):
        return xlogy(X, X)
    return type(X)((xlogy(X.data, X.data), X.indices, X.indptr), shape=X.shape)
