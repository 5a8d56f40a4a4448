"""Which clusters rise, fall, are new or have vanished, by more than chance explains.

If dates meant nothing, the m documents of a cluster would be any m of all. Four chances are
bounded for each cluster:

rising, falling   that so many of them are of the later half of all documents, or so few; where it
                  has most of all documents, that of the others (Chernoff, see `chance`)
new               that all are of the last period: its share to the power of m
vanished          that none is later than the last one of them: the share up to there, likewise

The 4k bounds together are held against one in twenty (Holm 1979). So where dates mean nothing,
anything is said of one collection in twenty at most, however small its clusters or uneven its
periods. Documents that come in threads depend on one another; there, chance explains more.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date

import numpy as np

from textclust.geometry.affine import Array
from textclust.result.chance import tail_nats
from textclust.result.periods import within

__all__ = ["KINDS", "Trend", "halves", "trends"]

KINDS = ("new", "vanished", "rising", "falling")
_BY_CHANCE = 0.05  # that anything is said where dates mean nothing


@dataclass(frozen=True)
class Trend:
    """What becomes of one cluster."""

    cluster: int
    kind: str
    earlier: float  # its share of the documents in the earlier half of them
    later: float
    when: date | None  # the period that it is new in, or the last one with a document of it

    def in_words(self, freq: str) -> str:
        """The same as words to follow its name."""
        if self.when is None:
            return f"{self.kind}, from {self.earlier:.1%} to {self.later:.1%}"
        if self.kind == "new":
            return f"new {within(self.when, freq)}"
        return f"vanished, the last {within(self.when, freq)}"

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        shares = {"earlier": round(self.earlier, 6), "later": round(self.later, 6)}
        when = None if self.when is None else self.when.isoformat()
        return {**asdict(self), **shares, "when": when}


def halves(sizes: Array) -> int:
    """The period that the later half of the documents begins with, as near as periods allow."""
    before = np.cumsum(sizes.sum(axis=0))[:-1]
    return int(np.argmin(np.abs(2 * before - sizes.sum()))) + 1 if len(before) else 0


def trends(sizes: Array, periods: list[date]) -> list[Trend]:
    """What can be said of clusters with these numbers of documents, k x periods."""
    if len(periods) < 2 or not sizes.any():
        return []
    middle = halves(sizes)
    clear = _holm(_nats(sizes, middle))
    parts = np.stack([sizes[:, :middle].sum(axis=1), sizes[:, middle:].sum(axis=1)])
    shares = parts / np.maximum(parts.sum(axis=1, keepdims=True), 1)
    found = []
    for h, of_cluster in enumerate(clear.T):
        if of_cluster.any():
            kind = KINDS[int(np.argmax(of_cluster))]
            last = periods[int(np.flatnonzero(sizes[h])[-1])]
            when = last if kind in ("new", "vanished") else None
            found.append(Trend(h, kind, float(shares[0, h]), float(shares[1, h]), when))
    return found


def _nats(sizes: Array, middle: int) -> Array:
    """Minus the logarithms of the four bounds, 4 x k, in the order of KINDS."""
    totals, own = sizes.sum(axis=0), sizes.sum(axis=1)
    n, later = totals.sum(), totals[middle:].sum()
    late = sizes[:, middle:].sum(axis=1)
    most = 2 * own > n
    moved = tail_nats(np.where(most, later - late, late), np.where(most, n - own, own), later / n)
    up, down = late * n > own * later, late * n < own * later
    up_to = np.cumsum(totals) / n
    last = np.where(sizes > 0, np.arange(len(totals)), 0).max(axis=1)
    is_new = (sizes[:, :-1] == 0).all(axis=1) & (own > 0)
    is_gone = (sizes[:, -1] == 0) & (own > 0)
    tiny = np.finfo(float).tiny
    return np.stack(
        [
            np.where(is_new, -own * np.log(max(totals[-1] / n, tiny)), 0.0),
            np.where(is_gone, -own * np.log(np.maximum(up_to[last], tiny)), 0.0),
            np.where(up, moved, 0.0),
            np.where(down, moved, 0.0),
        ]
    )


def _holm(nats: Array) -> Array:
    """Which of all these are clear, the clearest first, as long as each is."""
    order = np.argsort(-nats, axis=None, kind="stable")
    needed = np.log(np.arange(nats.size, 0, -1) / _BY_CHANCE)
    clear = np.zeros(nats.size, dtype=bool)
    clear[order] = np.logical_and.accumulate(nats.ravel()[order] >= needed)
    return clear.reshape(nats.shape)
