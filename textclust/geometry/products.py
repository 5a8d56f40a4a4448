"""Products of rows with a dense table, by several threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust import native
from textclust.geometry.affine import Array, Matrix
from textclust.threads import share, thread_count

__all__ = ["product"]

_PARTS = 8  # of a product,
_FEW = 1 << 16  # if it has more entries than this


def product(X: Matrix, dense: Array, threads: int | None = None) -> Array:
    """X times a dense table, in parts if there are several threads: a row does not see others."""
    found = np.empty((X.shape[0], dense.shape[1]), dtype=np.result_type(X.dtype, dense.dtype))
    core = _core(X, dense)
    ends = X.indptr.astype(np.int64, copy=False) if core is not None else None

    def fill(begin: int, end: int) -> None:
        if core is not None:
            core.multiply(ends, X.indices, X.data, dense, found, begin, end)
        else:
            found[begin:end] = _part(X, begin, end) @ dense

    workers = thread_count(threads)
    parts = _PARTS if workers > 1 and found.size > _FEW else 1
    share(fill, np.linspace(0, len(found), parts + 1).astype(int), workers)
    return found


def _core(X: Matrix, dense: Array) -> Any:
    """The compiled core, if it can: both in single precision, columns of 32 bits."""
    suits = (
        sp.issparse(X)
        and X.format == "csr"
        and X.data.dtype == dense.dtype == np.dtype(np.float32)
        and X.indices.dtype == np.int32
        and dense.flags.c_contiguous
    )
    return native.module("products") if suits else None


def _part(X: Matrix, begin: int, end: int) -> Matrix:
    """Rows that follow each other, in the same memory."""
    if not sp.issparse(X):
        return X[begin:end]
    first, last = X.indptr[begin], X.indptr[end]
    parts = X.data[first:last], X.indices[first:last], X.indptr[begin : end + 1] - first
    return sp.csr_array(parts, shape=(end - begin, X.shape[1]))
