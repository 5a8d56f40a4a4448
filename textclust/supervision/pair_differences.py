"""Links that know how far apart their documents are, and cost what that distance says.

Basu, Bilenko and Mooney 2003, 2.4: to part two documents that must be together is the worse
the closer they are, to join two that cannot be is the worse the farther apart they are,

    f_M = max(alpha_min, alpha_max - |x_i - x_j|_A^2)
    f_C = min(alpha_min + |x_i - x_j|_A^2, alpha_max)

The two bounds are fractions of the largest squared distance of a must-link under the same
metric A, as the paper proposes; where no two must-linked documents differ, of a cannot-link. So
penalties grow with the metric as all distances do. The experiments of the paper have alpha_min
= 0 and alpha_max = 1 (4.1): then the longest must-link costs nothing to break, however much it
weighs, and neither does a cannot-link between two documents that are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.weighted import squares
from textclust.supervision.links import Links

__all__ = ["PRINTED", "Bounds", "PairDifferences"]


class Bounds(NamedTuple):
    """alpha_min and alpha_max, as fractions of the largest squared must-link distance."""

    least: float
    most: float

    def checked(self) -> Bounds:
        """The same, or an InputError if they are the wrong way round."""
        if self.least > self.most:
            raise InputError(
                f"alpha_min={self.least:g} is above alpha_max={self.most:g}; a penalty lies "
                "between the two, so lower the one or raise the other"
            )
        return self


PRINTED = Bounds(0.0, 1.0)


@dataclass(frozen=True, eq=False)
class PairDifferences:
    """Links, and the squared difference of their two documents in every term.

    Under a full matrix, the product of the differences in every two terms.
    """

    links: Links
    squares: Matrix  # a row for each link, sparse where the documents are
    bounds: Bounds = PRINTED

    @classmethod
    def of(
        cls,
        X: Matrix,
        links: Links,
        bounds: Bounds = PRINTED,
        squared: Callable[[Matrix], Matrix] = squares,
    ) -> PairDifferences:
        """The links between rows of X; `squared` is what a metric weighs of a difference."""
        apart = X[links.left] - X[links.right]
        return cls(links, squared(apart.astype(np.float64, copy=False)), bounds)

    def penalties(self, metrics: Array) -> Array:
        """f of each link under each metric, a row of weights of squares: m x g."""
        distances, longest = self._measured(metrics)
        least, most = (bound * longest for bound in self.bounds)
        separated = np.maximum(least, most - distances)
        joined = np.minimum(least + distances, most)
        return np.where(self.links.together[:, None], separated, joined)

    def slopes(self, metrics: Array) -> Array:
        """How each f changes with its distance, alpha standing still: -1, 1, 0 at a threshold."""
        distances, longest = self._measured(metrics)
        inside = distances < (self.bounds.most - self.bounds.least) * longest
        return np.where(self.links.together[:, None], -1.0, 1.0) * inside

    def _measured(self, metrics: Array) -> tuple[Array, Array]:
        """The squared length of each link under each metric, and that of the longest must-link."""
        distances = np.asarray(self.squares @ metrics.T)
        longest = distances[self.links.together].max(axis=0, initial=0.0)
        return distances, np.where(longest > 0, longest, distances.max(axis=0, initial=0.0))
