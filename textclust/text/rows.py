"""The rows of a .csv, .tsv, .jsonl or .parquet table, one at a time."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, BinaryIO

from textclust.errors import InputError
from textclust.text.decoding import encoding_of, text_lines

if TYPE_CHECKING:
    from pyarrow import RecordBatch

__all__ = [
    "Columns",
    "Row",
    "comma_rows",
    "csv_rows",
    "jsonl_file_rows",
    "jsonl_rows",
    "long_fields",
    "parquet_rows",
    "tab_rows",
]

_LONGEST_CELL = 2**31 - 1


@dataclass(frozen=True)
class Columns:
    """Which column holds what; an optional one may be missing unless it was renamed."""

    text: str = "text"
    id: str | None = "id"
    label: str | None = "label"
    date: str | None = "date"

    def wanted(self, available: Iterable[str]) -> list[str]:
        """Those of our columns that there are."""
        names = (self.text, self.id, self.label, self.date)
        return [name for name in available if name in names]

    def check(self, available: Collection[str], where: str) -> None:
        """Raise an error that lists what is there if a required column is not."""
        kinds = {"id": self.id, "label": self.label, "date": self.date}
        renamed = {kind: name for kind, name in kinds.items() if name and name != kind}
        for kind, name in {"text": self.text, **renamed}.items():
            if name not in available:
                raise InputError(
                    f"{where}: no column {name!r}, only {_listed(available)};"
                    f" name the right one with {kind}_column="
                )


@dataclass(frozen=True)
class Row:
    """The cells of one row, and where it stands: "line 7"."""

    place: str
    cells: Mapping[str, object]


def comma_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .csv file."""
    return csv_rows(path, where, ",", columns)


def tab_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .tsv file."""
    return csv_rows(path, where, "\t", columns)


def csv_rows(path: str, where: str, delimiter: str, columns: Columns) -> Iterator[Row]:
    """The rows below a header line; quotes and line breaks inside fields as in RFC 4180."""
    import csv

    with open(path, "rb") as file:
        encoding = encoding_of(file)
        text = io.TextIOWrapper(file, encoding, "replace", newline="")
        reader = csv.reader(text, delimiter=delimiter, strict=True)
        rows = _with_long_fields(reader)
        line = 1
        try:
            header = [name.strip() for name in next(rows, [])]
            columns.check(header, where)
            line = reader.line_num + 1
            for cells in rows:
                if cells and len(cells) != len(header):
                    raise InputError(
                        f"{where}: line {line}: {len(cells)} fields, but the header has"
                        f" {len(header)}; put fields with a delimiter or line break in quotes"
                    )
                if cells:
                    yield Row(f"line {line}", dict(zip(header, cells, strict=True)))
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"{where}: line {line}: {error}; check the quotes from there on"
            ) from error


def jsonl_file_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .jsonl file."""
    with open(path, "rb") as file:
        yield from jsonl_rows(file, where, columns)


def jsonl_rows(stream: BinaryIO, where: str, columns: Columns) -> Iterator[Row]:
    """One JSON object per line; blank lines are passed over."""
    seen: dict[str, None] = {}
    for number, line in enumerate(text_lines(stream), start=1):
        if not line.strip():
            continue
        cells = _json_object(line, f"{where}: line {number}")
        seen = seen or dict.fromkeys(cells)
        seen.update(dict.fromkeys(columns.wanted(cells)))
        if columns.text not in cells:
            Columns(columns.text).check(cells, f"{where}: line {number}")
        yield Row(f"line {number}", cells)
    if seen:
        columns.check(seen, where)


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
            for batch in file.iter_batches(batch_size=1024, columns=columns.wanted(names)):
                for cells in _python_rows(batch, arrow):
                    number += 1
                    yield Row(f"row {number}", cells)
    except (arrow.ArrowException, OSError) as error:
        if isinstance(error, PermissionError):
            raise
        why = " ".join(str(error).split())[:100]
        raise InputError(f"{where}: table is damaged ({why}); write it again") from error


def _python_rows(batch: RecordBatch, arrow: ModuleType) -> list[dict[str, object]]:
    """Rows as Python objects; moments to the microsecond, as Python knows no finer ones."""
    for i, field in enumerate(batch.schema):
        if arrow.types.is_timestamp(field.type):
            moments = batch.column(i).cast(arrow.timestamp("us", field.type.tz), safe=False)
            batch = batch.set_column(i, field.name, moments)
    rows: list[dict[str, object]] = batch.to_pylist()
    return rows


def _json_object(line: str, where: str) -> dict[str, object]:
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        why = getattr(error, "msg", "too large or too deep")
        raise InputError(
            f'{where}: not valid JSON ({why}); write one object {{"text": ...}} on each line'
        ) from error
    if not isinstance(value, dict):
        raise InputError(f'{where}: not a JSON object; write {{"text": ...}} on each line')
    return value


@contextmanager
def long_fields() -> Iterator[None]:
    """Let a CSV field be as long as a document."""
    import csv

    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _with_long_fields(rows: Iterator[list[str]]) -> Iterator[list[str]]:
    """The same rows; only while one is read do long fields count for all readers."""
    while True:
        with long_fields():
            row = next(rows, None)
        if row is None:
            return
        yield row


def _listed(names: Collection[str]) -> str:
    shown = [repr(name[:40]) for name in islice(names, 20)]
    return ", ".join(shown + ["..."] * (len(names) > 20)) or "an empty table"
