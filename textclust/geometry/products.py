"""Products of rows with a dense table, by several threads."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Matrix
from textclust.threads import share, thread_count

__all__ = ["product"]

_PARTS = 8  # of a product,
_FEW = 1 << 16  # if it has more entries than this


def product(X: Matrix, dense: Array, threads: int | None = None) -> Array:
    """X times a dense table, in parts if there are several threads: a row does not see others."""
    found = np.empty((X.shape[0], dense.shape[1]), dtype=np.result_type(X.dtype, dense.dtype))

    def fill(begin: int, end: int) -> None:
        found[begin:end] = _part(X, begin, end) @ dense

    workers = thread_count(threads)
    parts = _PARTS if workers > 1 and found.size > _FEW else 1
    share(fill, np.linspace(0, len(found), parts + 1).astype(int), workers)
    return found


def _part(X: Matrix, begin: int, end: int) -> Matrix:
    """Rows that follow each other, in the same memory."""
    if not sp.issparse(X):
        return X[begin:end]
    first, last = X.indptr[begin], X.indptr[end]
    parts = X.data[first:last], X.indices[first:last], X.indptr[begin : end + 1] - first
    return sp.csr_array(parts, shape=(end - begin, X.shape[1]))
