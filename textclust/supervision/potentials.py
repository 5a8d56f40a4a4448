"""What supervision adds to the energy: costs of clusters U, and interactions V of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable

__all__ = ["Interaction", "Unary"]


@dataclass(frozen=True)
class Unary:
    """U: what each cluster costs some of the documents on top; infinity forbids it."""

    documents: Labels  # ascending row numbers
    costs: Array  # one row for each of the documents, one column for each cluster

    def subset(self, rows: Labels) -> Unary:
        """The same for some rows alone, which ascend, by their place among them."""
        _, place, here = np.intersect1d(rows, self.documents, return_indices=True)
        return Unary(place, self.costs[here])

    def clamped(self) -> tuple[Labels, Labels]:
        """The documents that one cluster alone is open to, and that cluster."""
        is_open = np.isfinite(self.costs)
        only = is_open.sum(axis=1) == 1
        return self.documents[only], is_open[only].argmax(axis=1)


class Interaction(Protocol):
    """V: what the labels of some documents cost one another."""

    documents: Labels  # ascending row numbers

    def subset(self, rows: Labels) -> Interaction:
        """The same between some rows alone, which ascend, by their place among them."""

    def neighbourhoods(self) -> list[Labels]:
        """Rows that V keeps together, the largest sets first."""

    def cannot_linked_to_all(self, groups: list[Labels]) -> int | None:
        """A row that must not be with any of these sets, if there is one."""

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""

    def pushes(self, labels: Labels, k: int) -> Array:
        """What each cluster costs each of `documents` while the others keep their labels.

        Only differences within a row mean something.
        """

    def infer(self, costs: CostTable, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels whose costs plus V are no higher than those of `labels`."""
