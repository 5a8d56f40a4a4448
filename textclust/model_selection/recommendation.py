"""From the evidence for each number of clusters to one number.

On texts, stability has been the most reliable criterion by far. A coarse grouping of well
separated groups is stable too, so a larger number may be a little less stable and still be
chosen. Links that were given count beside stability, the more the smaller their error. BIC, MDL,
MML and the gap do not count where a number is stable: on texts most of them choose ever more
clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array
from textclust.model_selection.criteria import first_within_error
from textclust.model_selection.reason import Basis, reason
from textclust.model_selection.row import EvidenceRow

__all__ = ["Recommendation", "recommend"]

_FINENESS = 0.07  # the loss of stability accepted for e times as many clusters
_STABLE = 0.5  # a number below is not chosen where one is above
_SURE = 0.05  # the error of the links kept up to which they count in full


@dataclass(frozen=True)
class Recommendation:
    """The number chosen, why, and what each criterion would choose."""

    k: int
    reason: str
    picks: dict[str, int]


def recommend(rows: Sequence[EvidenceRow], default: range | None = None) -> Recommendation:
    """The number that the rows, in ascending order of k, recommend.

    Where `default`, the range that is looked at unless another is asked for, has numbers that
    the rows lack, the reason says so.
    """
    stability, links = _stability(rows), _links(rows)
    picks = _picks(rows, stability)
    if len(rows) == 1:
        chosen, by = 0, "only"
    elif stability.max() >= _STABLE:
        chosen, by = _best(rows, stability, links), "stability"
    elif links is not None:
        chosen, by = int(np.argmax(links)), "links"
    else:
        chosen, by = int(np.argmin([row.bic for row in rows])), "bic"
    without_links = rows[_best(rows, stability, None)].k if by == "stability" else rows[chosen].k
    basis = Basis(rows, chosen, by, without_links, _FINENESS, _STABLE, default)
    return Recommendation(rows[chosen].k, reason(basis), picks)


def _stability(rows: Sequence[EvidenceRow]) -> Array:
    return np.array([-np.inf if row.stability is None else row.stability for row in rows])


def _links(rows: Sequence[EvidenceRow]) -> Array | None:
    """What the links kept count for each number; None without links."""
    if rows[0].links_kept is None:
        return None
    error = float(np.mean([row.links_error or 0.0 for row in rows]))
    weight = min(1.0, _SURE / max(error, np.finfo(float).tiny))
    return weight * np.array([row.links_kept or 0.0 for row in rows])


def _best(rows: Sequence[EvidenceRow], stability: Array, links: Array | None) -> int:
    """Among the stable numbers, the best by stability, fineness and links."""
    score = stability + _FINENESS * np.log([row.k for row in rows])
    if links is not None:
        score = score + links
    return int(np.argmax(np.where(stability >= _STABLE, score, -np.inf)))


def _picks(rows: Sequence[EvidenceRow], stability: Array) -> dict[str, int]:
    """What each criterion would choose by itself."""
    picks = {}
    for name in ("bic", "mdl", "mml"):
        picks[name] = rows[int(np.argmin([getattr(row, name) for row in rows]))].k
    gaps, errors = (np.array([getattr(row, name) for row in rows]) for name in ("gap", "gap_error"))
    picks["gap"] = rows[first_within_error(gaps, errors)].k
    if stability.max() > -np.inf:
        picks["stability"] = rows[int(np.argmax(stability))].k
    if rows[0].links_kept is not None:
        picks["links"] = rows[int(np.argmax([row.links_kept or 0.0 for row in rows]))].k
    return picks
