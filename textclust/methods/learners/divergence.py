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

Weights for each cluster have the same with the s_m, l_m and documents of that cluster, in which
t_m counts by its share of the documents: each of them pays -t_m log a_hm / n. A violated must-link
counts half in the cluster of either end.

s_m + l_m counts as at least a hundredth of t_m, and a term that is the same everywhere keeps
the weight 1. As J is a sum over terms, the lowest point under that floor is the floored
formula: J never rises. Weights are learned once the smoothing has cooled; links are measured
without smoothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.clusterwise_divergence import ClusterwiseIDivergence, ClusterwiseKL
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.rows import scale_rows
from textclust.geometry.weighted_divergence import WeightedIDivergence, WeightedKL
from textclust.supervision.clusterwise import ClusterwisePotts, shares
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["DivergenceLearner"]

_LEAST = 0.01  # of the divergence from the mean of all
_NOISE = 1e-12  # of the numbers that make up J


@dataclass(frozen=True, eq=False)
class DivergenceLearner:
    """Learns a weight for every term, or one in each cluster, and the links these break."""

    whole: Array  # t
    mass: float  # of all documents
    links: Links | None = None
    parts: Matrix | None = None  # what each link costs, term by term, as sparse as documents are
    inference: str = "icm"

    @classmethod
    def problem(
        cls, plain: Problem, links: Links | None, inference: str = "icm", local: bool = False
    ) -> Problem:
        """A problem under a divergence as one whose weights are learned; at first all are 1.

        Weights for each cluster do not anneal.
        """
        before, (n, d) = plain.distortion, plain.X.shape
        assert isinstance(before, IDivergence)
        cold = replace(before, smoothing=min(before.smoothing, before.floor))
        together = moments(plain.X, np.zeros(n, dtype=np.intp), plain.effective_weights, 1)
        whole = cold.scatters(plain.X, plain.effective_weights, together)
        parts = None if links is None else _parts(plain.X, links)
        learner = cls(whole, float(plain.effective_weights.sum()), links, parts, inference)
        is_kl = isinstance(before, KL)
        at_first: WeightedIDivergence | ClusterwiseIDivergence
        if local:
            clusterwise = ClusterwiseKL if is_kl else ClusterwiseIDivergence
            even = {"weights": np.ones((plain.k, d)), "tolls": np.zeros(plain.k)}
            at_first = clusterwise(cold.smoothing, before.floor, before.cooling, **even)
        else:
            kind = WeightedKL if is_kl else WeightedIDivergence
            at_first = kind(before.smoothing, before.floor, before.cooling, weights=np.ones(d))
        return replace(
            plain,
            X=at_first.prepare(plain.X),
            distortion=at_first,
            interaction=learner.interaction(at_first.weights),
            learner=learner,
        )

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem with the weights that suit these clusters and the links they break."""
        before, labels = problem.distortion, partition.known_labels
        assert isinstance(before, WeightedIDivergence | ClusterwiseIDivergence)
        learned: WeightedIDivergence | ClusterwiseIDivergence
        if isinstance(before, WeightedIDivergence):
            price = before.scatters(problem.X, problem.effective_weights, partition.filled_moments)
            weights = self._better(before.weights, price + self._pull(labels), 1.0)
            toll = float(self._logs(weights)) / self.mass
            learned = replace(before, weights=weights, toll=-toll)
        else:
            found = partition.filled_moments
            prices, parts = before.scatters_by_cluster(found), found.masses / self.mass
            each = [
                self._better(before.weights[h], prices[h] + self._pull(labels, h), parts[h])
                for h in range(problem.k)
            ]
            weights = np.array(each)
            learned = replace(before, weights=weights, tolls=-self._logs(weights) / self.mass)
        if np.array_equal(weights, before.weights):
            return problem
        return problem.learned(learned, self.interaction(weights))

    def interaction(self, weights: Array) -> Potts | None:
        """What the links cost under these weights."""
        if self.links is None:
            return None
        found = self.penalties(weights)
        if weights.ndim == 1:
            return Potts(self.links.times(found), self.inference)
        return ClusterwisePotts(self.links, self.links.weights[:, None] * found, self.inference)

    def penalties(self, weights: Array) -> Array:
        """What it costs to break each link of weight 1; in each cluster, if these have weights."""
        return np.asarray(self.parts @ weights.T)

    def _better(self, before: Array, price: Array, part: float) -> Array:
        """The weights for a price of each term, where the documents are a part of all.

        Those before, where the new ones do not cost less.
        """
        if part == 0:
            return before
        whole = part * self.whole
        floored = np.maximum(price, _LEAST * whole)
        weights = np.divide(whole, floored, out=np.ones_like(price), where=whole > 0)
        np.minimum(weights, 1 / _LEAST, out=weights)  # which rounding alone exceeds
        noise = _NOISE * (float(price @ before) + float(whole.sum()))
        now, then = (float(price @ a) - part * float(self._logs(a)) for a in (weights, before))
        return before if now >= then - noise else weights

    def _pull(self, labels: Labels, cluster: int | None = None) -> Array | float:
        """l: what the broken links cost, term by term; in one cluster, or in all."""
        if self.links is None or self.parts is None:
            return 0.0
        paid = self.links.weights * shares(self.links, labels, cluster)
        return np.asarray(self.parts.T @ paid)

    def _logs(self, weights: Array) -> Array:
        """sum_m t_m log a_m, of each row of weights."""
        return np.asarray(np.log(weights) @ self.whole)


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
