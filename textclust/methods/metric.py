"""The M-step that learns a metric: a weight for every term (Basu, Bilenko and Mooney 2003, 3.3).

    J(A) = sum_d a_d s_d  -  m log det A  +  V(A)

has, while alpha stands still, its only flat place at

    a_d = m / (s_d - sum of w (x_id - x_jd)^2 over parted must-links
                   + sum of w (x_id - x_jd)^2 over joined cannot-links)

with s_d the scatter of term d within clusters, and pairs at a threshold of their penalty left
out. One metric for all clusters has m = 1, as printed; a metric of its own for each cluster
(Bilenko, Basu and Mooney 2004) has m the weight of the cluster's documents, each of which
pays -log det A_h, and half of each parted must-link on either side.

Where the paper is silent: the variance of a term within clusters counts as at least a
hundredth of its variance in all, so that no weight is infinite or, where parted must-links
outweigh the scatter, negative; a term that is the same everywhere keeps the weight 1. Alpha
moves with the metric, which the formula does not know; so the metric it names is taken only
where J, with alpha as it is there, does not rise. Else it goes part of the way there (in log
a, at the best scale: J(sA) = s [J(A) + m log det A] - m log det sA has its lowest point in
closed form), at last no way at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.kernel import moments
from textclust.geometry.weighted import WeightedEuclidean, scatters, with_squares
from textclust.methods.partition import Partition
from textclust.methods.problem import Interaction, Problem
from textclust.supervision.clusterwise import ClusterwisePotts
from textclust.supervision.potts import Potts
from textclust.supervision.spans import Spans

__all__ = ["MetricLearner"]

_LEAST = 0.01  # of the variance of a term, within clusters
_WAYS = (1.0, 0.5, 0.25, 0.125, 0.0625, 0.0)  # how far to go
_NOISE = 1e-12  # of the numbers that make up J


@dataclass(frozen=True, eq=False)
class MetricLearner:
    """Learns one metric, or one for each cluster, with or without links."""

    variances: Array  # of each term in all documents
    mass: float  # of all documents
    local: bool = False
    spans: Spans | None = None
    inference: str = "icm"

    @classmethod
    def problem(
        cls, plain: Problem, spans: Spans | None = None, local: bool = False, inference: str = "icm"
    ) -> Problem:
        """A Euclidean problem as one whose metric is learned; at first all weights are 1."""
        X, weights = with_squares(plain.X), plain.weighty
        whole = moments(X, np.zeros(X.shape[0], dtype=np.intp), weights, 1)
        mass = float(whole.masses[0])
        learner = cls(scatters(whole)[0] / mass, mass, local, spans, inference)
        metrics = np.ones((plain.k if local else 1, plain.X.shape[1]))
        return Problem(
            X,
            learner.distortion(metrics),
            plain.k,
            plain.weights,
            interaction=learner.interaction(metrics),
            threads=plain.threads,
            learner=learner,
        )

    def at(self, metric: Array, problem: Problem) -> Problem:
        """The problem under this metric, or these: one for each cluster."""
        before = problem.distortion
        assert isinstance(before, WeightedEuclidean)
        metrics = np.broadcast_to(metric, before.weights.shape)
        return problem.learned(self.distortion(metrics), self.interaction(metrics))

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem under the metrics that suit these clusters and the links they break."""
        before = problem.distortion
        assert isinstance(before, WeightedEuclidean)
        sought = self._sought(partition)
        metrics = np.array(
            [one.better(metric) for one, metric in zip(sought, before.weights, strict=True)]
        )
        if np.array_equal(metrics, before.weights):
            return problem
        return problem.learned(self.distortion(metrics), self.interaction(metrics))

    def distortion(self, metrics: Array) -> WeightedEuclidean:
        """Each document pays its cluster's -log det A; of a metric for all, its share."""
        log_dets = np.log(metrics).sum(axis=1)
        return WeightedEuclidean(metrics, -log_dets if self.local else -log_dets / self.mass)

    def interaction(self, metrics: Array) -> Interaction | None:
        """What the links cost under these metrics."""
        if self.spans is None:
            return None
        links, penalties = self.spans.links, self.spans.penalties(metrics)
        if self.local:
            return ClusterwisePotts(links, links.weights[:, None] * penalties, self.inference)
        return Potts(links.times(penalties[:, 0]), self.inference)

    def _sought(self, partition: Partition) -> Iterator[_Sought]:
        """What each metric has to suit."""
        moments, labels = partition.filled_moments, partition.known_labels
        scatter, masses = scatters(moments), moments.masses
        if not self.local:
            floor = _LEAST * masses.sum() * self.variances
            yield _Sought(scatter.sum(axis=0), 1.0, floor, self.spans, self._shares(labels, None))
            return
        for h, mass in enumerate(masses):
            floor = _LEAST * mass * self.variances
            yield _Sought(scatter[h], mass, floor, self.spans, self._shares(labels, h))

    def _shares(self, labels: Labels, cluster: int | None) -> Array:
        """How much of each link's penalty is paid under the metric of a cluster, or of all."""
        if self.spans is None:
            return np.zeros(0)
        links = self.spans.links
        paid = np.where(self.spans.broken(labels), links.weights, 0.0)
        if cluster is None:
            return paid
        here = (labels[links.left] == cluster).astype(float) + (labels[links.right] == cluster)
        return paid * here / 2


@dataclass(frozen=True, eq=False)
class _Sought:
    """J as a function of one metric."""

    scatter: Array
    mass: float
    floor: Array  # of the scatter; 0 where a term is the same everywhere
    spans: Spans | None
    shares: Array  # of the links' penalties

    def better(self, metric: Array) -> Array:
        """The first metric on the way to the closed form that lowers J; the same if none."""
        varied = self.floor > 0
        if self.mass == 0 or not varied.any():
            return metric
        here, size = self._energy(metric)
        for candidate in self._on_the_way(metric, varied):
            if self._energy(candidate)[0] < here - _NOISE * size:
                return candidate
        return metric

    def _on_the_way(self, metric: Array, varied: Array) -> Iterator[Array]:
        aim = self._closed_form(metric, varied)
        yield aim
        ceiling = np.divide(self.mass, self.floor, out=np.ones_like(metric), where=varied)
        for way in _WAYS:
            part = metric ** (1 - way) * aim**way
            price = float(part @ self.scatter) + self._penalty(part)
            if price > 0:
                scale = self.mass * np.count_nonzero(varied) / price
                yield np.where(varied, np.minimum(scale * part, ceiling), part)

    def _closed_form(self, metric: Array, varied: Array) -> Array:
        """The a_d of section 3.3, floored."""
        total = self.scatter
        if self.spans is not None and self.shares.any():
            slopes = self.spans.slopes(metric[None])[:, 0]
            total = total + self.spans.squares.T @ (self.shares * slopes)
        total = np.maximum(total, self.floor)
        return np.divide(self.mass, total, out=np.ones_like(metric), where=varied)

    def _energy(self, metric: Array) -> tuple[float, float]:
        """J, and the size of the numbers that make it up."""
        distances = float(metric @ self.scatter)
        penalty, logs = self._penalty(metric), self.mass * np.log(metric)
        size = distances + penalty + float(np.abs(logs).sum())
        return distances + penalty - float(logs.sum()), size

    def _penalty(self, metric: Array) -> float:
        if self.spans is None or not self.shares.any():
            return 0.0
        return float(self.shares @ self.spans.penalties(metric[None])[:, 0])
