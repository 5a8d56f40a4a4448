"""The one form: every distortion is affine in the document.

    cost(i, h) = a_i + c_h - s_h <x_i, B_h>

`a` depends on the document alone; `B`, `s` and `c` on the prototypes alone, so one
sparse-times-dense product serves every distortion and the zeros of x are never touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = [
    "AffineForm",
    "Array",
    "Estimates",
    "Labels",
    "Matrix",
    "Moments",
    "PackedSlopes",
    "costs",
]

Array = npt.NDArray[Any]
Labels = npt.NDArray[np.intp]
Matrix = Any  # a CSR matrix or array, or a dense ndarray; scipy has no types to say so


@dataclass(frozen=True)
class AffineForm:
    """What the prototypes alone contribute to every cost: slopes B, offsets c, scales s.

    Scales let a form share the sums of the clusters as its slopes, without a copy.
    """

    slopes: Array  # k x d
    offsets: Array
    scales: Array | None = None  # None is one for every cluster
    reach: float | None = None  # the largest |s_h B_h|, where it is known
    packed: object = None  # the slopes as a backend packed them, where it has

    def slope(self, cluster: int, terms: Array) -> Array:
        """How the cost of one cluster falls with each of some terms."""
        scale = 1.0 if self.scales is None else self.scales[cluster]
        return np.asarray(scale * self.slopes[cluster, terms])


class PackedSlopes(NamedTuple):
    """Slopes packed for a backend, and the squared length of each on the way."""

    squares: Array
    packed: object = None


class Estimates(NamedTuple):
    """What some rows cost in every cluster, and how far that may be off in each row."""

    costs: Array
    errors: Array


class Moments(NamedTuple):
    """All that a prototype needs to know of its cluster."""

    sums: Array  # k x d, term by term in memory
    masses: Array  # k


def costs(X: Matrix, form: AffineForm) -> Array:
    """The table c_h - s_h <x_i, B_h> for all rows of X; add a_i for the distortion itself."""
    table = np.asarray(X @ np.ascontiguousarray(form.slopes.T, dtype=np.float64))
    if form.scales is not None:
        table *= form.scales
    return np.subtract(form.offsets, table, out=table)
