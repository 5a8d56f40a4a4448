"""Sums of the rows of groups, which may be clusters or parts of them, and counts of their terms."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.dense_sums import members
from textclust.geometry.grid import rounded_values

__all__ = ["sums_and_counts"]

_TOGETHER = 8  # terms that the compiled core looks through at a time


def sums_and_counts(
    X: Matrix, groups: Labels, n_groups: int, grid: float = 0.0
) -> tuple[sp.csr_array, sp.csr_array]:
    """For each group the sum of its rows, and how many of them have each term; terms ascend.

    Rows of group -1 are in none. Values are rounded to multiples of the grid before, where that is
    not 0. Both results share their index arrays.
    """
    core = native.module("sums")
    if core is None or X.data.dtype not in (np.float32, np.float64):
        return _by_product(X, groups, n_groups, grid)
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(n_groups + 1))
    order, lengths = order[starts[0] :].astype(np.int64, copy=False), np.diff(X.indptr)
    entries = np.concatenate([[0], np.cumsum(lengths[order], dtype=np.int64)])
    d, ends = X.shape[1], (starts - starts[0]).astype(np.int64, copy=False)
    room = int(np.minimum(np.diff(entries[ends]), d).sum())
    indptr, terms = np.zeros(n_groups + 1, dtype=np.int64), np.empty(room, dtype=np.int32)
    (values, counts), found = np.zeros((2, d)), np.empty((2, room))
    core.by_group(
        X.indptr.astype(np.int64, copy=False),
        X.indices.astype(np.int32, copy=False),
        X.data,
        order,
        ends[1:],
        grid,
        values,
        counts,
        np.zeros(-(-d // _TOGETHER), dtype=np.uint8),
        indptr[1:],
        terms,
        *found,
    )
    size = int(indptr[-1])
    return _csr(found[0][:size], terms[:size], indptr, d), _csr(
        found[1][:size], terms[:size], indptr, d
    )


def _by_product(
    X: Matrix, groups: Labels, n_groups: int, grid: float
) -> tuple[sp.csr_array, sp.csr_array]:
    """The same of one product: values are added up in its real part, rows counted in the other."""
    rows = np.flatnonzero(groups >= 0)
    Y, each = X[rows], np.ones(len(rows))
    values = (rounded_values(Y, each, grid) if grid else Y.data.astype(np.float64)) + 1j
    of_rows = sp.csr_array((values, Y.indices, Y.indptr), Y.shape)
    both = members(groups[rows], each, n_groups).tocsr() @ of_rows
    both.sort_indices()
    return both.real, both.imag


def _csr(values: Array, terms: Array, indptr: Array, d: int) -> sp.csr_array:
    found = sp.csr_array((values, terms, indptr), shape=(len(indptr) - 1, d))
    found.has_canonical_format = True
    return found
