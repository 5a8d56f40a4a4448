"""Arrays on their way to a file: the checksum is taken as they go by, and few are copied."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from math import prod
from typing import IO, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from textclust.geometry.affine import Matrix, as_table

__all__ = ["CSR_PARTS", "read_table", "table_parts", "write_arrays"]

CSR_PARTS = ("data", "indices", "indptr")
_SPARSE = 1 / 3  # non-zeros among the entries: half of what a table takes, with their columns


def write_arrays(file: IO[bytes], arrays: Mapping[str, NDArray[np.generic]]) -> str:
    """Write what `np.load` reads; the SHA-256 of all that was written.

    Compressed it would take thirty times as long.
    """
    passing = _Hashed(file)
    with zipfile.ZipFile(passing, "w", zipfile.ZIP_STORED) as archive:
        for name, values in arrays.items():
            array = np.asarray(values)
            if not array.flags.forc:
                array = np.ascontiguousarray(array)
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                header = np.lib.format.header_data_from_array_1_0(array)
                np.lib.format.write_array_header_1_0(member, header)
                member.write(array.ravel(order="K").view(np.uint8).data)
    return passing.sha256.hexdigest()


def table_parts(name: str, table: Matrix) -> dict[str, NDArray[Any]]:
    """The arrays that a table is written as: itself, or those of CSR where it is mostly zeros.

    A CSR matrix is one again when it is read.
    """
    kept = sp.issparse(table)
    if not kept and np.count_nonzero(table) > _SPARSE * table.size:
        return {name: table}
    rows = sp.csr_array(table)
    parts = {f"{name}_{part}": getattr(rows, part) for part in CSR_PARTS}
    stays = {f"{name}_stays": np.array(True)} if kept else {}
    return {**parts, f"{name}_shape": np.array(table.shape), **stays}


def read_table(name: str, arrays: Mapping[str, NDArray[Any]], room: float) -> Matrix:
    """The table that `table_parts` made arrays of; CSR again, where it was that.

    A table that was written sparse takes no more than so many bytes.
    """
    if name in arrays:
        return arrays[name]
    for each in (*CSR_PARTS, "shape"):
        if f"{name}_{each}" not in arrays:
            raise ValueError(f"{name}_{each} is missing")
    data, indices, indptr = (arrays[f"{name}_{part}"] for part in CSR_PARTS)
    shape = tuple(arrays[f"{name}_shape"].tolist())
    stays = bool(arrays.get(f"{name}_stays", False))
    too_large = not stays and prod(shape) * data.itemsize > room
    if len(shape) != 2 or shape[0] != len(indptr) - 1 or too_large:
        raise ValueError(f"{name}_shape is {shape}, which does not fit the rest")
    rows = sp.csr_array((data, indices, indptr), shape=shape)
    rows.check_format(full_check=True)
    return rows if stays else as_table(rows)


class _Hashed(io.RawIOBase):
    """A file that is written from its beginning to its end, and hashed."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file = file
        self.sha256 = hashlib.sha256()

    def write(self, data: Any) -> int:
        self.sha256.update(data)
        return self._file.write(data)
