"""Sums of many clusters, kept as CSR where a table would be large and mostly zeros.

A cluster has no more terms than its documents do, so that all sums together have no more entries
than the documents. What is kept is what a table would hold, to the last bit: documents are added
in their order, squares in that of the terms. A CSR matrix of sums has its terms in order and no
zeros, and is never changed in place: who moves documents makes another.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.grid import rounded_values
from textclust.geometry.rows import STRETCHES, slices, squared_norms, stretches
from textclust.threads import share, thread_count

__all__ = [
    "KNOWN_TO",
    "by_cluster",
    "mostly_zeros",
    "replaced",
    "row_entries",
    "sparse_sums",
    "squares_of",
    "with_room",
]

KNOWN_TO = ("cosine", "euclidean")  # the distortions that take sums in CSR

_LARGE = 1 << 27  # entries of a table, 1 GB in double precision: from here on sums are sparse,
_SHARE = 3  # if there are not so many times fewer entries than that in the documents
_ENTRIES = 1 << 20  # of documents that are added up at a time


def mostly_zeros(shape: tuple[int, int], entries: int) -> bool:
    """Whether a table with no more entries than so many would be large, and most of it zeros."""
    size = shape[0] * shape[1]
    return size >= _LARGE and size >= _SHARE * entries


def sparse_sums(
    X: Matrix,
    labels: Labels,
    weights: Array,
    k: int,
    grid: float = 0.0,
    rows: Labels | None = None,
    threads: int | None = 1,
) -> sp.csr_array:
    """The sums of the weighted rows of each cluster; of some rows alone, where these are named.

    Values are rounded to multiples of the grid before, where that is not 0. Labels and weights are
    those of all rows.
    """
    every = np.arange(X.shape[0]) if rows is None else rows
    order = every[np.argsort(labels[every], kind="stable")]
    starts = np.searchsorted(labels[order], np.arange(k + 1))
    runs = list(_runs(np.diff(X.indptr)[order], starts))
    found: dict[int, sp.csr_array] = {}

    def add(begin: int, end: int) -> None:
        for run in runs[begin:end]:
            some = order[starts[run.start] : starts[run.stop]]
            Y, ends = X[some], starts[run.start : run.stop + 1] - starts[run.start]
            values = _weighted(Y, weights[some].astype(np.float64, copy=False), grid)
            part = _csr(np.ones(len(some)), np.arange(len(some)), ends, len(some))
            part = part @ _csr(values, Y.indices, Y.indptr, X.shape[1])
            part.sort_indices()
            part.eliminate_zeros()
            found[run.start] = part

    share(add, range(len(runs) + 1), thread_count(threads))
    return sp.csr_array(sp.vstack([found[run.start] for run in runs], format="csr"))


def _csr(values: Array, columns: Array, ends: Array, width: int) -> sp.csr_array:
    """A CSR matrix with indices of 32 bits where these will do."""
    wide = np.int64 if max(len(values), width) > np.iinfo(np.int32).max else np.int32
    parts = (values, columns.astype(wide, copy=False), ends.astype(wide, copy=False))
    return sp.csr_array(parts, shape=(len(ends) - 1, width))


def _weighted(X: Matrix, weights: Array, grid: float) -> Array:
    """The stored values of the weighted rows, rounded where there is a grid."""
    if grid:
        return rounded_values(X, weights, grid)
    return np.asarray(np.repeat(weights, np.diff(X.indptr)) * X.data)


def _runs(entries: Array, starts: Array) -> Iterator[slice]:
    """Clusters that follow one another, with a bounded number of entries together or single."""
    ends, begin, k = np.concatenate([[0], np.cumsum(entries)])[starts], 0, len(starts) - 1
    while begin < k:
        end = int(np.searchsorted(ends, ends[begin] + _ENTRIES, side="right")) - 1
        end = min(k, max(begin + 1, end))
        yield slice(begin, end)
        begin = end


def replaced(sums: Matrix, clusters: Labels, by: sp.csr_array) -> sp.csr_array:
    """The sums with those of some ascending clusters instead of what they were."""
    if len(clusters) == sums.shape[0]:
        return by
    sums = sp.csr_array(sums)
    counts = np.diff(sums.indptr).astype(np.int64)
    counts[clusters] = np.diff(by.indptr)
    ends = np.concatenate([[0], np.cumsum(counts)])
    values, terms = np.empty(ends[-1]), np.empty(ends[-1], dtype=sums.indices.dtype)
    places = np.full(len(counts), -1)
    places[clusters] = np.arange(len(clusters))
    for h, place in enumerate(places.tolist()):
        source, row = (sums, h) if place < 0 else (by, place)
        entries = slice(source.indptr[row], source.indptr[row + 1])
        values[ends[h] : ends[h + 1]] = source.data[entries]
        terms[ends[h] : ends[h + 1]] = source.indices[entries]
    return _csr(values, terms, ends, sums.shape[1])


def with_room(sums: sp.csr_array, X: Matrix, rows: Labels, clusters: Labels) -> sp.csr_array:
    """A copy with an entry, which may be zero, for every term of some rows in their clusters."""
    there = sp.csr_array((np.ones(sums.nnz, np.int8), sums.indices, sums.indptr), shape=sums.shape)
    some = X[rows]
    wanted = sp.csr_array((np.ones(some.nnz), some.indices, some.indptr), shape=some.shape)
    wanted = sparse_sums(wanted, clusters, np.ones(len(rows)), sums.shape[0])
    added = sp.csr_array(
        (np.full(wanted.nnz, 2, np.int8), wanted.indices, wanted.indptr), shape=sums.shape
    )
    both = there + added  # 1 or 3 where there is an entry already
    values = np.zeros(both.nnz)
    values[both.data != 2] = sums.data
    return sp.csr_array((values, both.indices, both.indptr), shape=sums.shape)


def row_entries(sums: Matrix, h: int, terms: Array) -> tuple[Array, Array]:
    """An array and the places in it of some terms of a cluster's sum, to read and to change.

    Of a CSR matrix, of terms that it has entries for.
    """
    if not sp.issparse(sums):
        return sums[h], terms
    begin, end = sums.indptr[h], sums.indptr[h + 1]
    return sums.data, begin + np.searchsorted(sums.indices[begin:end], terms)


def squares_of(sums: Matrix) -> Array:
    """The squared length of each cluster's sum, the same of a table and of CSR."""
    if not sp.issparse(sums):
        return squared_norms(sums)
    cuts, parts = stretches(sums.shape[1]), np.zeros((STRETCHES, sums.shape[0]))
    for some in slices(sums):
        entries = slice(sums.indptr[some.start], sums.indptr[some.stop])
        stretch = np.searchsorted(cuts[1:], sums.indices[entries], side="right")
        ends = sums.indptr[some.start : some.stop + 1] - sums.indptr[some.start]
        squares = (np.square(sums.data[entries]), stretch, ends)
        shape = (some.stop - some.start, STRETCHES)
        parts[:, some] = (sp.csr_array(squares, shape=shape) @ np.eye(STRETCHES)).T
    return np.asarray(parts.sum(axis=0))


def by_cluster(
    operation: np.ufunc, sums: Matrix, values: Array, out: Array | None = None
) -> Matrix:
    """What an operation makes of the sums of each cluster and a value for it; zeros stay."""
    if not sp.issparse(sums):
        return operation(sums, values[:, None], out=out)
    found = np.empty(sums.nnz)
    for some in slices(sums):
        entries = slice(sums.indptr[some.start], sums.indptr[some.stop])
        counts = np.diff(sums.indptr[some.start : some.stop + 1])
        operation(sums.data[entries], np.repeat(values[some], counts), out=found[entries])
    return sp.csr_array((found, sums.indices, sums.indptr), shape=sums.shape)
