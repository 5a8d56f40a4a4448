"""What can be chosen about asking, by name: for `ExploreConsolidate` and the command line.

Here and not beside the strategies, so that the command line can list the names without numpy.
"""

from __future__ import annotations

import enum

__all__ = ["Consolidating", "Exploring", "Space"]


class Space(enum.StrEnum):
    """Where distances are measured."""

    AUTO = "auto"
    FULL = "full"
    LATENT = "latent"


class Exploring(enum.StrEnum):
    """How to look for a document of each cluster."""

    AUTO = "auto"
    FARTHEST = "farthest"
    DENSE = "dense"


class Consolidating(enum.StrEnum):
    """Which document comes next once there is one of each cluster."""

    AUTO = "auto"
    UNCERTAIN = "uncertain"
    RANDOM = "random"
    FARTHEST = "farthest"
