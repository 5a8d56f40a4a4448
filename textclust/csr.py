"""Sparse matrices from outside, checked where rows enter: compiled code trusts their indices."""

from __future__ import annotations

from typing import Any, Never

import numpy as np

from textclust.errors import InputError

__all__ = ["sound"]


def sound(X: Any) -> Any:
    """The same sparse matrix, whose indices are within its shape; an InputError otherwise.

    What X says of itself, such as that its columns are in order, is found out anew. Arrays are
    shared with X; a format without arrays of indices becomes COO.
    """
    if len(X.shape) != 2:
        raise InputError(f"X has {len(X.shape)} dimension, not 2; give a matrix of a row for each")
    if X.format == "coo":
        return _sound_coo(X)
    if X.format not in ("csr", "csc", "bsr"):
        return _sound_coo(_as_coo(X))
    blocks = _blocks(X)
    rows, columns = blocks[::-1] if X.format == "csc" else blocks
    data, indices, indptr = (np.asarray(part) for part in (X.data, X.indices, X.indptr))
    if data.ndim != (3 if X.format == "bsr" else 1) or not indices.ndim == indptr.ndim == 1:
        _malformed("its parts have other dimensions than they should")
    if len(data) != len(indices):
        _malformed(f"it has {len(data):,} values and {len(indices):,} indices")
    if indices.dtype.kind != "i" or indptr.dtype.kind != "i":
        _malformed("its indices are not whole numbers")
    if len(indptr) != rows + 1 or indptr[0] != 0 or indptr[-1] > len(data):
        _malformed(f"its indptr does not fit {rows:,} rows of {len(data):,} values in all")
    if (indptr[1:] < indptr[:-1]).any():
        _malformed("its indptr falls")
    _check_places(indices[: indptr[-1]], columns, "row" if X.format == "csc" else "column")
    return type(X)((data[: indptr[-1]], indices[: indptr[-1]], indptr), shape=X.shape)


def _blocks(X: Any) -> tuple[int, int]:
    """How many rows and columns there are, of blocks where it is made of these."""
    if X.format != "bsr":
        return X.shape[0], X.shape[1]
    if X.data.ndim != 3 or 0 in X.data.shape[1:]:
        _malformed("its values are no blocks")
    (rows, columns), (height, width) = X.shape, X.data.shape[1:]
    if rows % height or columns % width:
        _malformed(f"blocks of {height} x {width} do not fit {rows:,} rows of {columns:,} columns")
    return rows // height, columns // width


def _as_coo(X: Any) -> Any:
    """A matrix of another format; compiled code fills arrays whose length is that of its lists."""
    if X.format == "lil" and [*map(len, X.rows)] != [*map(len, X.data)]:
        _malformed("its rows have other lengths than its values")
    try:
        return X.tocoo()
    except (ValueError, LookupError, TypeError, OverflowError) as error:
        _malformed(str(error))


def _sound_coo(X: Any) -> Any:
    row, column, data = (np.asarray(part) for part in (X.row, X.col, X.data))
    if not row.shape == column.shape == data.shape or data.ndim != 1:
        _malformed("its parts are of different lengths")
    if row.dtype.kind != "i" or column.dtype.kind != "i":
        _malformed("its indices are not whole numbers")
    for places, count, what in zip((row, column), X.shape, ("row", "column"), strict=True):
        _check_places(places, count, what)
    return X


def _check_places(places: Any, count: int, what: str) -> None:
    if len(places) and (places.min() < 0 or places.max() >= count):
        wrong = int(places.min() if places.min() < 0 else places.max())
        _malformed(f"an entry is in {what} {wrong:,}, and there are {count:,}")


def _malformed(why: str) -> Never:
    raise InputError(f"X is a malformed sparse matrix: {why}; build it anew with scipy.sparse")
