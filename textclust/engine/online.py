"""Clusters that learn batch by batch, for collections that do not fit in memory.

Each batch is assigned to the nearest clusters, whose prototypes then move to the best
place for all the documents they were ever given (Sculley 2010, in any distortion). What
was assigned early stays where it was: one pass, no document is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.engine.problem import Problem, Solution
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix, Moments, as_table
from textclust.geometry.assignment import moments
from textclust.geometry.capabilities import as_rows
from textclust.geometry.energies import optimum

__all__ = ["RunningClusters"]


@dataclass
class RunningClusters:
    """The moments of clusters so far, under the distortion of their first solution."""

    distortion: Distortion
    moments: Moments

    @classmethod
    def begin(cls, X: Matrix, weights: Array, solution: Solution) -> RunningClusters:
        """The clusters of a first batch; an empty one weighs as much as one document."""
        return cls.of(X, weights, solution.labels, solution.distortion, solution.prototypes)

    @classmethod
    def of(
        cls, X: Matrix, weights: Array, labels: Labels, distortion: Distortion, prototypes: Matrix
    ) -> RunningClusters:
        """Those that some documents are in."""
        problem = _batch(X, weights, distortion, prototypes.shape[0])
        sums, masses = moments(problem.X, labels, problem.effective_weights, problem.k)
        empty = masses == 0
        sums[empty] = as_table(as_rows(distortion, prototypes)[empty])
        masses[empty] = 1.0
        return cls(distortion, Moments(sums, masses))

    @property
    def prototypes(self) -> Array:
        """Where the clusters lie now."""
        return self.distortion.prototypes(*self.moments)

    def absorb(self, X: Matrix, weights: Array, threads: int) -> tuple[Labels, float]:
        """Take in a batch; its labels, and its energy at the prototypes it found."""
        sums, masses = self.moments
        problem = _batch(X, weights, self.distortion, len(masses), threads)
        backend, every = problem.backend, np.arange(X.shape[0])
        form = optimum(self.distortion, sums, masses).form
        labels = backend.assign(form).labels
        costs = backend.costs_at(form, every, labels) + problem.own_costs
        self._take(problem, labels)
        return labels, float(problem.effective_weights @ costs)

    def joined_by(self, X: Matrix, labels: Labels) -> RunningClusters:
        """The clusters with documents that were placed in them; these stay as they are."""
        sums, masses = self.moments
        copied = Moments(np.array(sums, order="F"), np.array(masses))  # as a backend shifts them
        moved = RunningClusters(self.distortion, copied)
        problem = _batch(X, np.ones(X.shape[0]), self.distortion, len(self.moments.masses))
        moved._take(problem, labels)
        return moved

    def _take(self, problem: Problem, labels: Labels) -> None:
        sums, masses = self.moments
        problem.backend.shift(sums, None, None, labels, problem.effective_weights)
        masses += np.bincount(labels, problem.effective_weights, problem.k)


def _batch(
    X: Matrix, weights: Array, distortion: Distortion, k: int, threads: int | None = None
) -> Problem:
    return Problem(distortion.prepare(X), distortion, k, weights, threads=threads)
