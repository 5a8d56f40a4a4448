"""A CSR matrix in parts that lie with the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import scipy.sparse as sp
from distributed import Client, Future

from textclust.distributed.asking import ask
from textclust.distributed.part import Part
from textclust.distributed.sent import OnWorkers
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.parts import PartedRows
from textclust.geometry.rows import canonical

if TYPE_CHECKING:
    from textclust.distributed.backend import PartitionedBackend

__all__ = ["PartitionedMatrix"]

T = TypeVar("T")


class _Size(NamedTuple):
    """What the driver knows of a part without its rows."""

    rows: int
    columns: int
    entries: int
    dtype: str
    finite: bool


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedMatrix(PartedRows):
    """The rows of one matrix, in the order of its parts; estimators take it as they take CSR.

    A part is the future of a `Part`. What makes it has to be able to make it again: when a worker
    is lost, Dask does.
    """

    client: Client
    parts: tuple[Future[Any], ...]
    sizes: tuple[_Size, ...]

    @classmethod
    def from_futures(cls, client: Client, matrices: Sequence[Future[Any]]) -> PartitionedMatrix:
        """The rows of these futures of CSR matrices of the same columns, one below the other."""
        parts = [client.submit(_checked, matrix, pure=False) for matrix in matrices]
        return cls.of_parts(client, parts)

    @classmethod
    def of_parts(cls, client: Client, parts: Sequence[Future[Any]]) -> PartitionedMatrix:
        if not parts:
            raise InputError("a matrix in parts needs at least one part")
        sizes = tuple(ask(client, _size, parts))
        widths = {size.columns for size in sizes}
        if len(widths) > 1:
            raise InputError(f"parts of one matrix have the same columns; got {sorted(widths)}")
        if len({size.dtype for size in sizes}) > 1:
            raise InputError("the values of all parts must be of the same type")
        for number, size in enumerate(sizes):
            if not size.finite:
                raise InputError(f"part {number} of X has values that are not finite numbers")
        return cls(client, tuple(parts), sizes)

    @cached_property
    def offsets(self) -> Array:
        """The number of the first row of each part, and of all rows."""
        return np.concatenate([[0], np.cumsum([size.rows for size in self.sizes])])

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.offsets[-1]), self.sizes[0].columns

    @property
    def nnz(self) -> int:
        return sum(size.entries for size in self.sizes)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.sizes[0].dtype)

    @property
    def indptr(self) -> Array:
        return np.concatenate([[0], np.cumsum(np.concatenate(self.each(_row_entries)))])

    def __len__(self) -> int:
        raise TypeError("the length of a matrix is ambiguous; use X.shape[0]")

    def __repr__(self) -> str:
        n, d = self.shape
        return f"<{n:,} x {d:,} matrix in {len(self.parts)} parts, {self.nnz:,} stored entries>"

    def __getitem__(self, rows: Labels) -> Matrix:
        rows = np.asarray(rows)
        if rows.dtype == bool:
            rows = np.flatnonzero(rows)
        wanted, place = np.unique(rows, return_inverse=True)
        if len(wanted) and not 0 <= wanted[0] <= wanted[-1] < self.shape[0]:
            raise IndexError(f"rows are numbered from 0 to {self.shape[0] - 1}")
        shares = self.shares(wanted)
        asked = [number for number, share in enumerate(shares) if len(share)]
        found = self.ask(_rows, [(shares[number],) for number in asked], only=asked)
        if not found:
            return sp.csr_array((0, self.shape[1]), dtype=self.dtype)
        there = sp.vstack(found, format="csr")
        return there if np.array_equal(wanted, rows) else sp.csr_array(there[place])

    def shares(self, rows: Labels) -> list[Labels]:
        """Ascending rows by their numbers in each part."""
        cuts = np.searchsorted(rows, self.offsets)
        return [
            rows[begin:end] - first
            for begin, end, first in zip(cuts[:-1], cuts[1:], self.offsets[:-1], strict=True)
        ]

    def split(self, values: Array) -> list[Array]:
        """An array with a value for each row by part."""
        return np.split(values, self.offsets[1:-1])

    def each(self, of_rows: Callable[..., T], *by_row: Array) -> list[T]:
        return ask(
            self.client,
            _of_rows,
            self.parts,
            self._shared_out(by_row),
            OnWorkers(lambda: of_rows),
        )

    def map(self, of_rows: Callable[..., Matrix], *by_row: Array) -> PartitionedMatrix:
        parts = [
            self.client.submit(_mapped, part, of_rows, *more, pure=False)
            for part, more in zip(self.parts, self._shared_out(by_row), strict=True)
        ]
        return PartitionedMatrix.of_parts(self.client, parts)

    def of(self, rows: Labels) -> PartitionedMatrix:
        """Some ascending rows, where they lie."""
        parts = [
            self.client.submit(_mapped, part, _take, share, pure=False)
            for part, share in zip(self.parts, self.shares(rows), strict=True)
        ]
        return PartitionedMatrix.of_parts(self.client, parts)

    def here(self) -> Iterator[Matrix]:
        for number in range(len(self.parts)):
            (rows,) = self.ask(_of_rows, [(canonical,)], only=[number])
            yield rows

    def backend(self, grid: float) -> PartitionedBackend:
        from textclust.distributed.backend import PartitionedBackend

        return PartitionedBackend(self, grid)

    def ask(
        self,
        of_part: Callable[..., T],
        given: Sequence[tuple[object, ...]] | None = None,
        only: Sequence[int] | None = None,
    ) -> list[T]:
        """What a function makes of the parts, or only some, and of what it is given for each."""
        parts = self.parts if only is None else [self.parts[number] for number in only]
        return ask(self.client, of_part, parts, given)

    def _shared_out(self, by_row: Sequence[Array]) -> list[tuple[object, ...]]:
        columns = [self.split(np.asarray(values)) for values in by_row]
        return [tuple(column[p] for column in columns) for p in range(len(self.parts))]


def _checked(matrix: Matrix) -> Part:
    """A part of these rows, each entry once and in order, in a type that estimators take."""
    if not sp.issparse(matrix):
        raise InputError(f"a part must be a sparse matrix; got {type(matrix).__name__}")
    rows = sp.csr_array(matrix)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    return Part(canonical(rows))


def _size(part: Part) -> _Size:
    rows = part.rows
    finite = bool(np.isfinite(rows.data).all())
    return _Size(rows.shape[0], rows.shape[1], int(rows.nnz), rows.dtype.str, finite)


def _rows(part: Part, rows: Labels) -> Matrix:
    return _take(part.rows, rows)


def _of_rows(part: Part, of_rows: Callable[..., T], *by_row: Array) -> T:
    return of_rows(part.rows, *by_row)


def _mapped(part: Part, of_rows: Callable[..., Matrix], *by_row: Array) -> Part:
    return Part(of_rows(part.rows, *by_row))


def _take(rows: Matrix, wanted: Labels) -> Matrix:
    return canonical(sp.csr_array(rows[wanted]))


def _row_entries(rows: Matrix) -> Array:
    return np.diff(rows.indptr)
