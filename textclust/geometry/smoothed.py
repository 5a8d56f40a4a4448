"""Divergences of smoothed documents: what KL, the I-divergence and Itakura-Saito share.

A divergence that divides by the prototype, or takes its logarithm, is infinite where the
prototype is zero. So documents are smoothed one by one towards a prior value p in every term,

    x~ = (x + alpha p) / (1 + alpha),

and the mean of the smoothed documents of a cluster is its smoothed mean. Both half-steps then
minimise the same energy, which never rises while alpha stands still, and what a zero of x
adds is the same number for every document, so sparse rows stay sparse.

Smoothing anneals (Dhillon and Guan 2003): it starts high, when prototypes are still guesses,
and shrinks with every iteration to a floor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.parts import PartedRows

__all__ = ["Smoothed", "sums_by_row"]

_ENTRIES = 1 << 22  # of the nnz x k table that `joined` holds at a time


@dataclass(frozen=True)
class Smoothed(ABC):
    """What divergences of smoothed documents share, beside `Distortion`.

    alpha starts at `smoothing` and is multiplied by `cooling` down to `floor`.
    """

    smoothing: float = 1.0
    floor: float = 0.01
    cooling: float = 0.5

    name: ClassVar[str]
    non_negative: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not self.smoothing >= 0:
            raise InputError(f"smoothing must be at least 0; got {self.smoothing!r}")
        if not (self.floor > 0 or self.floor == self.smoothing):
            raise InputError(
                f"floor must be above 0, or 0 like smoothing; got {self.floor!r} "
                f"with smoothing={self.smoothing!r}"
            )
        if not 0 < self.cooling < 1:
            raise InputError(f"cooling must be between 0 and 1; got {self.cooling!r}")

    def prepare(self, X: Matrix) -> Matrix:
        if isinstance(X, PartedRows):
            return X.map(self.prepare)
        values = X.data if sp.issparse(X) else X
        if values.min(initial=0.0) < 0:
            raise InputError(
                f"Negative values in data: the {self.name} distortion needs counts or the like; "
                "use distortion='cosine' or 'euclidean'"
            )
        if self.floor == 0 and (values.size < np.prod(X.shape) or not values.all()):
            raise InputError(
                f"Zeros in data: without smoothing the {self.name} distortion needs values above "
                "zero; smooth with a floor above 0"
            )
        return X

    def prior_value(self, d: int) -> float:
        """p: the value of each of d terms that documents are smoothed towards."""
        return 1.0 / d

    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        mean = np.divide(sums, np.maximum(masses, np.finfo(float).tiny)[:, None], out=out)
        mean += self.smoothing * self.prior_value(sums.shape[1])
        mean /= 1 + self.smoothing
        return mean

    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        scale, lift = 1 + self.smoothing, self.smoothing * self.prior_value(X.shape[1])
        X = X if sp.issparse(X) else sp.csr_array(X)
        table = np.empty((X.shape[0], len(sums)))
        for weight in np.unique(weights):
            mass = masses + weight
            least = np.maximum(lift * mass / scale, 0.0)  # without rounding no total is below
            total = np.maximum((sums + lift * mass[:, None]) / scale, least[:, None])
            rows = np.flatnonzero(weights == weight)
            for part in np.array_split(rows, 1 + X.nnz * len(sums) // _ENTRIES):
                few = X if len(part) == X.shape[0] else X[part]
                table[part] = self._energies(few, weight / scale, total, least, mass)
        return table

    @abstractmethod
    def _energies(self, X: Matrix, step: float, total: Array, least: Array, mass: Array) -> Array:
        """The energy of clusters with `step` times each row on top of their smoothed sums.

        Masses are those with the row. A sum that rounding takes below `least` is that.
        """

    def cooled(self) -> Self:
        return replace(self, smoothing=max(self.floor, self.smoothing * self.cooling))

    def cold(self) -> Self:
        return replace(self, smoothing=self.floor)


def sums_by_row(X: Matrix, table: Array) -> Array:
    """Sums of the rows of a table that has one row for each stored entry of X."""
    if X.shape[0] == 1:
        return np.asarray(table.sum(axis=0, keepdims=True))
    shape = (X.shape[0], X.nnz)
    ones = sp.csr_array((np.ones(X.nnz), np.arange(X.nnz), X.indptr), shape=shape)
    return np.asarray(ones @ table)
