"""KL and I-divergence with a weight for every term (Basu, Bilenko and Mooney 2004).

    D_a(x, mu) = sum_m a_m [x_m log(x_m / mu_m) - x_m + mu_m]

It is a Bregman divergence still, so the mean is the prototype and the cost is affine in the
document: weights enter the form alone, and documents stay as they are while weights change.
With weights the difference of x and mu no longer cancels out, for KL neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.divergence import KL, IDivergence
from textclust.geometry.weighted import mismatch_of_weights

__all__ = ["WeightedIDivergence", "WeightedKL"]


@dataclass(frozen=True, eq=False)
class WeightedIDivergence(IDivergence):
    """B = a log(mu) / (1 + alpha); `toll` is what every document pays for the weights."""

    weights: Array = field(kw_only=True)  # d
    toll: float = field(default=0.0, kw_only=True)

    name = "weighted i-divergence"

    @property
    def importance(self) -> Array:
        return self.weights

    def own_costs(self, X: Matrix) -> Array:
        return super().own_costs(X) + self.toll

    def mismatch(self, k: int, d: int) -> str | None:
        return mismatch_of_weights(self.weights, (d,))

    def least_costs(self, labels: Labels) -> Array:
        return np.broadcast_to(self.toll, len(labels))

    def cooled(self) -> Self:
        return self if self.smoothing <= self.floor else super().cooled()


@dataclass(frozen=True, eq=False)
class WeightedKL(WeightedIDivergence, KL):
    """The same for documents as distributions over terms."""

    name = "weighted kl"
