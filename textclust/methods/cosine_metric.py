"""The M-step that learns the weights of terms for the cosine (Basu 2005, 7.1).

    J(A) = sum_i D_A(x_i, mu_{y_i})  +  sum of w D_A(x_i, x_j) over parted must-links
         + sum of w [1 - D_A(x_i, x_j)] over joined cannot-links
         + sum_m (a_m^2 - 1) / 2 - log a_m

Basu, Bilenko and Mooney 2004: to part two documents is the worse the farther apart the
measure has them, to join two the worse the nearer, so breaking a link says how the measure
should change. The cosine does not change when all weights grow, and is least when one term
weighs everything; the last sum, the Rayleigh prior of that paper with its mode at 1, keeps
weights near 1 unless documents say otherwise. A cannot-link of a negative cosine costs nothing.

The step is one of gradient descent in log a, in the scale of the prior's curvature, halved
until J falls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix, Moments
from textclust.geometry.kernel import moments, own_products
from textclust.geometry.weighted_cosine import WeightedCosine
from textclust.methods.partition import Partition
from textclust.methods.problem import Problem
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["CosineLearner"]

_LONGEST = 1.0  # of a step, in log a
_HALVINGS = 6
_LITTLE = 1e-7  # of J: less is not worth another measure


@dataclass(frozen=True, eq=False)
class CosineLearner:
    """Learns one weight for every term from clusters and the links they break."""

    X: Matrix  # the documents with even weights
    mass: float  # of all documents
    links: Links | None
    inference: str = "icm"

    @classmethod
    def problem(cls, plain: Problem, links: Links | None, inference: str = "icm") -> Problem:
        """A problem under the cosine as one whose weights are learned; at first all are 1."""
        learner = cls(plain.X, float(plain.weighty.sum()), links, inference)
        return learner._problem(plain, np.ones(plain.X.shape[1]))

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem after one step of the weights, or the same."""
        before, labels = problem.distortion, partition.known_labels
        assert isinstance(before, WeightedCosine)
        here = self._energy(problem, partition.filled_moments, labels)
        slope = self._gradient(problem, partition.filled_moments, labels)
        step = np.clip(-slope / (1.0 + before.weights**2), -_LONGEST, _LONGEST)
        for _ in range(_HALVINGS):
            tried = self._problem(problem, before.weights * np.exp(step))
            found = moments(tried.X, labels, tried.weighty, tried.k)
            if self._energy(tried, found, labels) < here - _LITTLE * abs(here):
                return tried
            step = step / 2
        return problem

    def _problem(self, before: Problem, weights: Array) -> Problem:
        prior = float(((weights**2 - 1) / 2 - np.log(weights)).sum())
        distortion = WeightedCosine(weights, prior / self.mass)
        X = distortion.prepare(self.X)
        interaction = None
        if self.links is not None:
            priced = self.links.times(_penalties(X, self.links))
            interaction = Potts(priced, self.inference)
        return Problem(
            X,
            distortion,
            before.k,
            before.weights,
            before.unary,
            interaction,
            before.threads,
            self,
        )

    def penalties(self, weights: Array) -> Array:
        """What it costs to break each link, for one of weight 1."""
        assert self.links is not None
        return _penalties(WeightedCosine(weights).prepare(self.X), self.links)

    def _energy(self, problem: Problem, found: Moments, labels: Labels) -> float:
        toll = float(problem.own_costs[0]) * self.mass
        energy = toll + float(problem.distortion.best(*found).energies.sum())
        bond = problem.interaction
        return energy if bond is None else energy + bond.energy(labels[bond.documents])

    def _gradient(self, problem: Problem, found: Moments, labels: Labels) -> Array:
        """dJ / d log a."""
        assert isinstance(problem.distortion, WeightedCosine)
        X, sums, weights = problem.X, found.sums, problem.distortion.weights
        centres = problem.distortion.prototypes(*found)
        cosines = problem.weighty * own_products(X, labels, centres)
        slope = -0.5 * ((centres * sums).sum(axis=0) - _squares(X).T @ cosines)
        if self.links is not None:
            slope = slope + self._pull(X, labels)
        return np.asarray(slope + weights**2 - 1.0)

    def _pull(self, X: Matrix, labels: Labels) -> Array:
        """What the broken links add to the gradient."""
        assert self.links is not None
        same = labels[self.links.left] == labels[self.links.right]
        broken = self.links.where(same != self.links.together)
        left, right = X[broken.left], X[broken.right]
        cosines = _products(X, broken)
        signs = np.where(broken.together, -1.0, np.where(cosines > 0, 1.0, 0.0)) * broken.weights
        both = left.multiply(right) if sp.issparse(X) else left * right
        own = (_squares(left) + _squares(right)).T @ (signs * cosines)
        return np.asarray(both.T @ signs - 0.5 * own)


def _penalties(X: Matrix, links: Links) -> Array:
    """The distance of the documents of each must-link, the cosine of those of each cannot-link."""
    cosines = _products(X, links)
    return np.where(links.together, 1.0 - cosines, np.maximum(cosines, 0.0))


def _squares(X: Matrix) -> Matrix:
    return X.multiply(X) if sp.issparse(X) else X * X


def _products(X: Matrix, links: Links) -> Array:
    """The cosine of the two documents of each link."""
    left, right = X[links.left], X[links.right]
    both = left.multiply(right) if sp.issparse(X) else left * right
    return np.asarray(both.sum(axis=1), dtype=np.float64).ravel()
