"""KL divergence between term distributions, and the I-divergence it is a case of.

Basu 2005, eq. (4.12) smooths the representative of a cluster,

    mu = (mean + alpha * prior) / (1 + alpha),

where the print has the prior 1/n; the representative is a distribution over the d
terms, so the prior that keeps its sum at one is 1/d. That mu is exactly the mean of
the documents smoothed one by one, as `smoothed` has them: measuring D(x~, mu) instead of
D(x, mu) adds one number per cluster to the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Matrix, Moments
from textclust.geometry.distortion import Distortion
from textclust.geometry.parts import PartedRows, by_row
from textclust.geometry.rows import column_totals, row_totals, scale_rows
from textclust.geometry.smoothed import Smoothed, sums_by_row

__all__ = ["KL", "IDivergence"]


@dataclass(frozen=True)
class IDivergence(Smoothed, Distortion):
    """sum x log(x/mu) - x + mu over smoothed documents x~.

    a = phi(x~), B = log(mu) / (1 + alpha), c = sum(mu) - alpha <prior, log mu> / (1 + alpha).
    """

    name = "i-divergence"

    @property
    def importance(self) -> Array | None:
        return None

    def own_costs(self, X: Matrix) -> Array:
        above, floor = self._potential(X.shape[1])
        terms = X.shape[1] if self.importance is None else self.importance.sum()
        return row_totals(X, above, self.importance) + terms * floor

    def scatters(self, X: Matrix, weights: Array, moments: Moments) -> Array:
        """d: the divergence of all documents from the means of their clusters, term by term.

        Without what terms count for: sum_i w_i phi(x~_i) - sum_h W_h phi(mu_h).
        """
        above, floor = self._potential(X.shape[1])
        own = column_totals(X, above, weights) + weights.sum() * floor
        here = moments.masses > 0
        means = self.prototypes(moments.sums[here], moments.masses[here])
        return np.maximum(own - moments.masses[here] @ _phi(means), 0.0)

    def affine(self, prototypes: Array) -> AffineForm:
        logs, d = np.log(prototypes) / (1 + self.smoothing), prototypes.shape[1]
        if self.importance is not None:
            logs *= self.importance
        totals = _total(prototypes, self.importance)
        return AffineForm(logs, totals - self.smoothing / d * logs.sum(axis=1))

    def _energies(self, X: Matrix, step: float, total: Array, least: Array, mass: Array) -> Array:
        """With T = W mu, a cluster's energy is sum(T) - sum(T log(T / W))."""
        rest = _total(_xlogy(total, total), self.importance)
        before = total.T[X.indices]
        after = np.maximum(before + step * X.data[:, None], least)
        change = _xlogy(after, after) - _xlogy(before, before)
        if self.importance is not None:
            change *= self.importance[X.indices, None]
        entropy = rest + sums_by_row(X, change)
        joining = step * row_totals(X, np.positive, self.importance)[:, None]
        grown = _total(total, self.importance) + joining
        energies = grown + _xlogy(grown, np.where(mass > 0, mass, 1.0)) - entropy
        return np.where(mass > 0, energies, 0.0)

    def _potential(self, d: int) -> tuple[Callable[[Array], Array], float]:
        """phi of smoothed values, above that of a smoothed zero; and that of a smoothed zero."""
        scale = 1 + self.smoothing
        background = self.smoothing / d / scale
        floor = float(_phi(background))
        return lambda values: _phi(background + values / scale) - floor, floor


@dataclass(frozen=True)
class KL(IDivergence):
    """Documents as distributions over terms: the I-divergence of rows that sum to one."""

    name = "kl"

    def prepare(self, X: Matrix) -> Matrix:
        if isinstance(X, PartedRows):
            return X.map(self.prepare)
        X, mass = super().prepare(X), _masses(X)
        return scale_rows(X, np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0))

    def without_direction(self, X: Matrix) -> Array:
        return _masses(X) == 0


def _masses(X: Matrix) -> Array:
    """The sum of each row."""
    if isinstance(X, PartedRows):
        return by_row(_masses, X)
    return np.asarray(X.sum(axis=1), dtype=np.float64).ravel()


def _total(table: Array, importance: Array | None) -> Array:
    """The sum of each row, its columns counting for what they are important."""
    return np.asarray(table.sum(axis=1) if importance is None else table @ importance)


def _phi(x: Array | float) -> Array:
    return np.asarray(_xlogy(x, x) - x)


def _xlogy(x: Array | float, y: Array | float) -> Array:
    """x log y, and 0 where x is: imported late, for only divergences are worth the wait."""
    from scipy.special import xlogy

    return np.asarray(xlogy(x, y))
