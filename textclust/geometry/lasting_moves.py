"""Single moves by bounds on scores: for most rows these say that no move can help.

Where the energy of clusters is -||S||^2 / W, a row of weight w that joins one takes

    w (2 <x, S> - ||S||^2 / W + w <x, x>) / (W + w)

off it. For each unit of weight that is 2 <x, S> / W - ||S||^2 / W^2 and, times w / (W + w), the
squared distance from the mean, so that with the weight of the heaviest row it is a bound for all.
Where the energy is -||S||, roots are concave, so that joining takes off no more than

    w (<x, S> + w <x, x> / 2) / ||S||.

With the weight of the heaviest row, and <x, x> of the shortest, both are affine in the document:
these are the scores, and what <x, x> is beyond that counts as in the smallest cluster. They say
too what leaving its own cluster costs a row at least.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels
from textclust.geometry.assignment import Movable, SingleMoves
from textclust.geometry.drift import BoundedAssignment
from textclust.geometry.optimum import ClusterOptimum, Growth

__all__ = ["BoundedMoves", "JoiningScores"]

_ROUNDING = 1e-12  # of an energy, far beyond that of double precision


@dataclass(frozen=True, eq=False)
class BoundedMoves(SingleMoves):
    """Moves with the bounds by which others were ruled out."""

    bounds: BoundedAssignment

    def of(self, chosen: Array) -> BoundedMoves:
        moves, bounds = super().of(chosen), self.bounds.of(self.rows[chosen])
        return BoundedMoves(moves.rows, moves.targets, moves.gains, bounds, among_all=self)


class JoiningScores:
    """What some rows that join a cluster take off its energy at most, for each unit of weight."""

    def __init__(self, best: ClusterOptimum, rows: Movable) -> None:
        assert best.growth is not None
        self._growth, self._rows = best.growth, rows
        self._slack = _ROUNDING * float(np.abs(best.energies).max())
        counted = rows.weights > 0
        self._heaviest = float(rows.weights.max(initial=0.0))
        self._shortest = float(rows.squares[counted].min()) if counted.any() else 0.0
        with np.errstate(all="ignore"):  # clusters without a size: all rows may move
            self.form = self._affine(best.form.slopes, self._growth)

    def _affine(self, slopes: Array, growth: Growth) -> AffineForm:
        own = self._heaviest * self._shortest
        if growth.by_length:
            flat = growth.squares**-0.5
            return AffineForm(slopes, -0.5 * own * flat, flat)
        inverse = 1.0 / (growth.masses + self._heaviest)
        return AffineForm(slopes, (growth.squares / growth.masses - own) * inverse, 2.0 * inverse)

    def can_gain(self, bounds: BoundedAssignment, some: Labels | slice) -> Array:
        """Whether a move of some of the rows may take more than their least off the energy."""
        labels, weights, squares, least = (part[some] for part in self._rows)
        low, high, growth = bounds.low[some], bounds.high[some], self._growth
        own, beyond = self._heaviest * self._shortest, self._heaviest * (squares - self._shortest)
        with np.errstate(all="ignore"):  # where nothing is known all may move
            if growth.by_length:
                flat = 0.5 * growth.squares**-0.5
                joining = high + beyond * flat.max()
                leaving = low - (own + weights * squares) * flat[labels]
            else:
                masses = growth.masses[labels]
                joining = high + beyond / (growth.masses.min() + self._heaviest)
                leaving = (masses + self._heaviest) * low - own - weights * squares
                leaving /= np.where(masses > weights, masses - weights, np.nan)
            stays = weights * (joining - leaving) + self._slack <= least
        return np.asarray((weights > 0.0) & ~(stays & (bounds.labels[some] == labels)))
