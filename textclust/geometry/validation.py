"""Rows as they come from outside, checked once on the way in."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.csr import sound
from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.parts import PartedRows
from textclust.geometry.rows import canonical

__all__ = ["check_range", "check_weights", "finite_rows", "in_range"]

_SMALLEST, _LARGEST = 1e-90, 1e90  # of a largest value, so that sums of cubes of it stay finite


def finite_rows(X: Matrix) -> Matrix:
    """A table of finite floats, CSR with each entry once where it is sparse; X stays as it is."""
    rows = canonical(sp.csr_array(sound(X))) if sp.issparse(X) else np.asarray(X)
    if rows.ndim != 2 or rows.dtype.kind not in "fiub":
        raise InputError("X must be a table of numbers, a row for each document")
    if not np.isfinite(rows.data if sp.issparse(rows) else rows).all():
        raise InputError("X holds values that are not finite numbers")
    return in_range(rows if rows.dtype in (np.float32, np.float64) else rows.astype(np.float64))


def in_range(X: Matrix) -> Matrix:
    """The same rows; an InputError where sums of their squares are beyond the range of floats."""
    largest = max(X.each(_largest)) if isinstance(X, PartedRows) else _largest(X)
    _check_largest(largest, "X")
    return X


def check_weights(weights: Array, name: str) -> None:
    """An InputError where a weight above 0 is too large or too small to reckon with."""
    check_range(weights, name)
    least = float(weights.min(initial=np.inf, where=weights > 0))
    if least < _SMALLEST:
        raise InputError(
            f"{name} has a weight of {least:.3g}; make it 0, or at least {_SMALLEST:g}"
        )


def check_range(values: Array, name: str) -> None:
    """An InputError where the largest of these values is too large or too small to reckon with."""
    _check_largest(_largest(values), name)


def _largest(values: Matrix) -> float:
    """The largest of these values, or of those of a matrix, whatever their signs."""
    found = values.data if sp.issparse(values) else values
    return max(float(found.max(initial=0.0)), -float(found.min(initial=0.0)))


def _check_largest(largest: float, name: str) -> None:
    if largest > _LARGEST:
        raise InputError(
            f"{name} has values too large to be squared, up to {largest:.3g}; scale them down"
        )
    if 0 < largest < _SMALLEST:
        raise InputError(
            f"{name} has values too small to be squared, {largest:.3g} at most; scale them up"
        )
