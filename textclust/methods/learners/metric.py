"""The M-step that learns a metric (Basu, Bilenko and Mooney 2003, 3.3).

    J(A) = <A, S>  -  m log det A  +  V(A)

has, while alpha stands still, its only flat place at

    A = m (S - sum of w (x_i - x_j)(x_i - x_j)' over violated must-links
             + sum of w (x_i - x_j)(x_i - x_j)' over joined cannot-links)^-1

with S the scatter within clusters, and pairs at a threshold of their penalty left out; where A
is diagonal, so are all of these. One metric for all clusters has m = 1, as printed; a metric of
its own for each cluster (Bilenko, Basu and Mooney 2004) has m the weight of the cluster's
documents, each of which pays -log det A_h, and half of each violated must-link on either side.

Where the paper is silent: what is to be inverted has a floor (`metric_matrix`), so that A stays
finite and, where violated must-links outweigh the scatter, positive. Alpha moves with the metric,
which the formula does not know; so the metric it names is taken only where J, with alpha as it
is there, does not rise. Else it goes part of the way there (in log A, at the best scale:
J(sA) = s [J(A) + m log det A] - m log det sA has its lowest point in closed form), at last no
way at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry.affine import Array, Labels
from textclust.geometry.assignment import moments
from textclust.geometry.weighted import WeightedEuclidean
from textclust.methods.learners.metric_matrix import Diagonal, MetricMatrix
from textclust.supervision.clusterwise import ClusterwisePotts, shares
from textclust.supervision.links import Links
from textclust.supervision.metric_only import MetricOnly
from textclust.supervision.pair_differences import PairDifferences
from textclust.supervision.potentials import Interaction
from textclust.supervision.potts import Potts

__all__ = ["EuclideanLearner"]

_PARTS = (1.0, 0.5, 0.25, 0.125, 0.0625, 0.0)  # of the way to go
_NOISE = 1e-12  # of the numbers that make up J


@dataclass(frozen=True, eq=False)
class EuclideanLearner:
    """Learns one metric, or one for each cluster, with or without links."""

    matrix: MetricMatrix
    mass: float  # of all documents
    local: bool = False
    pair_differences: PairDifferences | None = None
    inference: str = "icm"
    assigning: bool = True  # whether links choose clusters, or teach the metric alone

    @classmethod
    def problem(
        cls,
        plain: Problem,
        pair_differences: PairDifferences | None = None,
        local: bool = False,
        inference: str = "icm",
        matrix: type[MetricMatrix] = Diagonal,
        assigning: bool = True,
    ) -> Problem:
        """A Euclidean problem as one whose metric is learned; at first all weights are 1."""
        X, weights = matrix.rows(plain.X), plain.effective_weights
        whole = moments(X, np.zeros(X.shape[0], dtype=np.intp), weights, 1)
        mass = float(whole.masses[0])
        found = matrix.of(whole)
        learner = cls(found, mass, local, pair_differences, inference, assigning)
        even = found.from_weights(np.ones(plain.X.shape[1]))
        metrics = np.tile(even, (plain.k if local else 1, 1))
        return Problem(
            X,
            learner.distortion(metrics),
            plain.k,
            plain.weights,
            interaction=learner.interaction(metrics),
            threads=plain.threads,
            learner=learner,
            sizes=plain.sizes,
        )

    def at_weights(self, weights: Array, problem: Problem) -> Problem:
        """The problem under the metric with these weights of features."""
        return self.at(self.matrix.from_weights(weights), problem)

    def at(self, metric: Array, problem: Problem) -> Problem:
        """The problem under this metric, or these: one for each cluster."""
        before = problem.distortion
        assert isinstance(before, WeightedEuclidean)
        metrics = np.broadcast_to(metric, before.flat.shape)
        return problem.learned(self.distortion(metrics), self.interaction(metrics))

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem under the metrics that suit these clusters and the links they break."""
        before = problem.distortion
        assert isinstance(before, WeightedEuclidean)
        objective = self._objectives(partition)
        metrics = np.array(
            [one.better(metric) for one, metric in zip(objective, before.flat, strict=True)]
        )
        if np.array_equal(metrics, before.flat):
            return problem
        return problem.learned(self.distortion(metrics), self.interaction(metrics))

    def distortion(self, metrics: Array) -> WeightedEuclidean:
        """Each document pays its cluster's -log det A; of a metric for all, its share."""
        log_dets = np.array([self.matrix.logs(metric).sum() for metric in metrics])
        return self.matrix.distortion(metrics, -log_dets if self.local else -log_dets / self.mass)

    def interaction(self, metrics: Array) -> Interaction | None:
        """What the links cost under these metrics."""
        if self.pair_differences is None:
            return None
        potts = self._potts(self.pair_differences.links, self.pair_differences.penalties(metrics))
        return potts if self.assigning else MetricOnly(potts)

    def _potts(self, links: Links, penalties: Array) -> Potts:
        if self.local:
            return ClusterwisePotts(links, links.weights[:, None] * penalties, self.inference)
        return Potts(links.times(penalties[:, 0]), self.inference)

    def _objectives(self, partition: Partition) -> Iterator[_MetricObjective]:
        """What each metric has to suit."""
        moments, labels = partition.filled_moments, partition.known_labels
        scatter, masses = self.matrix.scatters(moments), moments.masses
        if not self.local:
            shares = self._shares(labels, None)
            everything = scatter.sum(axis=0), 1.0, float(masses.sum())
            yield _MetricObjective(self.matrix, *everything, self.pair_differences, shares)
            return
        for h, mass in enumerate(masses.tolist()):
            yield _MetricObjective(
                self.matrix, scatter[h], mass, mass, self.pair_differences, self._shares(labels, h)
            )

    def _shares(self, labels: Labels, cluster: int | None) -> Array:
        """How much of each link's penalty is paid under the metric of a cluster, or of all."""
        if self.pair_differences is None:
            return np.zeros(0)
        return self.pair_differences.links.weights * shares(
            self.pair_differences.links, labels, cluster
        )


