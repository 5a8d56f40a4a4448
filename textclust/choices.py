"""Names that the library and the command line share; nothing heavy is imported for them."""

from __future__ import annotations

import enum

__all__ = ["DistortionName", "Linkage"]


class DistortionName(enum.StrEnum):
    """The distance that clusters are made with."""

    EUCLIDEAN = "euclidean"
    COSINE = "cosine"
    KL = "kl"
    I_DIVERGENCE = "i-divergence"
    ITAKURA_SAITO = "itakura-saito"


class Linkage(enum.StrEnum):
    """How far two clusters of documents are from each other, in a hierarchy."""

    AVERAGE = "average"
    COMPLETE = "complete"
    SINGLE = "single"
    WARD = "ward"
