"""The generalised Potts potential of Basu 2005, 4.2 and 4.3."""

from __future__ import annotations

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.components import neighbourhoods
from textclust.supervision.couplings import Couplings
from textclust.supervision.inference import INFERENCES
from textclust.supervision.links import Links

__all__ = ["Potts"]


class Potts:
    """V: a broken link costs its weight, links of the same pair add up (eq. 4.4, 4.10).

        V(y) = sum of w over must-links with y_i != y_j  +  over cannot-links with y_i = y_j

    `inference` names the rule of the E-step: "icm" (4.4.4), "bp" (A.1) or "lp" (A.2).
    """

    def __init__(self, links: Links, inference: str = "icm") -> None:
        if inference not in INFERENCES:
            known = ", ".join(INFERENCES)
            raise InputError(f"inference must be one of {known}; got {inference!r}")
        self.documents = links.documents
        self.inference = inference
        self._given = links
        self._links = links.within()
        self._couplings = Couplings(self._links, len(self.documents))

    def subset(self, rows: Labels) -> Potts:
        """The same restricted to some rows, given in ascending order, by their position."""
        inside = np.isin(self._given.left, rows) & np.isin(self._given.right, rows)
        links = self._given.where(inside)
        left, right = (np.searchsorted(rows, ends) for ends in (links.left, links.right))
        return Potts(Links(left, right, links.together, links.weights), self.inference)

    def neighbourhoods(self) -> list[Labels]:
        """The rows that must-links join, the largest sets first."""
        return neighbourhoods(self._given.where(self._given.together))

    def cannot_linked_to_all(self, groups: list[Labels]) -> int | None:
        """The first row that has a cannot-link to each of these sets of rows."""
        apart = self._given.where(~self._given.together)
        from_, to = (
            np.concatenate([apart.left, apart.right]),
            np.concatenate([apart.right, apart.left]),
        )
        found = np.unique(from_)
        for group in groups:
            found = found[np.isin(found, from_[np.isin(to, group)]) & ~np.isin(found, group)]
        return int(found[0]) if len(found) else None

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""
        links = self._links
        broken = (labels[links.left] == labels[links.right]) != links.together
        return float(links.weights[broken].sum())

    def pushes(self, labels: Labels, k: int) -> Array:
        """What each cluster costs each of `documents` while the others keep their labels."""
        return self._couplings.penalties(np.arange(len(labels)), labels, k)

    def infer(self, costs: CostTable | Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels whose costs plus V are no higher than those of `labels`."""
        return INFERENCES[self.inference](costs, self._couplings, labels, rng)
