"""Links that know how far apart their documents are, and cost what that distance says.

Basu, Bilenko and Mooney 2003, 2.4: to part two documents that must be together is the worse
the closer they are, to join two that cannot be is the worse the farther apart they are,

    f_M = max(0, alpha - |x_i - x_j|_A^2)        f_C = min(|x_i - x_j|_A^2, alpha),

with alpha the largest squared distance of a must-link under the same metric A; where no two
must-linked documents differ, of a cannot-link. So penalties grow with the metric as all
distances do, and the must-link of the largest distance costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.links import Flags, Links

__all__ = ["Spans"]


@dataclass(frozen=True, eq=False)
class Spans:
    """Links, and the squared difference of their two documents in every term."""

    links: Links
    squares: Matrix  # a row for each link, sparse where the documents are

    @classmethod
    def of(cls, X: Matrix, links: Links) -> Spans:
        """The links between rows of X."""
        apart = X[links.left] - X[links.right]
        apart = apart.astype(np.float64, copy=False)
        return cls(links, apart.multiply(apart).tocsr() if sp.issparse(X) else apart * apart)

    def broken(self, labels: Labels) -> Flags:
        """Which links these labels break."""
        same = labels[self.links.left] == labels[self.links.right]
        return np.asarray(same != self.links.together)

    def penalties(self, metrics: Array) -> Array:
        """f of each link under each metric, a row of weights: m x g."""
        distances, alpha = self._measured(metrics)
        parted, joined = np.maximum(alpha - distances, 0.0), np.minimum(distances, alpha)
        return np.where(self.links.together[:, None], parted, joined)

    def slopes(self, metrics: Array) -> Array:
        """How each f changes with its distance, alpha standing still: -1, 1, 0 at a threshold."""
        distances, alpha = self._measured(metrics)
        return np.where(self.links.together[:, None], -1.0, 1.0) * (distances < alpha)

    def _measured(self, metrics: Array) -> tuple[Array, Array]:
        """The squared length of each link under each metric, and alpha."""
        distances = np.asarray(self.squares @ metrics.T)
        alpha = distances[self.links.together].max(axis=0, initial=0.0)
        return distances, np.where(alpha > 0, alpha, distances.max(axis=0, initial=0.0))
