"""The generalised Potts potential of Basu 2005, 4.2 and 4.3."""

from __future__ import annotations

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels
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
        self._links = links.within()
        self._couplings = Couplings(self._links, len(self.documents))

    def energy(self, labels: Labels) -> float:
        """V of these labels, given for `documents` in their order."""
        links = self._links
        broken = (labels[links.left] == labels[links.right]) != links.together
        return float(links.weights[broken].sum())

    def infer(self, costs: Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels whose costs plus V are no higher than those of `labels`."""
        return INFERENCES[self.inference](costs, self._couplings, labels, rng)
