"""Products of rows with a dense table, by several threads."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Matrix
from textclust.threads import share, thread_count

__all__ = ["product"]

_PARTS = 8  # of a product,
_FEW = 1 << 16  # if it has more entries than this


def product(X: Matrix, dense: Array, threads: int | None = None) -> Array:
    """X times a dense table, in parts that do not depend on the number of threads."""
    found = np.empty((X.shape[0], dense.shape[1]), dtype=np.result_type(X.dtype, dense.dtype))

    def fill(begin: int, end: int) -> None:
        found[begin:end] = X[begin:end] @ dense

    parts = _PARTS if found.size > _FEW else 1
    share(fill, np.linspace(0, len(found), parts + 1).astype(int), thread_count(threads))
    return found
