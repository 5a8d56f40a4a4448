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
import scipy.sparse as sp

__all__ = [
    "AffineForm",
    "Array",
    "Estimates",
    "Labels",
    "Matrix",
    "Moments",
    "PackedSlopes",
    "as_table",
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

    slopes: Matrix  # k x d, a table or CSR where that is large and mostly zeros
    offsets: Array
    scales: Array | None = None  # None is one for every cluster
    reach: float | None = None  # the largest |s_h B_h|, where it is known
    packed: object = None  # the slopes as a backend packed them, where it has

    def slope(self, clusters: int | Labels, terms: Labels) -> Array:
        """How the cost of one cluster, or of one for each term, falls with some terms."""
        scales = 1.0 if self.scales is None else self.scales[clusters]
        if not sp.issparse(self.slopes):
            return np.asarray(scales * self.slopes[clusters, terms])
        each = np.broadcast_to(clusters, np.shape(terms))
        return np.asarray(scales * np.asarray(sp.csr_matrix(self.slopes)[each, terms]).ravel())


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

    sums: Matrix  # k x d: a table, term by term in memory, or CSR (see `sparse_sums`)
    masses: Array  # k


def costs(X: Matrix, form: AffineForm) -> Array:
    """The table c_h - s_h <x_i, B_h> for all rows of X; add a_i for the distortion itself."""
    if sp.issparse(form.slopes):
        table = as_table(X @ form.slopes.T)
    else:
        table = np.asarray(X @ np.ascontiguousarray(form.slopes.T, dtype=np.float64))
    if form.scales is not None:
        table *= form.scales
    return np.subtract(form.offsets, table, out=table)


def as_table(matrix: Matrix) -> Array:
    """A small sparse matrix as a table; a table passes through."""
    if not sp.issparse(matrix):
        return np.asarray(matrix)
    rows = matrix.tocsr()
    table = np.zeros(rows.shape, rows.dtype)
    table[np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr)), rows.indices] = rows.data
    return table
