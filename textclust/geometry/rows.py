"""What can be said of the rows of a matrix one by one: totals, lengths, scaling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.parts import PartedRows, by_row, is_sparse
from textclust.threads import available, share

__all__ = [
    "STRETCHES",
    "canonical",
    "column_deviations",
    "column_totals",
    "reordered_rows",
    "row_totals",
    "scale_columns",
    "scale_rows",
    "slices",
    "squared_norms",
    "stacked",
    "stretches",
]

_ENTRIES = 1 << 20  # held in float64 at a time
_BLOCK = 1 << 17  # entries of a dense table that stay in the cache
STRETCHES = 8
_FEW = 1 << 16  # entries, which numpy adds up as quickly


def canonical(X: Matrix) -> Matrix:
    """A CSR matrix with each entry once and its columns in order; the caller's stays as it is.

    `sum_duplicates` and `sort_indices` work in place, and `sp.csr_array(X)` has the arrays of X.
    """
    if X.has_canonical_format:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def row_totals(X: Matrix, of: Callable[[Array], Array], importance: Array | None = None) -> Array:
    """The sum over each row of what `of` makes of its stored values, in float64.

    Each value counts as much as its column is important, if that is said.
    """
    if isinstance(X, PartedRows):
        return by_row(partial(row_totals, of=of, importance=importance), X)
    if not sp.issparse(X):
        table = of(X.astype(np.float64, copy=False))
        return np.asarray(table.sum(axis=1) if importance is None else table @ importance)
    totals = np.empty(X.shape[0])
    for rows in slices(X):
        begin, end = X.indptr[rows.start], X.indptr[rows.stop]
        values = of(X.data[begin:end].astype(np.float64))
        if importance is not None:
            values *= importance[X.indices[begin:end]]
        ends = X.indptr[rows.start : rows.stop + 1] - begin
        columns = np.zeros(end - begin, dtype=ends.dtype)
        totals[rows] = sp.csr_array((values, columns, ends), shape=(len(ends) - 1, 1)) @ np.ones(1)
    return totals


def column_totals(X: Matrix, of: Callable[[Array], Array], weights: Array) -> Array:
    """The sum over each column of what `of` makes of its stored values, by weights of rows."""
    if not sp.issparse(X):
        return np.asarray(weights @ of(X.astype(np.float64, copy=False)))
    totals = np.zeros(X.shape[1])
    for rows in slices(X):
        part = slice(X.indptr[rows.start], X.indptr[rows.stop])
        counts = np.diff(X.indptr[rows.start : rows.stop + 1])
        values = of(X.data[part].astype(np.float64)) * np.repeat(weights[rows], counts)
        totals += np.bincount(X.indices[part], values, X.shape[1])
    return totals


def column_deviations(X: Matrix, centre: Array, weights: Array) -> Array:
    """The sum over each column of |x - centre|, by weights of rows; zeros count too."""
    if not is_sparse(X):
        return np.asarray(weights @ np.abs(X - centre))
    totals = weights.sum() * np.abs(centre)
    for rows in slices(X):
        block = X[np.arange(rows.start, rows.stop)] if isinstance(X, PartedRows) else X[rows]
        counts, columns = np.diff(block.indptr), block.indices
        above_zero = np.abs(block.data - centre[columns]) - np.abs(centre[columns])
        totals += np.bincount(columns, above_zero * np.repeat(weights[rows], counts), X.shape[1])
    return np.maximum(totals, 0.0)


def squared_norms(X: Matrix) -> Array:
    """The squared length of every row."""
    if isinstance(X, PartedRows):
        return by_row(squared_norms, X)
    core = native.module("assignment")
    if sp.issparse(X):
        if core is None or X.data.dtype not in (np.float32, np.float64):
            return row_totals(X, np.square)
        squares, totals = np.empty((2, X.shape[0]))
        core.measure(X.indptr.astype(np.int64), X.data, 0, X.shape[0], squares, totals)
        return squares
    if X.dtype != np.float64 or not X.flags.f_contiguous:
        return _squared_norms_by_rows(X)
    parts, cuts = np.zeros((STRETCHES, X.shape[0])), stretches(X.shape[1])

    def add(begin: int, end: int) -> None:
        for part in range(begin, end):
            terms = slice(cuts[part], cuts[part + 1])
            if core is None or X.size < _FEW:
                parts[part] = np.square(X.T[terms]).sum(axis=0)
            else:
                core.squares(X.T, terms.start, terms.stop, parts[part])

    share(add, range(STRETCHES + 1), available() if X.size > _ENTRIES else 1)
    return np.asarray(parts.sum(axis=0))


def _squared_norms_by_rows(X: Array) -> Array:
    """The same of a dense table, some of whose rows at a time are in double precision."""
    squares, step = np.empty(len(X)), max(1, _BLOCK // max(X.shape[1], 1))

    def square(begin: int, end: int) -> None:
        block = X[begin:end].astype(np.float64, copy=False)
        squares[begin:end] = np.einsum("ij,ij->i", block, block)

    cuts = [*range(0, len(X), step), len(X)]
    share(square, cuts, available() if X.size > _ENTRIES else 1)
    return squares


def stretches(d: int) -> Array:
    """Where to cut d terms whose squares are added up, whichever code and threads do it.

    Each stretch is added up term by term, and these sums one after the other, so that no digit
    depends on who does it.
    """
    return np.asarray(np.arange(STRETCHES + 1) * d // STRETCHES)


def scale_rows(X: Matrix, factors: Array) -> Matrix:
    """Each row times its factor; index arrays are shared with X, not copied."""
    if isinstance(X, PartedRows):
        return X.map(scale_rows, factors)
    if not sp.issparse(X):
        return X * factors[:, None].astype(X.dtype)
    return type(X)((_scaled(X, factors), X.indices, X.indptr), shape=X.shape)


def _scaled(X: Matrix, factors: Array) -> Array:
    """The stored values, each times the factor of its row."""
    core, data = native.module("assignment"), np.empty_like(X.data)
    if core is not None and X.data.dtype in (np.float32, np.float64):
        ends = X.indptr.astype(np.int64, copy=False)
        each = np.ascontiguousarray(factors, dtype=np.float64)

        def scale(begin: int, end: int) -> None:
            core.scale(ends, X.data, each, begin, end, data)

        threads = available()
        cuts = np.arange(threads + 1) * X.shape[0] // threads
        share(scale, cuts, threads if X.nnz > _ENTRIES else 1)
        return data
    for rows in slices(X):
        part = slice(X.indptr[rows.start], X.indptr[rows.stop])
        counts = np.diff(X.indptr[rows.start : rows.stop + 1])
        np.multiply(X.data[part], np.repeat(factors[rows].astype(X.dtype), counts), out=data[part])
    return data


def scale_columns(X: Matrix, factors: Array) -> Matrix:
    """Each column times its factor; index arrays are shared with X, not copied."""
    factors = factors.astype(X.dtype)
    if not sp.issparse(X):
        return X * factors
    return type(X)((X.data * factors[X.indices], X.indices, X.indptr), shape=X.shape)


def reordered_rows(table: Matrix, order: Array) -> Matrix:
    """The rows of a matrix in this order; those of a table are put there in place."""
    if sp.issparse(table):
        return table[order]
    core = native.module("assignment")
    if core is None or table.dtype != np.float64 or not table.flags.f_contiguous:
        table[:] = table[order]
    else:
        core.reorder(table.T, order.astype(np.int64, copy=False))
    return table


def slices(X: Matrix) -> Iterator[slice]:
    """The rows of a matrix in runs of a bounded number of stored entries, or single."""
    n, begin = X.shape[0], 0
    ends = X.indptr if is_sparse(X) else np.arange(n + 1) * X.shape[1]
    while begin < n:
        end = int(np.searchsorted(ends, ends[begin] + _ENTRIES, side="right")) - 1
        end = min(n, max(begin + 1, end))
        yield slice(begin, end)
        begin = end


def stacked(X: Matrix, more: Matrix) -> Matrix:
    """The rows of one matrix above those of another, in the float type of the first."""
    if not sp.issparse(X) and not sp.issparse(more):
        return np.vstack([X, more])
    return sp.vstack([sp.csr_array(X), sp.csr_array(more).astype(X.dtype)], format="csr")
