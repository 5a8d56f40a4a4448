"""Single moves by bounds on scores: for most rows these say that no move can help.

Where the energy of clusters is -||S||^2 / W, let a score be s = 2 <x, S> / W - ||S||^2 / W^2. A row
of weight w whose score is s in its own cluster (of mass W_s) and s - l in another (W_t) takes

    -w l W_t / (W_t + w)  +  w^2 (<x, x> - s) (1 / (W_t + w) + 1 / (W_s - w))

off the energy if it moves there. Where it is -||S||, let a score be <x, S> / ||S||. Roots are
concave, so that a move takes off no more than

    -w l  +  w^2 <x, x> / 2 (1 / ||S_t|| + 1 / ||S_s||).

Both fall with the lead l, and with the size of the other cluster.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels
from textclust.geometry.assignment import Movable, SingleMoves
from textclust.geometry.drift import BoundedAssignment
from textclust.geometry.optimum import ClusterOptimum

__all__ = ["BoundedMoves", "can_gain", "scored_by_growth"]

_ROUNDING = 1e-12  # of an energy, far beyond that of double precision


@dataclass(frozen=True, eq=False)
class BoundedMoves(SingleMoves):
    """Moves with the bounds by which others were ruled out."""

    bounds: BoundedAssignment


def scored_by_growth(best: ClusterOptimum) -> AffineForm:
    """The form whose scores bound what moves take off."""
    growth, slopes = best.growth, best.form.slopes
    assert growth is not None
    with np.errstate(divide="ignore", invalid="ignore"):  # without a size all rows may move
        if growth.by_length:
            return AffineForm(slopes, np.zeros(len(slopes)), growth.squares**-0.5)
        return AffineForm(slopes, growth.squares / growth.masses**2, 2.0 / growth.masses)


def can_gain(
    best: ClusterOptimum, rows: Movable, bounds: BoundedAssignment, some: Labels | slice
) -> Array:
    """Whether a move of some of the rows may take more than their least off the energy."""
    labels, weights, squares, least = (part[some] for part in rows)
    low, growth = bounds.low[some], best.growth
    assert growth is not None
    with np.errstate(all="ignore"):  # where nothing is known all may move
        leads = low - bounds.high[some]
        leads[~((bounds.labels[some] == labels) & (leads >= 0.0))] = np.nan
        if growth.by_length:
            flat = growth.squares**-0.5
            lost, gained = leads, 0.5 * squares * (flat.max() + flat[labels])
        else:
            smallest, left = growth.masses.min(), growth.masses[labels] - weights
            lost = leads * smallest / (smallest + weights)
            gained = np.maximum(squares - low, 0.0) * (1.0 / (smallest + weights) + 1.0 / left)
            gained[left <= 0.0] = np.nan
        most = weights * (weights * gained - lost) + _ROUNDING * np.abs(best.energies).max()
        return np.asarray((weights > 0.0) & ~(most <= least))
