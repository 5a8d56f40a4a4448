"""The M-step that learns the width of a Gaussian kernel (Yan and Domeniconi 2006, section 3).

    J(sigma) = sum_h sum_{i,j in h} (1 - K_ij) / |h|
             + sum of 2 w (1 - K_ij) over violated must-links
             + sum of 2 w (K_ij - K_far) over joined cannot-links
             - sum_i 2 (1 - K_ir)

with K_ij = exp(-|x_i - x_j|^2 / (2 sigma^2)) and K_far that of the two documents farthest from
each other. The last sum keeps sigma from growing without end, which would make everything the
same; x_r is a document at random in the paper, and here the mean over all of them unless that is
asked for. Where the print of (2) and (6) has cannot-links with l_i != l_j, those with l_i = l_j
are meant, as in (3), and the derivative of K_far is subtracted.

The last sum does not depend on labels: every document pays its share of it as a toll, so that J
is the energy of the loop. A step goes down the gradient, (6), at most half of sigma at once, and
half as far again and again until J has fallen as it should (Armijo's rule). For two clusters J
is lowest where no two documents are alike at all, so sigma^2 stays above a 64th of the median
squared distance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.feature_space import InFeatureSpace
from textclust.geometry.similarity import KernelFunction, KernelValues
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["WidthLearner", "WidthObjective", "median_squared_distance", "width_of"]

_HALVINGS = 12  # of a step
_NARROWEST_SHARE = 1 / 64  # of the median squared distance, for sigma squared
_ENOUGH = 1e-4  # of the fall that the slope promises
_ENTRIES = 1 << 20  # of a table looked at together
_NOISE = 1e-12  # of the numbers that make up J


@dataclass(frozen=True, eq=False)
class WidthLearner:
    """Learns sigma from clusters and the links they break."""

    rows: Matrix
    squares: Array  # n x n: |x_i - x_j|^2
    masses: Array  # of the documents
    reference: Array  # the share of each document in x_r
    links: Links | None = None
    inference: str = "icm"

    def at(self, width: float, problem: Problem) -> Problem:
        """The problem under a kernel of this width."""
        gram = _kernel(self.squares, width)
        seen = KernelValues(KernelFunction("rbf", width), self.rows)
        mass = float(self.masses.sum())
        toll = -2.0 * (1.0 - float(self.masses @ (gram @ self.reference)) / mass)
        space = InFeatureSpace(gram, seen, masses=self.masses, toll=toll)
        interaction = None
        if self.links is not None:
            interaction = Potts(self.links.times(self.penalties(width)), self.inference)
        return replace(problem.learned(space, interaction), learner=self)

    def learn(self, problem: Problem, partition: Partition) -> Problem:
        """The problem under the width of a step down the slope of J; the same at its foot."""
        before, objective = (
            width_of(problem.distortion),
            WidthObjective(self, partition.known_labels, problem.k),
        )
        energy, slope = objective.energy(before), objective.slope(before)
        step = min(0.5 * before, max(before - self.least, 0.0)) if slope > 0 else -0.5 * before
        for _ in range(_HALVINGS if step else 0):
            fall = energy - objective.energy(before - step)
            if fall > max(_ENOUGH * step * slope, _NOISE * objective.size):
                return self.at(before - step, problem)
            step /= 2
        return problem

    @cached_property
    def least(self) -> float:
        """The narrowest kernel that still makes some documents more alike than others."""
        return float(np.sqrt(_NARROWEST_SHARE * median_squared_distance(self.squares, self.masses)))

    def penalties(self, width: float) -> Array:
        """What breaking each link of weight 1 costs: |phi_i - phi_j|^2, or what it lacks."""
        assert self.links is not None
        near = _kernel(self.squares[self.links.left, self.links.right], width)
        far = _kernel(self.squares.max(), width)
        return 2.0 * np.where(self.links.together, 1.0 - near, near - far)


def median_squared_distance(squares: Array, masses: Array) -> float:
    """The median squared distance of two documents of any weight; 1 where they are all the same."""
    there = masses > 0
    typical = np.median(squares if there.all() else squares[there][:, there])
    return float(typical or squares.mean() or 1.0)


def width_of(space: Distortion) -> float:
    """The width of the kernel of a feature space."""
    assert isinstance(space, InFeatureSpace)
    assert isinstance(space.similarity, KernelValues)
    return space.similarity.kernel.width


class WidthObjective:
    """J as a function of sigma, for clusters that stand still: a constant - sum_ij a_ij K_ij."""

    def __init__(self, learner: WidthLearner, labels: Labels, k: int) -> None:
        self._learner, self._labels, masses = learner, labels, learner.masses
        sizes = np.bincount(labels, masses, k)
        self._shares = masses / np.where(sizes > 0, sizes, 1.0)[labels]
        self._constant = -float(masses.sum())
        self._squares, self._factors = np.zeros(0), np.zeros(0)
        if learner.links is not None:
            self._add_broken(learner.links)
        self.size = 4.0 * float(masses.sum()) + float(np.abs(self._factors).sum())

    def _add_broken(self, links: Links) -> None:
        """The links that the labels break, and the farthest two, that cannot-links look to."""
        same = self._labels[links.left] == self._labels[links.right]
        broken = links.where(same != links.together)
        signed = np.where(broken.together, 2.0, -2.0) * broken.weights
        self._constant += float(signed[broken.together].sum())
        far = -float(signed[~broken.together].sum())
        squares = self._learner.squares
        self._squares = np.append(squares[broken.left, broken.right], squares.max())
        self._factors = np.append(signed, far)

    def energy(self, width: float) -> float:
        """J."""
        return self._constant - self._sum(lambda squares: _kernel(squares, width))

    def slope(self, width: float) -> float:
        """Its derivative: eq. (6)."""
        return -self._sum(lambda squares: _kernel(squares, width) * squares / width**3)

    def _sum(self, of: Callable[[Array], Array]) -> float:
        """The sum of a_ij times something of each squared distance, a block of rows at a time."""
        learner, labels = self._learner, self._labels
        total = float(self._factors @ of(self._squares))
        step = max(1, _ENTRIES // len(labels))
        for begin in range(0, len(labels), step):
            rows = slice(begin, begin + step)
            factors = np.where(labels[rows, None] == labels, self._shares, 0.0)
            factors -= 2.0 * learner.reference
            values = of(learner.squares[rows])
            total += float(learner.masses[rows] @ np.einsum("ij,ij->i", factors, values))
        return total


def _kernel(squares: Array, width: float) -> Array:
    return np.exp(squares * (-0.5 / width**2))
