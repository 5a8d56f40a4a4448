"""KL divergence between term distributions, and the I-divergence it is a case of.

Basu 2005, eq. (4.12) smooths the representative of a cluster,

    mu = (mean + alpha * prior) / (1 + alpha),

where the print has the prior 1/n; the representative is a distribution over the d
terms, so the prior that keeps its sum at one is 1/d. That mu is exactly the mean of
the documents smoothed one by one, x~ = (x + alpha * prior) / (1 + alpha). Measuring
D(x~, mu) instead of D(x, mu) adds one number per cluster to the cost and makes both
half-steps minimise the same energy, so it never rises while alpha stands still.

Smoothing anneals (Dhillon and Guan 2003): it starts high, when prototypes are still
guesses, and shrinks with every iteration to a floor that keeps log(0) away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.distortion import Distortion
from textclust.geometry.rows import row_totals, scale_rows

__all__ = ["KL", "IDivergence"]

_ENTRIES = 1 << 22  # of the nnz x k table that `joined` holds at a time


@dataclass(frozen=True)
class IDivergence(Distortion):
    """sum x log(x/mu) - x + mu over smoothed documents x~.

    a = phi(x~), B = log(mu) / (1 + alpha), c = sum(mu) - alpha <prior, log mu> / (1 + alpha).
    """

    smoothing: float = 1.0
    floor: float = 0.01
    cooling: float = 0.5

    name = "i-divergence"
    non_negative = True

    def prepare(self, X: Matrix) -> Matrix:
        if (X.data if sp.issparse(X) else X).min(initial=0.0) < 0:
            raise InputError(
                f"Negative values in data: the {self.name} distortion needs counts or the like; "
                "use distortion='cosine' or 'euclidean'"
            )
        return X

    def own_costs(self, X: Matrix) -> Array:
        background = self.smoothing / X.shape[1] / (1 + self.smoothing)
        if not sp.issparse(X):
            return np.asarray(_phi(background + X / (1 + self.smoothing)).sum(axis=1))
        floor = _phi(background)
        scale = 1 + self.smoothing
        above = row_totals(X, lambda values: _phi(background + values / scale) - floor)
        return above + X.shape[1] * floor

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        mean = np.divide(sums, np.maximum(masses, np.finfo(float).tiny)[:, None], out=out)
        mean += self.smoothing / sums.shape[1]
        mean /= 1 + self.smoothing
        return mean

    def affine(self, prototypes: Array) -> AffineForm:
        logs = np.log(prototypes) / (1 + self.smoothing)
        return AffineForm(logs, prototypes.sum(axis=1) - self.smoothing * logs.mean(axis=1))

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """With T = W mu, a cluster's energy is sum(T) - sum(T log(T / W))."""
        d, scale = X.shape[1], 1 + self.smoothing
        X = X if sp.issparse(X) else sp.csr_array(X)
        table = np.empty((X.shape[0], len(sums)))
        for weight in np.unique(weights):
            mass = masses + weight
            total = np.maximum((sums + self.smoothing * mass[:, None] / d) / scale, 0.0)
            rest = _xlogy(total, total).sum(axis=1)
            rows = np.flatnonzero(weights == weight)
            for part in np.array_split(rows, 1 + X.nnz * len(sums) // _ENTRIES):
                few = X if len(part) == X.shape[0] else X[part]
                table[part] = self._energies(few, weight / scale, total, rest, mass)
        return table

    def cooled(self) -> IDivergence:
        return replace(self, smoothing=max(self.floor, self.smoothing * self.cooling))

    def cold(self) -> IDivergence:
        return replace(self, smoothing=self.floor)

    def _energies(self, X: Matrix, step: float, total: Array, rest: Array, mass: Array) -> Array:
        before = total.T[X.indices]
        after = np.maximum(before + step * X.data[:, None], 0.0)
        change = _xlogy(after, after) - _xlogy(before, before)
        entropy = rest + _sums_by_row(X, change)
        grown = total.sum(axis=1) + step * row_totals(X, np.positive)[:, None]
        energies = grown + _xlogy(grown, np.where(mass > 0, mass, 1.0)) - entropy
        return np.where(mass > 0, energies, 0.0)


@dataclass(frozen=True)
class KL(IDivergence):
    """Documents as distributions over terms: the I-divergence of rows that sum to one."""

    name = "kl"

    def prepare(self, X: Matrix) -> Matrix:
        X = super().prepare(X)
        mass = np.asarray(X.sum(axis=1), dtype=np.float64).ravel()
        return scale_rows(X, np.divide(1.0, mass, out=np.zeros_like(mass), where=mass > 0))

    def without_direction(self, X: Matrix) -> Array:
        return np.asarray(X.sum(axis=1)).ravel() == 0


def _sums_by_row(X: Matrix, table: Array) -> Array:
    """Sums of the rows of a table that has one row for each stored entry of X."""
    if X.shape[0] == 1:
        return table.sum(axis=0, keepdims=True)
    shape = (X.shape[0], X.nnz)
    return sp.csr_array((np.ones(X.nnz), np.arange(X.nnz), X.indptr), shape=shape) @ table


def _phi(x: Array | float) -> Array:
    return np.asarray(_xlogy(x, x) - x)


def _xlogy(x: Array | float, y: Array | float) -> Array:
    """x log y, and 0 where x is: imported late, for only divergences are worth the wait."""
    from scipy.special import xlogy

    return np.asarray(xlogy(x, y))
