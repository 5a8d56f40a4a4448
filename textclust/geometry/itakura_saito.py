"""The Itakura-Saito distance: sum_d x/mu - log(x/mu) - 1 (Basu 2005, 4.6; Itakura and Saito 1968).

A Bregman divergence (phi = -log), so the mean is the prototype and the cost is affine in the
document. It compares values by their ratio: a change of unit, of one term or of all, changes
nothing. A ratio to zero is no number, and the papers, who mean spectra, do not say what to do
with the zeros of texts. Here documents are smoothed as for KL (see `smoothed`), towards the mean
of all values of the collection, so that a change of unit of all values still changes nothing.
What remains is the plain distance between smoothed documents and their mean.

Ratios to a small number are large: the less smoothing, the more a single term that a cluster has
never seen decides alone. The floor is therefore higher than that of KL. With `smoothing` and
`floor` 0 the distance is as printed, for data without zeros.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Matrix
from textclust.geometry.distortion import Distortion
from textclust.geometry.rows import row_totals
from textclust.geometry.smoothed import Smoothed, sums_by_row

__all__ = ["ItakuraSaito"]


@dataclass(frozen=True)
class ItakuraSaito(Smoothed, Distortion):
    """a = -sum log(x~/r), B = -1 / mu (1 + alpha), c = sum [log(mu/r) + z/mu - 1].

    z = alpha p / (1 + alpha) is a smoothed zero. r, which cancels out, is z too, so that zeros
    add nothing to a. `prior` is p; None is the mean of all values of the documents clustered.
    """

    smoothing: float = 10.0
    floor: float = 1.0
    prior: float | None = None

    name = "itakura-saito"

    def fitted(self, X: Matrix, weights: Array) -> Self:
        if self.prior is not None:
            return self
        total, mass = weights @ row_totals(X, np.positive), weights.sum() * X.shape[1]
        return replace(self, prior=float(total / mass)) if total > 0 else self

    def prior_value(self, d: int) -> float:
        return super().prior_value(d) if self.prior is None else self.prior

    def own_costs(self, X: Matrix) -> Array:
        zero, scale = self._smoothed_zero(X.shape[1]), 1 + self.smoothing
        reference = zero or 1.0
        return row_totals(X, lambda values: -np.log((zero + values / scale) / reference))

    def affine(self, prototypes: Array) -> AffineForm:
        zero = self._smoothed_zero(prototypes.shape[1])
        inverse = 1.0 / prototypes
        offsets = np.log(prototypes / (zero or 1.0)) + (zero * inverse - 1.0)
        return AffineForm(inverse / -(1 + self.smoothing), offsets.sum(axis=1))

    def _energies(self, X: Matrix, step: float, total: Array, least: Array, mass: Array) -> Array:
        """With T = W mu, a cluster's energy is W sum log(T / W r)."""
        here = mass > 0
        unit = np.where(here, mass, 1.0) * (self._smoothed_zero(X.shape[1]) or 1.0)
        lowest = np.where(here, np.maximum(least, np.finfo(float).tiny), 1.0)
        before = np.maximum(total, lowest[:, None])
        rest = np.log(before / unit[:, None]).sum(axis=1)
        stored = before.T[X.indices]
        after = np.maximum(stored + step * X.data[:, None], lowest)
        return np.where(here, mass * (rest + sums_by_row(X, np.log(after / stored))), 0.0)

    def _smoothed_zero(self, d: int) -> float:
        return self.smoothing * self.prior_value(d) / (1 + self.smoothing)
