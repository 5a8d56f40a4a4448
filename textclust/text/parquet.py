"""The rows of a Parquet table."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from textclust.errors import InputError
from textclust.text.rows import Columns, Row

if TYPE_CHECKING:
    from pyarrow import RecordBatch

__all__ = ["parquet_rows"]

_AT_ONCE = 1024  # rows


def parquet_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a Parquet file, only our columns, a batch at a time."""
    try:
        arrow = import_module("pyarrow")
        parquet = import_module("pyarrow.parquet")
    except ImportError as error:
        raise InputError(
            f'{where}: reading .parquet needs pyarrow; pip install "textclust[parquet]"'
        ) from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            columns.check(names, where)
            for batch in file.iter_batches(batch_size=_AT_ONCE, columns=columns.wanted(names)):
                for cells in _python_rows(batch, arrow, where, number):
                    number += 1
                    yield Row(f"row {number}", cells)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, PermissionError):
            raise
        raise InputError(
            f"{where}: the table is damaged ({_in_short(error)}); write it again"
        ) from error


def _python_rows(
    batch: RecordBatch, arrow: ModuleType, where: str, before: int
) -> list[dict[str, object]]:
    """Rows as Python objects; moments to the microsecond, as Python knows no finer ones."""
    try:
        for i, field in enumerate(batch.schema):
            if arrow.types.is_timestamp(field.type):
                moments = batch.column(i).cast(arrow.timestamp("us", field.type.tz), safe=False)
                batch = batch.set_column(i, field.name, moments)
        rows: list[dict[str, object]] = batch.to_pylist()
    except (ValueError, OverflowError, LookupError) as error:
        last = before + batch.num_rows
        raise InputError(
            f"{where}: rows {before + 1} to {last}: {_wrong_cell(batch)}cannot be read"
            f" ({_in_short(error)}); correct the cell"
        ) from error
    return rows


def _wrong_cell(batch: RecordBatch) -> str:
    """Which column has a cell that is none, for a message."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            column.to_pylist()
        except (ValueError, OverflowError, LookupError):
            return f"a cell of {name!r} "
    return ""


def _in_short(error: Exception) -> str:
    return " ".join(str(error).split())[:100]
