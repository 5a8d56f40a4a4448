"""Sparse matrices from outside, checked where rows enter: compiled code trusts their indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust.errors import InputError

__all__ = ["sound"]


def sound(X: Any) -> Any:
    """The same sparse matrix, whose indices are within its shape; an InputError otherwise.

    What X says of itself, such as that its columns are in order, is found out anew. Arrays are
    shared with X.
    """
    if X.format == "coo":
        for axis, (places, count) in enumerate(zip((X.row, X.col), X.shape, strict=True)):
            _check_places(places, count, ("row", "column")[axis])
        return X
    if X.format not in ("csr", "csc"):
        return X
    rows, columns = X.shape if X.format == "csr" else X.shape[::-1]
    data, indices, indptr = (np.asarray(part) for part in (X.data, X.indices, X.indptr))
    if not data.ndim == indices.ndim == indptr.ndim == 1 or len(data) != len(indices):
        _malformed(f"it has {data.size:,} values and {indices.size:,} indices")
    if indices.dtype.kind != "i" or indptr.dtype.kind != "i":
        _malformed("its indices are not whole numbers")
    if len(indptr) != rows + 1 or indptr[0] != 0 or indptr[-1] > len(data):
        _malformed(f"its indptr does not fit {rows:,} rows of {len(data):,} values in all")
    if (indptr[1:] < indptr[:-1]).any():
        _malformed("its indptr falls")
    _check_places(indices[: indptr[-1]], columns, "column" if X.format == "csr" else "row")
    return type(X)((data[: indptr[-1]], indices[: indptr[-1]], indptr), shape=X.shape)


def _check_places(places: Any, count: int, what: str) -> None:
    if len(places) and (places.min() < 0 or places.max() >= count):
        wrong = int(places.min() if places.min() < 0 else places.max())
        _malformed(f"an entry is in {what} {wrong:,}, and there are {count:,}")


def _malformed(why: str) -> None:
    raise InputError(f"X is a malformed sparse matrix: {why}; build it anew with scipy.sparse")
