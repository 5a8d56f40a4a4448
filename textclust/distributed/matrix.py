"""A CSR matrix in parts that lie with the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from distributed import Client, Future

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.rows import canonical

__all__ = ["PartInfo", "PartitionedMatrix"]


class PartInfo(NamedTuple):
    """What the driver knows of a part without its rows."""

    rows: int
    columns: int
    entries: int
    dtype: str


@dataclass(frozen=True, eq=False)
class PartitionedMatrix:
    """The rows of one matrix, in the order of its parts.

    A part is a future of a CSR matrix. Whatever makes it has to be able to make it again: when a
    worker is lost, Dask does.
    """

    client: Client
    parts: tuple[Future, ...]
    about: tuple[PartInfo, ...]

    @classmethod
    def from_parts(cls, client: Client, parts: Sequence[Future]) -> PartitionedMatrix:
        """These parts, as soon as they are there."""
        about = client.gather([client.submit(_about, part) for part in parts])
        return cls(client, tuple(parts), tuple(about))

    @cached_property
    def offsets(self) -> Array:
        """The number of the first row of each part, and of all rows."""
        return np.concatenate([[0], np.cumsum([part.rows for part in self.about])])

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.offsets[-1]), self.about[0].columns

    @property
    def nnz(self) -> int:
        """The stored entries of all parts."""
        return sum(part.entries for part in self.about)

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(self.about[0].dtype)

    def map(self, of_rows: Callable[[Matrix], Matrix]) -> PartitionedMatrix:
        """The same with what a function makes of the rows of each part, one for one."""
        parts = [self.client.submit(of_rows, part) for part in self.parts]
        return PartitionedMatrix.from_parts(self.client, parts)

    def places(self, rows: Labels) -> tuple[Labels, Labels]:
        """The part that each row is in, and its number there."""
        part = np.searchsorted(self.offsets, rows, side="right") - 1
        return part, rows - self.offsets[part]

    def take(self, rows: Labels) -> Matrix:
        """Some ascending rows, on this machine."""
        part, place = self.places(rows)
        wanted = np.unique(part)
        found = self.client.gather(
            [self.client.submit(_take, self.parts[p], place[part == p]) for p in wanted.tolist()]
        )
        if not found:
            return sp.csr_array((0, self.shape[1]), dtype=self.dtype)
        return sp.csr_array(sp.vstack(found, format="csr"))


def _about(part: Matrix) -> PartInfo:
    return PartInfo(*part.shape, part.nnz, str(part.dtype))


def _take(part: Matrix, rows: Labels) -> Matrix:
    return canonical(sp.csr_array(part[rows]))
