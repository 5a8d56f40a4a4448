"""The vote: from the evidence for each number of clusters to one number, in plain words.

What comes back is what there is: on texts, clusters that two halves of the collection agree on
have been the best witness by far. A coarser grouping of well separated groups comes back too,
so more clusters need not be quite as stable to be preferred. Links that were given count beside
it, the more the surer they are. The penalised criteria and the gap have no vote where there is
a stable answer: on texts most of them go on to ever more clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array
from textclust.selection.criteria import first_within_error

__all__ = ["Row", "Verdict", "verdict"]

_FINENESS = 0.07  # of stability, that 2.7 times as many clusters may cost
_STABLE = 0.5  # below, a clustering is more chance than not
_SURE = 0.05  # an error of the links kept up to which they count in full


@dataclass(frozen=True)
class Row:
    """The evidence for one number of clusters."""

    k: int
    bic: float  # the lower the better, as the next two
    mdl: float
    mml: float
    gap: float  # the higher the better, within its error
    gap_error: float
    stability: float  # from 0 to 1
    links_kept: float | None  # the share of links kept, where any were given
    links_error: float | None
    smallest: int  # documents in the smallest cluster


@dataclass(frozen=True)
class Verdict:
    """The number chosen, why, and what each criterion would choose."""

    k: int
    reason: str
    picks: dict[str, int]


def verdict(rows: Sequence[Row]) -> Verdict:
    """What the evidence speaks for."""
    picks = _picks(rows)
    stability = np.array([row.stability for row in rows])
    is_stable = stability.max() >= _STABLE
    links = _links(rows)
    if not is_stable and links is None:
        return Verdict(picks["bic"], _doubtful(rows, picks["bic"]), picks)
    score = stability + _FINENESS * np.log([row.k for row in rows]) if is_stable else 0.0
    chosen = int(np.argmax(score + (0.0 if links is None else links)))
    return Verdict(rows[chosen].k, _told(rows, chosen), picks)


def _picks(rows: Sequence[Row]) -> dict[str, int]:
    """What each criterion would choose by itself."""
    picks = {}
    for name in ("bic", "mdl", "mml"):
        picks[name] = rows[int(np.argmin([getattr(row, name) for row in rows]))].k
    gaps, errors = (np.array([getattr(row, name) for row in rows]) for name in ("gap", "gap_error"))
    picks["gap"] = rows[first_within_error(gaps, errors)].k
    picks["stability"] = rows[int(np.argmax([row.stability for row in rows]))].k
    if rows[0].links_kept is not None:
        picks["links"] = rows[int(np.argmax([row.links_kept or 0.0 for row in rows]))].k
    return picks


def _links(rows: Sequence[Row]) -> Array | None:
    """What the links kept count for each number; None without links."""
    if rows[0].links_kept is None:
        return None
    error = float(np.mean([row.links_error or 0.0 for row in rows]))
    weight = min(1.0, _SURE / max(error, np.finfo(float).tiny))
    return weight * np.array([row.links_kept or 0.0 for row in rows])


def _told(rows: Sequence[Row], chosen: int) -> str:
    row = rows[chosen]
    words = (
        f"{row.k} clusters: two halves of the documents agree on them at {row.stability:.2f} "
        "(1 is in everything, 0 as by chance)"
    )
    if row.links_kept is not None:
        words += f", and they keep {row.links_kept:.0%} of the links of each kind on average"
    return words + _next_best(rows, chosen) + _at_the_end(rows, chosen)


def _next_best(rows: Sequence[Row], chosen: int) -> str:
    """Another number that is as stable, if there is one."""
    bound = rows[chosen].stability - 0.02
    others = [str(row.k) for i, row in enumerate(rows) if i != chosen and row.stability >= bound]
    return f"; about as stable: {', '.join(others[:3])}" if others else ""


def _at_the_end(rows: Sequence[Row], chosen: int) -> str:
    if chosen < len(rows) - 1 or len(rows) == 1:
        return ""
    return "; it is the largest number looked at, look further"


def _doubtful(rows: Sequence[Row], k: int) -> str:
    best = max(rows, key=lambda row: row.stability)
    return (
        f"{k} clusters, by BIC alone: no number comes back when half of the documents is left out "
        f"({best.k} agrees most, at {best.stability:.2f}); a few links or questions would tell more"
    )
