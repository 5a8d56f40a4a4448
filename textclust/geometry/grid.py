"""Exact sums: values rounded so coarsely that adding them up in double precision loses nothing.

Multiples of 2^-q whose sums stay below 2^(52 - q) are added without rounding. So sums of clusters
do not depend on the order of the additions: those from scratch, those in which every move is taken
out of one cluster and into another, and those put together from the parts of a matrix are the same
to the last bit.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.dense_sums import members
from textclust.geometry.parts import PartedRows
from textclust.geometry.rows import slices

__all__ = ["Sizes", "exact_grid", "exact_sums", "rounded_values", "row_sizes"]

_DIGITS = 52
_SPARE = 16  # digits that the largest value of a row keeps, at least


class Sizes(NamedTuple):
    """How large the largest values of rows are that are added up; the sizes of parts combine."""

    rows: int
    smallest: float  # of these values
    largest: float

    def beside(self, other: Sizes) -> Sizes:
        """Those of the rows of two parts."""
        return Sizes(
            self.rows + other.rows,
            min(self.smallest, other.smallest),
            max(self.largest, other.largest),
        )


def row_sizes(X: Matrix, weights: Array) -> Sizes:
    """How large the weighted rows of a CSR matrix are."""
    if isinstance(X, PartedRows):
        return reduce(Sizes.beside, X.each(row_sizes, weights))
    found = Sizes(X.shape[0], math.inf, 0.0)
    for rows in slices(X):
        begin, end = X.indptr[rows.start], X.indptr[rows.stop]
        starts = X.indptr[rows.start : rows.stop] - begin
        filled = np.flatnonzero(np.diff(X.indptr[rows.start : rows.stop + 1]))
        if len(filled) == 0:
            continue
        largest = np.maximum.reduceat(np.abs(X.data[begin:end]), starts[filled])
        sizes = largest.astype(np.float64) * weights[rows][filled]
        sizes = sizes[sizes > 0]
        if len(sizes):
            found = found.beside(Sizes(0, float(sizes.min()), float(sizes.max())))
    return found


def exact_grid(sizes: Sizes) -> float:
    """What values are to be rounded to multiples of; 0 where some would lose what they say."""
    total = sizes.rows * sizes.largest
    if not 0.0 < total < math.inf:
        return 0.0
    exponent = math.frexp(total)[1] - _DIGITS
    coarse = math.ldexp(sizes.smallest, -_SPARE)
    if not -960 < exponent < 960 or math.ldexp(1.0, exponent) > coarse:
        return 0.0
    return math.ldexp(1.0, exponent)


def exact_sums(X: Matrix, labels: Labels, weights: Array, k: int, grid: float) -> Matrix:
    """The sums of rows of a CSR matrix after each value was rounded to a multiple of the grid."""
    rounded = sp.csr_array((rounded_values(X, weights, grid), X.indices, X.indptr), shape=X.shape)
    return members(labels, np.ones(len(labels)), k).tocsr() @ rounded


def rounded_values(X: Matrix, weights: Array, grid: float) -> Array:
    """The stored values of the weighted rows, each rounded to a multiple of the grid."""
    values = np.repeat(weights, np.diff(X.indptr)) * X.data
    return np.asarray(np.rint(values / grid) * grid)