@dataclass(frozen=True, eq=False)
class _MetricObjective:
    """J as a function of one metric."""

    matrix: MetricMatrix
    scatter: Array
    mass: float  # m
    documents: float  # the weight of those that scatter
    pair_differences: PairDifferences | None
    shares: Array  # of the links' penalties

    def better(self, metric: Array) -> Array:
        """The first metric on the way to the closed form that lowers J; the same if none."""
        if self.mass == 0 or self.matrix.dimensions == 0:
            return metric
        here, size = self._energy(metric)
        for candidate in self._on_the_way(metric):
            if self._energy(candidate)[0] < here - _NOISE * size:
                return candidate
        return metric

    def _on_the_way(self, metric: Array) -> Iterator[Array]:
        aim = self._closed_form(metric)
        yield aim
        if not self.shares.any():
            return  # it is the lowest point
        way = self.matrix.way(metric, aim)
        for part in map(way, _PARTS):
            price = float(part @ self.scatter) + self._penalty(part)
            if price > 0:
                scale = self.mass * self.matrix.dimensions / price
                yield self.matrix.scaled(part, scale, self.mass, self.documents)

    def _closed_form(self, metric: Array) -> Array:
        """The A of section 3.3, floored."""
        total = self.scatter
        if self.pair_differences is not None and self.shares.any():
            slopes = self.pair_differences.slopes(metric[None])[:, 0]
            total = total + self.pair_differences.squares.T @ (self.shares * slopes)
        return self.matrix.inverse(total, self.mass, self.documents)

    def _energy(self, metric: Array) -> tuple[float, float]:
        """J, and the size of the numbers that make it up."""
        distances = float(metric @ self.scatter)
        penalty, logs = self._penalty(metric), self.mass * self.matrix.logs(metric)
        size = abs(distances) + penalty + float(np.abs(logs).sum())
        return distances + penalty - float(logs.sum()), size

    def _penalty(self, metric: Array) -> float:
        if self.pair_differences is None or not self.shares.any():
            return 0.0
        return float(self.shares @ self.pair_differences.penalties(metric[None])[:, 0])
