"""What a method asks and what the loop answers.

    E(y, mu) = sum_i w_i [D(x_i, mu_{y_i}) + U_i(y_i)]  +  sum_(i,j) V_ij(y_i, y_j)

A method is a choice of parts: a distortion D, unary potentials U on some documents,
an interaction V between some documents, and a start.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix, Unary

__all__ = ["Interaction", "Problem", "Solution", "Start", "Step"]


class Interaction(Protocol):
    """V: what the labels of some documents cost one another."""

    documents: Labels  # ascending row numbers

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""

    def infer(self, costs: Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels whose costs plus V are no higher than those of `labels`."""


@dataclass(frozen=True)
class Problem:
    """Documents as the distortion prepared them, and everything that bears on their labels."""

    X: Matrix
    distortion: Distortion
    k: int
    weights: Array
    unary: Unary | None = None
    interaction: Interaction | None = None

    @cached_property
    def weighty(self) -> Array:
        """The weights, with nothing for rows that no cluster is nearer to than another."""
        return np.where(self.distortion.without_direction(self.X), 0.0, self.weights)

    @cached_property
    def free(self) -> Array:
        """True for the documents that may move on their own: weighty and without V or U."""
        free = self.weighty > 0
        for potential in (self.unary, self.interaction):
            if potential is not None:
                free[potential.documents] = False
        return free


@dataclass(frozen=True)
class Start:
    """Where the loop begins: prototypes, or labels to take the first prototypes from."""

    prototypes: Array | None = None
    labels: Labels | None = None


@dataclass(frozen=True)
class Step:
    """One iteration: the energy after each half-step, and what moved."""

    assigned: float
    updated: float
    moved: int
    refilled: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """Where the loop came to rest."""

    labels: Labels
    prototypes: Array
    distortion: Distortion
    energy: float
    converged: bool
    n_iter: int
    history: tuple[Step, ...] = field(default=())
