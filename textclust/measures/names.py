"""The measures that compare labels with known classes, by name.

The command line lists them, so they are named here without numpy; each is a function of
`textclust.metrics`.
"""

from __future__ import annotations

import enum

__all__ = ["Measure"]


class Measure(enum.StrEnum):
    """How well labels agree with known classes."""

    NMI = "nmi"
    PAIRWISE_F1 = "pairwise_f1"
    PAIRWISE_PRECISION = "pairwise_precision"
    PAIRWISE_RECALL = "pairwise_recall"
    RAND_INDEX = "rand_index"
    ADJUSTED_RAND_INDEX = "adjusted_rand_index"
    WEIGHTED_RAND_INDEX = "weighted_rand_index"
    COMPLEMENTED_ENTROPY = "complemented_entropy"
    ERROR_RATE = "error_rate"
