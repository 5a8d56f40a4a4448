"""Rules that label linked documents together, given what each cluster costs each of them."""

from __future__ import annotations

from textclust.supervision.inference.icm import icm
from textclust.supervision.inference.propagation import belief_propagation
from textclust.supervision.inference.relaxation import lp_relaxation

__all__ = ["INFERENCES"]

INFERENCES = {"icm": icm, "bp": belief_propagation, "lp": lp_relaxation}
