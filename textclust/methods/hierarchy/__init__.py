"""Trees of merges, and the clusters they are cut into."""

from __future__ import annotations

__all__ = ["LINKAGES"]

LINKAGES = ("average", "complete", "single", "ward")  # how far apart two clusters are
