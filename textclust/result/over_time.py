"""How many documents each cluster has in each period, and which of its terms are rising.

A period is a day, a week from Monday, a month, a quarter or a year, in UTC. A term rises in a
period of a cluster where more of the documents of the cluster that hold it fall into this period,
and not into an earlier one, than would by chance: one in twenty, shared out among all terms of the
period that are tested. So with dates that mean nothing hardly any term rises (`textclust reproduce
rising`). The first documents of a cluster have nothing to rise from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.grouped_sums import sums_and_counts
from textclust.result.chance import tail_nats
from textclust.result.periods import FREQUENCIES, number_of, starts_of
from textclust.result.trends import Trend, halves, trends

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["OverTime", "over_time", "terms_over_time"]

_AUTO = ("day", "week", "month", "year")
_MOST_PERIODS = 31  # that "auto" takes for nearly all documents
_MOST_OF_ALL = 120  # and for all
_ENDS = 100  # one document in so many at either end may lie far from all others
_BY_CHANCE = 0.05  # how likely a single one of all terms of a period is to rise by chance
_FEWEST = 3  # documents of a period that hold a rising term
_RISING = 4


@dataclass(frozen=True)
class OverTime:
    """The clusters in all periods from the first document to the last, empty ones too."""

    freq: str
    periods: list[date]  # the first day of each
    sizes: Array  # k x periods
    rising: list[list[tuple[str, ...]]]  # of each cluster in each period, the strongest first
    undated: int  # documents without a date
    outside: int = 0  # documents with a date in none of the periods

    @property
    def shown(self) -> OverTime:
        """The same of all but a hundredth at either end, where those take half of the room."""
        documents = np.cumsum(self.sizes.sum(axis=0))
        total = int(documents[-1])
        cut = total // _ENDS
        first, last = np.searchsorted(documents, (cut, total - 1 - cut), side="right").tolist()
        if not 1 < last + 1 - first < len(self.periods) / 2:
            return self
        kept = slice(first, last + 1)
        sizes = self.sizes[:, kept]
        rising = [each[kept] for each in self.rising]
        outside = self.outside + total - int(sizes.sum())
        return replace(
            self, periods=self.periods[kept], sizes=sizes, rising=rising, outside=outside
        )

    @property
    def middle(self) -> date | None:
        """What the later half of the documents begins with; None where there is one period."""
        return self.periods[halves(self.sizes)] if len(self.periods) > 1 else None

    @property
    def trends(self) -> list[Trend]:
        """Which clusters rise, fall, are new in the last period or have vanished."""
        return trends(self.sizes, self.periods)


def over_time(clustering: Clustering, freq: str = "auto") -> OverTime:
    """The course of all clusters; an InputError where no document has a date.

    "auto" is the finest of days, weeks, months and years of which there are no more than 31, a
    hundredth of the documents at either end left out.
    """
    if freq not in (*FREQUENCIES, "auto"):
        known = ", ".join(map(repr, FREQUENCIES))
        raise InputError(f"freq must be {known} or 'auto'; got {freq!r}")
    rows, days = _dated(clustering)
    if freq == "auto":
        freq = next((each for each in _AUTO if _suits(days, each)), "year")
    numbers = number_of(days, freq)
    first, count = int(numbers.min()), int(np.ptp(numbers)) + 1
    labels, when = clustering.labels[rows], numbers - first
    sizes = np.zeros((clustering.k, count), dtype=np.intp)
    np.add.at(sizes, (labels, when), 1)
    vocabulary = clustering.vectorizer.readable_terms()
    cells = np.full(len(clustering.labels), -1)
    cells[rows] = labels * count + when
    _, frequencies = sums_and_counts(clustering.texts, cells, sizes.size)
    rising = [
        [
            tuple(vocabulary[t] for t in found)
            for found in _rising(frequencies[h * count : (h + 1) * count], sizes[h])
        ]
        for h in range(clustering.k)
    ]
    starts = starts_of(np.arange(first, first + count), freq)
    undated = sum(moment is None for moment in clustering.dates or ())
    return OverTime(freq, starts, sizes, rising, undated)


def terms_over_time(
    clustering: Clustering, found: OverTime, n: int = 5
) -> list[list[tuple[str, ...]]]:
    """The n terms that weigh most in the documents of each cluster in each of its periods."""
    rows, days = _dated(clustering)
    numbers, many = number_of(days, found.freq), len(found.periods)
    first = int(number_of(np.array(found.periods[:1], dtype="datetime64[D]"), found.freq)[0])
    inside = (numbers >= first) & (numbers < first + many)
    cells = clustering.labels[rows[inside]] * many + numbers[inside] - first
    shape = (clustering.k * many, int(inside.sum()))
    of_cell = sp.csr_array((np.ones(shape[1]), (cells, np.arange(shape[1]))), shape)
    weights = (of_cell @ clustering.texts[rows[inside]]).tocsr()
    weights.sort_indices()
    vocabulary = clustering.vectorizer.readable_terms()
    leading = []
    for begin, end in pairwise(weights.indptr.tolist()):
        order = np.argsort(-weights.data[begin:end], kind="stable")[:n]
        leading.append(tuple(vocabulary[t] for t in weights.indices[begin:end][order]))
    return [leading[h * many : (h + 1) * many] for h in range(clustering.k)]


def _dated(clustering: Clustering) -> tuple[Labels, Array]:
    """The rows that have a date and a cluster, and their days."""
    moments = clustering.moments
    if moments is None:
        raise InputError(
            "no document has a date: name a column with date=, or give dates= to Documents"
        )
    rows = np.flatnonzero(~np.isnat(moments))
    rows = rows[clustering.labels[rows] >= 0]
    if not len(rows):
        raise InputError(
            "every document with a date is an outlier; there is nothing to show over time"
        )
    return rows, moments[rows].astype("datetime64[D]")


def _suits(days: Array, freq: str) -> bool:
    """Whether there are not too many such periods to look at."""
    numbers = np.sort(number_of(days, freq))
    cut = len(numbers) // _ENDS
    few = np.ptp(numbers[cut : len(numbers) - cut]) < _MOST_PERIODS
    return bool(few and np.ptp(numbers) < _MOST_OF_ALL)


def _rising(frequencies: Matrix, documents: Array) -> list[Sequence[int]]:
    """The columns that rise in each period of one cluster, by how many documents hold them."""
    before, so_far, found = np.zeros(frequencies.shape[1]), 0, list[Sequence[int]]()
    for period in range(len(documents)):
        part = slice(*frequencies.indptr[period : period + 2])
        terms, now = frequencies.indices[part], frequencies.data[part]
        often = np.flatnonzero(now >= _FEWEST)
        clear = _clear(now[often], before[terms[often]], documents[period], so_far)
        found.append(terms[often[clear]].tolist())
        before[terms] += now
        so_far += int(documents[period])
    return found


def _clear(now: Array, before: Array, n_now: int, n_before: int) -> Array:
    """The places of those that are more often than by chance, the clearest first.

    Of n that hold a term a binomial number falls into this period.
    """
    if not n_before or not len(now):
        return np.zeros(0, dtype=np.intp)
    share, part = n_now / (n_now + n_before), now / (now + before)
    more = np.flatnonzero(part > share)
    nats = tail_nats(now[more], now[more] + before[more], share)
    order = np.argsort(-nats, kind="stable")[:_RISING]
    return more[order[nats[order] >= np.log(len(now) / _BY_CHANCE)]]
