"""Rows as they come from outside, checked once on the way in."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Matrix
from textclust.geometry.rows import canonical

__all__ = ["finite_rows"]


def finite_rows(X: Matrix) -> Matrix:
    """A table of finite floats, CSR with each entry once where it is sparse; X stays as it is."""
    rows = canonical(sp.csr_array(X)) if sp.issparse(X) else np.asarray(X)
    if rows.ndim != 2 or rows.dtype.kind not in "fiub":
        raise InputError("X must be a table of numbers, a row for each document")
    if not np.isfinite(rows.data if sp.issparse(rows) else rows).all():
        raise InputError("X holds values that are not finite numbers")
    return rows if rows.dtype in (np.float32, np.float64) else rows.astype(np.float64)
