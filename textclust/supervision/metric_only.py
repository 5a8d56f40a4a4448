"""Links that a metric learns from and that do not choose clusters.

Every document goes to its nearest cluster, as in plain k-means, whatever its links say. What the
links then cost is still part of the energy, which must not rise: where the nearest clusters of
the linked documents would raise it, these stay where they are.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.potts import Potts

__all__ = ["MetricOnly"]


class MetricOnly:
    """The V of some links, which the assignment does not look at."""

    def __init__(self, potts: Potts) -> None:
        self.potts, self.documents = potts, potts.documents

    def subset(self, rows: Labels) -> MetricOnly:
        """The same between some rows alone, which ascend, by their place among them."""
        return MetricOnly(self.potts.subset(rows))

    def neighbourhoods(self) -> list[Labels]:
        """None: clusters do not start from links."""
        return []

    def cannot_linked_to_all(self, groups: list[Labels]) -> int | None:
        """None, for the same reason."""
        return None

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""
        return self.potts.energy(labels)

    def pushes(self, labels: Labels, k: int) -> Array:
        """What each cluster costs each of `documents` while the others keep their labels."""
        return self.potts.pushes(labels, k)

    def infer(self, costs: CostTable | Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """The nearest clusters; `labels` where these cost less in all."""
        table = CostTable.of(costs)
        nearest, every = table.cheapest(), np.arange(len(labels))
        exact = table.exactly()
        nearer = float((exact[every, labels] - exact[every, nearest]).sum())
        rise = self.energy(nearest) - self.energy(labels)
        return nearest if rise <= nearer else np.array(labels, dtype=np.intp)
