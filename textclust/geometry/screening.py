"""Scores in single precision, how far they may be off, and what follows from them for certain.

A score in float32 differs from the true one by no more than the rounding of its sum:
with m stored entries in the row and u = 2^-24,

    |error| <= (m + 9) u (|c_h| + sum_j |x_j| |s_h B_hj|),

whatever the order of the additions, and the sum is at most |x|_2 |s_h B_h|_2 and at most
|x|_1 |s_h B_h|_inf; one u of it is for slopes that double precision has rounded otherwise.
A row whose best score leads by more than twice that bound is settled; the others are
computed again in float64. So no label differs from the reference's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels
from textclust.geometry.assignment import Assignment, Movable, SingleMoves
from textclust.geometry.optimum import ClusterOptimum
from textclust.geometry.rows import squared_norms

__all__ = [
    "LARGEST",
    "ROUNDING",
    "RowMeasures",
    "Scores",
    "ScreenedAssignment",
    "ScreenedMoves",
]

ROUNDING = 2.0**-24
LARGEST = 2.0**60  # slopes and values beyond it might overflow in float32
_SMALLEST = 2.0**-96  # over u, what underflow may take off a product, with room to spare


class RowMeasures(NamedTuple):
    """What the errors of scores depend on, for each row."""

    lengths: Array  # |x|_2
    totals: Array  # |x|_1
    roundings: Array  # (m + 9) u

    def of(self, rows: Labels | slice) -> RowMeasures:
        """Those of some of the rows."""
        return RowMeasures(*(measure[rows] for measure in self))

    def score_errors(self, form: AffineForm, largest: float) -> Array:
        """How far scores of a form in float32 may be from the true ones.

        What values and slopes lose by underflow counts times the other one. `largest` is no
        smaller than any slope; where that is too large for float32 nothing is known.
        """
        if not largest < LARGEST:
            return np.full(len(self.lengths), np.inf)
        scales = 1.0 if form.scales is None else np.abs(form.scales)
        offset = float(np.abs(form.offsets).max())
        if form.reach is None:
            widest = float((scales * np.abs(form.slopes).max(axis=1)).max())
            reach = float((scales * np.sqrt(squared_norms(form.slopes))).max())
            with np.errstate(invalid="ignore"):  # infinite rows and no slope
                size = np.minimum(self.lengths * reach, self.totals * widest)
        else:
            reach, size = form.reach, self.lengths * form.reach
        lost = _SMALLEST * (1.0 + reach + self.lengths)
        return np.asarray(self.roundings * (size + (offset + lost)))

    def joining_errors(self, best: ClusterOptimum, rows: Movable, largest: float) -> Array:
        """How far what joining takes off an energy may be from that in float32.

        The product is off by (m + 9) u |x| |B|; what follows adds some roundings of values no
        larger than the weighted lengths. `largest` is no smaller than any |B|.
        """
        growth, reach = best.growth, best.form.reach
        assert growth is not None
        if reach is None:
            reach = 2.0 * largest / float(growth.masses.min())
        off = self.roundings.astype(np.float64)
        if growth.by_length:
            off *= 2.0
            off += 40.0 * ROUNDING
            off *= self.lengths
        else:
            off += 8.0 * ROUNDING
            off *= self.lengths
            off *= reach
            off += 16.0 * ROUNDING * float(np.max(growth.squares / growth.masses**2))
            off += 16.0 * ROUNDING * rows.squares
        off *= rows.weights
        return off


class Scores(NamedTuple):
    """For each row the cluster of the best score, that and the next score, and their error."""

    labels: Array
    best: Array
    second: Array
    bound: Array  # in single precision, rounded up

    @classmethod
    def within(cls, labels: Array, best: Array, second: Array, errors: Array) -> Self:
        """Scores that are no further off than these errors."""
        with np.errstate(over="ignore"):  # then nothing is known
            bound = errors.astype(np.float32)
        return cls(labels, best, second, np.nextafter(bound, np.float32(np.inf), out=bound))

    def above(self, least: Array) -> Labels:
        """The rows whose best or next score may lie above a number for each."""
        with np.errstate(invalid="ignore"):  # beyond float32 anything may be
            most = np.add(np.maximum(self.best, self.second), self.bound, dtype=np.float64)
            return np.flatnonzero(~(most <= least))

    def updated(self, among: Scores, clusters: Labels, changed: Array) -> Scores:
        """With the scores in the clusters that changed since, of which `among` speaks.

        Of those that did not change, all but the best score at most the second here. Where
        that leaves open whose score is the best, the second is above it.
        """
        stays = ~changed[self.labels]
        rival = np.where(stays, self.best, -np.inf)  # the best score, where it still holds
        wins = among.best > rival
        labels, second = self.labels.copy(), np.maximum(self.second, among.best)
        labels[wins] = clusters[among.labels[wins]]
        second[wins] = np.maximum(self.second[wins], np.maximum(among.second[wins], rival[wins]))
        best = np.maximum(among.best, rival)
        return Scores(labels, best, second, np.maximum(self.bound, among.bound))

    def replace_rows(self, rows: Labels, by: Scores) -> None:
        """Put in what was found anew of some rows."""
        for mine, theirs in zip(self, by, strict=True):
            mine[rows] = theirs

    def is_settled(self, rows: Labels) -> Array:
        """Whether the best score of each of some rows leads by more than the error."""
        best, second, bound = (part[rows] for part in self[1:])
        with np.errstate(invalid="ignore"):
            return np.asarray(np.isfinite(best) & (best - second > 2 * bound))

    @property
    def unsettled(self) -> Labels:
        """The rows whose best score does not lead by more than the error."""
        with np.errstate(invalid="ignore"):  # beyond float32 nothing is settled
            return np.flatnonzero(~(self.best - self.second > 2 * self.bound))


@dataclass(frozen=True, eq=False)
class ScreenedAssignment(Assignment):
    """Labels with the scores they were settled by."""

    scores: Scores

    def leads(self, rows: Labels) -> Array:
        best, second, bound = (part[rows] for part in self.scores[1:])
        with np.errstate(invalid="ignore"):  # beyond float32 nothing is known
            leads = np.subtract(best, second, dtype=np.float64)
            leads -= 3.0 * bound  # two for the scores, one for rounding
        leads[np.isnan(leads)] = -np.inf
        return leads

    def renumbered(self, order: Labels) -> ScreenedAssignment:
        labels = np.argsort(order)[self.labels]
        return ScreenedAssignment(labels, self.scores._replace(labels=labels.astype(np.int32)))


@dataclass(frozen=True, eq=False)
class ScreenedMoves(SingleMoves):
    """Moves with what joining the best and the next cluster takes off, for every row."""

    joins: Scores
    leaving: Array  # what each row adds to the energy of its own cluster

    def of(self, chosen: Array) -> ScreenedMoves:
        moves, rows = super().of(chosen), self.rows[chosen]
        joins = Scores(*(part[rows] for part in self.joins))
        found = (moves.rows, moves.targets, moves.gains, joins, self.leaving[rows])
        return ScreenedMoves(*found, among_all=self)
