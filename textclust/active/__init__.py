"""Which pairs of documents to ask about next, and what the answers add up to.

`EXPLORING` and `CONSOLIDATING` are the one list of query strategies, by phase (Basu 2005, 5.2 and
5.3); a strategy is a function from a `State` to the next `Question`.
"""

from __future__ import annotations

from textclust.registry import Registry

__all__ = ["CONSOLIDATING", "EXPLORING", "SPACES"]

EXPLORING = Registry(
    "strategy of exploring",
    {
        "farthest": "textclust.active.explore:explore",
        "dense": "textclust.active.explore:explore_dense",
    },
)
CONSOLIDATING = Registry(
    "strategy of consolidating",
    {
        "typical": "textclust.active.consolidate:consolidate_typical",
        "uncertain": "textclust.active.consolidate:consolidate_uncertain",
        "random": "textclust.active.consolidate:consolidate",
        "farthest": "textclust.active.consolidate:consolidate_farthest",
    },
)
SPACES = ("full", "latent")  # where distances are measured
