"""A distortion with a price for each cluster on top: D(x, mu_h) + b_h.

Where clusters are the components of a mixture, b_h falls with the share of the documents
that is of component h.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.capabilities import (
    least_costs,
    mismatch,
    of_clusters,
    without_direction,
)
from textclust.geometry.distortion import Distortion

__all__ = ["Offset"]


@dataclass(frozen=True, eq=False)
class Offset(Distortion):
    """c_h is b_h more; the rest is that of the distortion within."""

    within: Distortion
    offsets: Array  # b, k

    name = "offset"

    def prepare(self, X: Matrix) -> Matrix:
        return self.within.prepare(X)

    def own_costs(self, X: Matrix) -> Array:
        return self.within.own_costs(X)

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        return self.within.prototypes(sums, masses, out)

    def affine(self, prototypes: Array) -> AffineForm:
        form = self.within.affine(prototypes)
        return replace(form, offsets=form.offsets + self.offsets)

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        found = self.within.joined(X, weights, sums, masses)
        return np.asarray(found + (masses + weights[:, None]) * self.offsets)

    def without_direction(self, X: Matrix) -> Array:
        return without_direction(self.within, X)

    def least_costs(self, labels: Labels) -> Array:
        return np.asarray(least_costs(self.within, labels) + self.offsets[labels])

    def mismatch(self, k: int, d: int) -> str | None:
        if self.offsets.shape != (k,) or self.offsets.dtype.kind != "f":
            return "the offsets do not fit the clusters"
        return mismatch(self.within, k, d)

    def of(self, clusters: Labels) -> Offset:
        return Offset(of_clusters(self.within, clusters), self.offsets[clusters])
