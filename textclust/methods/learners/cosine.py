"""The M-step that learns the weights of terms for the cosine (Basu 2005, 7.1).

    J(A) = sum_i D_A(x_i, mu_{y_i})  +  sum of w D_A(x_i, x_j) over violated must-links
         + sum of w [1 - D_A(x_i, x_j)] over joined cannot-links
         + sum_m (a_m^2 - 1) / 2 - log a_m

Basu, Bilenko and Mooney 2004: to part two documents is the worse the farther apart the
measure has them, to join two the worse the nearer, so breaking a link says how the measure
should change. The cosine does not change when all weights grow, and is least when one term
weighs everything; the last sum, the Rayleigh prior of that paper with its mode at 1, keeps
weights near 1 unless documents say otherwise. A cannot-link of a negative cosine costs nothing.

With weights for each cluster, documents are measured by those of their cluster, a parted
must-link by those of either end, half each, and there is a prior for the weights of each. Then
J falls into a J for each cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.clusterwise_cosine import ClusterwiseCosine
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.methods.learners.cosine_objective import CosineMeasure, penalties, prior
from textclust.supervision.clusterwise import ClusterwisePotts, shares
from textclust.supervision.links import Links
from textclust.supervision.potentials import Interaction
from textclust.supervision.potts import Potts

__all__ = ["CosineLearner"]

_MOST_NUMBERS = 50_000_000  # in the sums of clusters that have weights of their own


@dataclass(frozen=True, eq=False)
class CosineLearner:
    """Learns a weight for every term, or one in each cluster, and the links these break."""

    X: Matrix  # the documents with even weights
    mass: float  # of all documents
    links: Links | None
    inference: str = "icm"

    @classmethod
    def problem(
        cls, plain: Problem, links: Links | None, inference: str = "icm", local: bool = False
    ) -> Problem:
        """A problem under the cosine as one whose weights are learned; at first all are 1."""
        learner, d = (
            cls(plain.X, float(plain.effective_weights.sum()), links, inference),
            plain.X.shape[1],
        )
        if local and plain.k**2 * d > _MOST_NUMBERS:
            raise InputError(
                f"metric='local' under the cosine keeps k x k x d numbers, at most {_MOST_NUMBERS}"
                f"; {plain.k} clusters of {d} terms are too many. Take fewer terms "
                "(TextVectorizer(max_features=...)), distortion='kl' or metric='global'"
            )
        return learner._problem(plain, np.ones((plain.k, d) if local else d))

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem after one step of the weights, or the same."""
        before, labels = problem.distortion, partition.known_labels
        assert isinstance(before, WeightedCosine | ClusterwiseCosine)
        if isinstance(before, WeightedCosine):
            weights = self._measure(problem, labels).better(before.weights)
        else:
            measures = (self._measure(problem, labels, h) for h in range(problem.k))
            pairs = zip(measures, before.weights, strict=True)
            weights = np.array([measure.better(each) for measure, each in pairs])
        if np.array_equal(weights, before.weights):
            return problem
        return self._problem(problem, weights)

    def penalties(self, weights: Array) -> Array:
        """What it costs to break each link of weight 1; in each cluster, if these have weights."""
        assert self.links is not None
        if weights.ndim == 1:
            return penalties(self.X, self.links, weights)
        return np.stack([penalties(self.X, self.links, each) for each in weights], axis=1)

    def _problem(self, before: Problem, weights: Array) -> Problem:
        kind = WeightedCosine if weights.ndim == 1 else ClusterwiseCosine
        distortion = kind(weights, prior(weights) / self.mass)
        return Problem(
            distortion.prepare(self.X),
            distortion,
            before.k,
            before.weights,
            before.unary,
            self._interaction(weights),
            before.threads,
            self,
            sizes=before.sizes,
        )

    def _interaction(self, weights: Array) -> Interaction | None:
        if self.links is None:
            return None
        found = self.penalties(weights)
        if weights.ndim == 1:
            return Potts(self.links.times(found), self.inference)
        return ClusterwisePotts(self.links, self.links.weights[:, None] * found, self.inference)

    def _measure(self, problem: Problem, labels: Labels, h: int | None = None) -> CosineMeasure:
        """J of the weights of all clusters, or of one."""
        measured = np.flatnonzero(labels == h) if h is not None else np.arange(len(labels))
        numbers = labels[measured] if h is None else np.zeros(len(measured), dtype=np.intp)
        broken = None
        if self.links is not None:
            paid = shares(self.links, labels, h)
            broken = self.links.times(paid).where(paid > 0)
        return CosineMeasure(self.X, measured, numbers, problem.effective_weights[measured], broken)
