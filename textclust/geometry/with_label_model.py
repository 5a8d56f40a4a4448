"""A distortion with the opinion of a linear label model on top: D(x, mu_h) - tau log p(h | x).

With p(h | x) = exp(<x, B_h> + b_h) / sum_g exp(<x, B_g> + b_g) the logarithm is linear in x but for
a part that is the same in all clusters, which is the document's own. So this is affine in the
document as every distortion is, and what learns from labels costs no more than a prototype.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.capabilities import mismatch, of_clusters, widened, without_direction
from textclust.geometry.distortion import Distortion
from textclust.geometry.parts import PartedRows, by_row

__all__ = ["WithLabelModel"]


@dataclass(frozen=True, eq=False)
class WithLabelModel(Distortion):
    """a, B and c of the distortion within, each with the part of the label model."""

    within: Distortion
    coefficients: Array  # B, k x d
    intercepts: Array  # b, k
    tau: float  # what a nat of log p counts beside the distortion

    name = "with label model"

    def prepare(self, X: Matrix) -> Matrix:
        return self.within.prepare(X)

    def log_odds(self, X: Matrix) -> Array:
        """<x, B_h> + b_h of prepared rows, n x k."""
        return np.asarray(X @ self.coefficients.T) + self.intercepts

    def own_costs(self, X: Matrix) -> Array:
        if isinstance(X, PartedRows):
            return by_row(self.own_costs, X)
        return np.asarray(self.within.own_costs(X) + self.tau * _total(self.log_odds(X)))

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        return self.within.prototypes(sums, masses, out)

    def affine(self, prototypes: Array) -> AffineForm:
        form = self.within.affine(prototypes)
        slopes = form.slopes if form.scales is None else form.scales[:, None] * form.slopes
        return AffineForm(
            slopes + self.tau * self.coefficients, form.offsets - self.tau * self.intercepts
        )

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        own = (sums * self.coefficients).sum(axis=1) + masses * self.intercepts
        more = weights[:, None] * self.log_odds(X)
        return np.asarray(self.within.joined(X, weights, sums, masses) - self.tau * (own + more))

    def label_margin(self, row: Matrix, own: int, other: int) -> float:
        log_odds = self.log_odds(row)[0]
        return float(self.tau * (log_odds[own] - log_odds[other]))

    def label_costs(self, X: Matrix, clusters: Labels) -> Array:
        if isinstance(X, PartedRows):
            return by_row(partial(self.label_costs, clusters=clusters), X)
        log_odds = self.log_odds(X)
        return np.asarray(self.tau * (_total(log_odds)[:, None] - log_odds[:, clusters]))

    def without_direction(self, X: Matrix) -> Array:
        return without_direction(self.within, X)

    def mismatch(self, k: int, d: int) -> str | None:
        shapes = (self.coefficients.shape, self.intercepts.shape)
        kinds = {self.coefficients.dtype.kind, self.intercepts.dtype.kind}
        if shapes != ((k, d), (k,)) or kinds != {"f"}:
            return "the label model does not fit the clusters"
        return mismatch(self.within, k, d)

    def widened(self, more: int) -> WithLabelModel:
        """The label model has no opinion of terms that come after its own."""
        coefficients = np.pad(self.coefficients, ((0, 0), (0, more)))
        return WithLabelModel(widened(self.within, more), coefficients, self.intercepts, self.tau)

    def of(self, clusters: Labels) -> WithLabelModel:
        within = of_clusters(self.within, clusters)
        return WithLabelModel(
            within, self.coefficients[clusters], self.intercepts[clusters], self.tau
        )


def _total(log_odds: Array) -> Array:
    """log sum_g exp(log-odds of g), row by row."""
    top = log_odds.max(axis=1)
    return np.asarray(top + np.log(np.exp(log_odds - top[:, None]).sum(axis=1)))
