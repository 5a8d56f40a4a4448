"""The evidence for one number of clusters."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EvidenceRow"]


@dataclass(frozen=True)
class EvidenceRow:
    """A line of the table. Stability and links kept have two digits, those that are shown."""

    k: int
    bic: float  # the lower the better, as the next two
    mdl: float
    mml: float
    gap: float  # the higher the better, within its error
    gap_error: float
    stability: float | None  # 1 is perfect, 0 is chance; of one cluster it says nothing
    links_kept: float | None  # the share of links kept, where any were given
    links_error: float | None
    smallest: int  # documents in the smallest cluster
