"""How far scores move when the form does, so that most rows need not be looked at again.

score(i, h) = s_h <x_i, B_h> - c_h, and when slopes and offsets change it does so by -dc_h, and by
no more than |x_i| |d(s_h B_h)| beside that (Hamerly 2010 has the same of distances). Whoever
knows that no score of a row's own cluster is below one number and none of another above a second
one moves these two apart or together by that; as long as the first is the larger one, the row
stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels
from textclust.geometry.assignment import Assignment
from textclust.geometry.rows import squared_norms

__all__ = ["BoundedAssignment", "Drift", "LengthBins", "ScaledSlopes"]

_BINS = 64
_ROUNDING = 1e-12  # far beyond that of double precision


class ScaledSlopes(NamedTuple):
    """A form with the scales in its slopes, in memory of its own."""

    slopes: Array  # k x d
    offsets: Array

    @classmethod
    def of(cls, form: AffineForm) -> Self:
        """Those of a form."""
        slopes = np.array(form.slopes, dtype=np.float64, order="C")
        if form.scales is not None:
            with np.errstate(over="ignore", invalid="ignore"):  # then no row is settled
                slopes *= form.scales[:, None]
        return cls(slopes, np.array(form.offsets, dtype=np.float64))

    @property
    def lengths(self) -> Array:
        """|s_h B_h| of each cluster."""
        return np.sqrt(squared_norms(self.slopes))


@dataclass(frozen=True, eq=False)
class BoundedAssignment(Assignment):
    """Labels, with what no score of a row's own cluster is below and none of another above."""

    low: Array
    high: Array
    scaled: ScaledSlopes

    def leads(self, rows: Labels) -> Array:
        with np.errstate(invalid="ignore"):  # beyond float32 nothing is known
            leads = self.low[rows] - self.high[rows]
        leads[np.isnan(leads)] = -np.inf
        return np.asarray(leads)

    def of(self, rows: Labels) -> BoundedAssignment:
        """The same of some of the rows."""
        return replace(self, labels=self.labels[rows], low=self.low[rows], high=self.high[rows])

    def renumbered(self, order: Labels) -> BoundedAssignment:
        scaled = ScaledSlopes(self.scaled.slopes[order], self.scaled.offsets[order])
        labels = np.argsort(order)[self.labels]
        return BoundedAssignment(labels, self.low, self.high, scaled)


class LengthBins:
    """Rows by their length, each with those that are a little longer."""

    def __init__(self, lengths: Array) -> None:
        known = lengths[np.isfinite(lengths)]
        shortest, longest = (known.min(), known.max()) if len(known) else (0.0, 0.0)
        tops = np.linspace(shortest, longest, _BINS + 1)[1:] * (1.0 + _ROUNDING)
        if longest <= shortest * (1.0 + 1e-6):
            tops = tops[-1:]
        self.tops = np.append(tops, np.inf)  # of rows too long for single precision
        self.places = np.searchsorted(self.tops[:-1], lengths).astype(np.intp)


class Drift:
    """What became of the scores of rows of these lengths between two forms."""

    def __init__(self, before: ScaledSlopes, now: ScaledSlopes, bins: LengthBins) -> None:
        self._bins = bins
        with np.errstate(over="ignore", invalid="ignore"):  # of what is infinite nothing is known
            apart = ScaledSlopes(*(new - old for new, old in zip(now, before, strict=True)))
            lost = _ROUNDING * (before.lengths + now.lengths)
            reach = np.outer(bins.tops, apart.lengths * (1.0 + _ROUNDING) + lost)
            reach += _ROUNDING * (np.abs(before.offsets) + np.abs(now.offsets))
        self._raised = apart.offsets
        self._reach = np.where(np.isnan(reach), np.inf, reach)  # bins x k

    def fastest_first(self) -> Labels:
        """The clusters whose scores may have changed most first."""
        longest = self._reach[max(len(self._reach) - 2, 0)]
        return np.argsort(-(longest + np.abs(self._raised)), kind="stable")

    def moved(
        self, before: BoundedAssignment, now: ScaledSlopes, without: Labels
    ) -> BoundedAssignment:
        """What was known of scores, as far as it holds now; nothing of those in some clusters."""
        low, high = self._bounds(before, slice(None), without)
        return BoundedAssignment(before.labels.copy(), low, high, now)

    def lost(self, before: BoundedAssignment, rows: slice, without: Labels) -> float:
        """The share of some rows that may not stay where they are.

        Nothing is said of scores in some clusters, as if these had not moved.
        """
        low, high = self._bounds(before, rows, without)
        return float(np.mean(~(low > high)))

    def _bounds(
        self, before: BoundedAssignment, rows: slice, without: Labels
    ) -> tuple[Array, Array]:
        bins, labels = self._bins.places[rows], before.labels[rows]
        falls = self._raised + self._reach
        falls[:, without] = 0.0
        with np.errstate(invalid="ignore"):  # where nothing was known
            low = before.low[rows] - falls[bins, labels]
            return low, before.high[rows] + self._rises(without)[bins, labels]

    def _rises(self, without: Labels) -> Array:
        """How far the best score in any other cluster may have risen, but for some clusters.

        For each bin of lengths and each cluster that a row may be in.
        """
        risen = self._reach - self._raised
        risen[:, without] = -np.inf
        found = np.repeat(risen.max(axis=1, keepdims=True), risen.shape[1], axis=1)
        every, first = np.arange(len(risen)), risen.argmax(axis=1)
        risen[every, first] = -np.inf
        found[every, first] = risen.max(axis=1)
        return found
