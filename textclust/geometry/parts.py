"""Rows that lie elsewhere, in parts: what is said of rows one by one is said where they lie.

Whoever needs some of the rows by number takes them as of any matrix, and has them here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix, costs

if TYPE_CHECKING:
    from textclust.geometry.assignment import AssignmentBackend

__all__ = ["PartedRows", "by_row", "is_sparse", "refuse_parts", "table"]

T = TypeVar("T")


class PartedRows(ABC):
    """The rows of one CSR matrix, in the order of its parts."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]: ...

    @property
    @abstractmethod
    def nnz(self) -> int:
        """The stored entries of all parts."""

    @property
    @abstractmethod
    def indptr(self) -> Array:
        """Where the entries of each row end, as in a CSR matrix; of all rows, on this machine."""

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]: ...

    @abstractmethod
    def __getitem__(self, rows: Labels) -> Matrix:
        """Some rows, in this order, as a matrix on this machine."""

    @abstractmethod
    def each(self, of_rows: Callable[..., T], *by_row: Array) -> list[T]:
        """What a function makes of each part, and of its share of arrays with a value a row."""

    @abstractmethod
    def map(self, of_rows: Callable[..., Matrix], *by_row: Array) -> Self:
        """The same with the rows that a function makes of those of each part."""

    @abstractmethod
    def here(self) -> Iterator[Matrix]:
        """Each part on this machine, one after the other."""

    @abstractmethod
    def backend(self, grid: float) -> AssignmentBackend:
        """Who can be asked about all these rows."""


def is_sparse(X: Matrix) -> bool:
    """Whether zeros are not stored, wherever the rows lie."""
    return isinstance(X, PartedRows) or bool(sp.issparse(X))


def table(X: Matrix, form: AffineForm) -> Array:
    """The costs of all rows in all clusters of a form, wherever the rows lie."""
    if isinstance(X, PartedRows):
        return np.concatenate(X.each(partial(costs, form=form)))
    return costs(X, form)


def by_row(of_rows: Callable[[Matrix], Array], X: PartedRows) -> Array:
    """A value for each row, from a function that gives one."""
    return np.concatenate(X.each(of_rows))


def refuse_parts(X: Matrix, what: str) -> None:
    """Raise an InputError for what can only be done where all rows are on one machine."""
    if isinstance(X, PartedRows):
        raise InputError(
            f"{what} needs all rows on one machine, and those of X lie in parts with workers; "
            "X[rows] brings some of them here"
        )
