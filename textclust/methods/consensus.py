"""Consensus of several runs of k-means, by which documents they put together.

E = sum_h 1 / n_h  sum_(i, j in h) (1 - a_ij)

a_ij, the co-association of documents i and j, is the share of the runs in which they have the same
label (Strehl and Ghosh 2002; Fred and Jain 2005); n_h is the size of cluster h. No table of pairs
is made: with a column for each cluster of each run, and 1 / sqrt(runs) in a document's row for the
clusters that it is in, 1 - a_ij is half of the squared distance of two rows, and E the energy of
k-means among the rows (Mirkin 2001; Topchy, Jain and Punch 2005, 3.2).

Average linkage by co-association found worse clusters in texts: see docs/measured/stability.md.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from textclust.engine.problem import Problem, Solution
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.euclidean import Euclidean
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.parameters import Parameters
from textclust.progress import track
from textclust.stopping import half_of_the_time, while_allowed
from textclust.supervision.given import Supervision

__all__ = ["ConsensusClusteringSolver", "memberships"]


@dataclass(repr=False, eq=False)
class ConsensusClusteringSolver(HMRFKMeansSolver):
    """Runs without supervision, and k-means with links among what they say."""

    rules: ClassVar[Parameters] = parameters.CONSENSUS

    _: KW_ONLY
    n_runs: int = 20

    def describe(self) -> str:
        """What the method is run with, in words."""
        return f"{self.n_runs} runs of k-means and {super().describe()}"

    def _problem(self, X: Matrix, weights: Array | None = None) -> Problem:
        """The question without links, among the clusters that documents are in."""
        plain = replace(self, min_size=None)._among_terms(X)
        rows = memberships(self._runs(plain), self.n_clusters)
        space = Euclidean()
        problem = Problem(
            space.prepare(rows),
            space,
            self.n_clusters,
            plain.effective_weights,
            threads=plain.threads,
        )
        return self._with_size_bound(problem)

    def _among_terms(self, X: Matrix) -> Problem:
        """The question of each run."""
        return super()._problem(X)

    def _runs(self, plain: Problem) -> list[Labels]:
        """The labels that each run finds, for as many as there is time for."""
        rng = generator(self.random_state)
        found = []
        with half_of_the_time():
            for _ in track(while_allowed(range(self.n_runs)), "runs", self.n_runs):
                run = KMeansSolver(
                    self.n_clusters,
                    distortion=self.distortion,
                    n_init=1,
                    max_iter=self.max_iter,
                    tol=self.tol,
                    refine=self.refine,
                    n_jobs=self.n_jobs,
                    random_state=int(rng.integers(2**31)),
                )
                found.append(run.solve(plain.X).labels)
        return found

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The consensus, with the prototypes of its clusters among the documents."""
        solution = super()._solve(X, None, supervision)
        plain = replace(self, min_size=None)._among_terms(X)
        ones = plain.effective_weights
        centres = plain.distortion.prototypes(*moments(plain.X, solution.labels, ones, plain.k))
        return replace(
            solution,
            prototypes=centres,
            distortion=plain.distortion,
            nearest=None,
            by_nearest=False,
        )


def memberships(runs: list[Labels], k: int) -> Matrix:
    """A row for each document, with 1 / sqrt(runs) for its cluster in each run.

    >>> rows = memberships([np.array([0, 0, 1]), np.array([1, 0, 0])], 2)
    >>> together = rows @ rows.T  # the co-associations
    >>> [round(float(together[0, j]), 2) for j in range(3)]
    [1.0, 0.5, 0.0]
    """
    n, count = len(runs[0]), len(runs)
    columns = np.stack(runs, axis=1) + k * np.arange(count)
    values = np.full(n * count, 1.0 / np.sqrt(count))
    ends = count * np.arange(n + 1)
    return sp.csr_array((values, columns.ravel(), ends), shape=(n, k * count))
