"""Rules that label linked documents together, given what each cluster costs each of them."""

from __future__ import annotations

from textclust.registry import Places

__all__ = ["INFERENCES"]

INFERENCES = Places(
    "inference",
    {
        "icm": "textclust.supervision.inference.icm:icm",
        "bp": "textclust.supervision.inference.propagation:belief_propagation",
        "lp": "textclust.supervision.inference.relaxation:lp_relaxation",
    },
)
