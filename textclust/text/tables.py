"""A table as a corpus: every row is a document."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from math import isnan
from typing import BinaryIO

from textclust.errors import InputError
from textclust.progress import track
from textclust.registry import load
from textclust.text import reader_of
from textclust.text.catalogue import Catalogue, Entry, Skipped, Source, entry_of, if_any
from textclust.text.cleaning import Cleaning, clean
from textclust.text.dates import cell_date
from textclust.text.decoding import decode, encodable
from textclust.text.limits import Limits
from textclust.text.rows import Columns, Row, jsonl_rows

__all__ = ["read_jsonl", "read_standard_input", "read_table"]


def read_table(
    path: str, where: str, columns: Columns, cleaning: Cleaning, limits: Limits
) -> Source:
    """The documents of a table, read by the ending of its name; `where` names it in messages."""
    reader = reader_of(path)
    assert reader is not None
    rows_of = load(reader.place)
    rows = rows_of(path, where, columns, *([limits] if reader.limited else []))
    return (yield from _source(rows, where, columns, cleaning, limits))


def read_standard_input(
    stream: BinaryIO | None, columns: Columns, cleaning: Cleaning, limits: Limits
) -> Source:
    """The documents of JSONL that comes in on standard input, or on `stream`."""
    return read_jsonl(stream or sys.stdin.buffer, "standard input", columns, cleaning, limits)


def read_jsonl(
    stream: BinaryIO, where: str, columns: Columns, cleaning: Cleaning, limits: Limits
) -> Source:
    """The documents of JSONL that comes in on a stream; `where` names it in messages."""
    return _source(jsonl_rows(stream, where, columns), where, columns, cleaning, limits)


def _source(
    rows: Iterator[Row | Skipped],
    where: str,
    columns: Columns,
    cleaning: Cleaning,
    limits: Limits,
) -> Source:
    cell = partial(_name, where=where, longest=limits.name_length)
    ids, labels, groups = _Ids(where), list[str | None](), list[str | None]()
    entries: list[Entry] = []
    skipped: list[Skipped] = []
    for row in track(rows, "reading"):
        if isinstance(row, Skipped):
            skipped.append(row)
            continue
        whole, name = _text(row, where, columns.text), cell(row, columns.id)
        is_left_out = limits.are_exceeded_by(whole)
        ids.add(name, row.place, is_left_out=is_left_out)
        if is_left_out:
            skipped.append(Skipped(name or row.place, limits.too_large))
            continue
        text, sent = clean(whole, cleaning)
        labels.append(cell(row, columns.label))
        groups.append(cell(row, columns.group))
        entries.append(entry_of(text, cell_date(row.cells.get(columns.date or "")) or sent))
        yield text
    rows_in_order = list(range(len(entries)))
    return Catalogue(
        ids.final(), if_any(labels), entries, rows_in_order, skipped, groups=if_any(groups)
    )


class _Ids:
    """The ids of a table so far: all of them different, and either every row has one or none."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._places: dict[str, str] = {}
        self._without: list[str] = []
        self._left_out: set[str] = set()  # places

    def add(self, name: str | None, place: str, *, is_left_out: bool) -> None:
        if is_left_out:
            self._left_out.add(place)
        if name is None:
            self._without.append(place)
        elif name in self._places:
            raise InputError(
                f"{self._where}: {self._places[name]} and {place} have the same id"
                f" {name[:80]!r}; give each row its own"
            )
        else:
            self._places[name] = place

    def final(self) -> list[str]:
        if not self._places:
            numbered = enumerate(self._without, start=1)
            return [str(number) for number, place in numbered if place not in self._left_out]
        if self._without:
            raise InputError(
                f"{self._where}: {self._without[0]} has no id; give every row one, or none"
            )
        return [name for name, place in self._places.items() if place not in self._left_out]


def _text(row: Row, where: str, column: str) -> str:
    value = row.cells.get(column)
    if isinstance(value, bytes):
        return decode(value)
    if isinstance(value, str):
        return encodable(value)
    if value is None and row.place.startswith("row"):
        return ""
    raise InputError(
        f"{where}: {row.place}: {column!r} is not text but {type(value).__name__};"
        " name the text column with text_column="
    )


def _name(row: Row, column: str | None, where: str, longest: int) -> str | None:
    """An id or label as text; None for an empty cell."""
    value = row.cells.get(column) if column else None
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    if isinstance(value, str):
        if len(value) > longest:
            raise InputError(
                f"{where}: {row.place}: {column!r} has {len(value):,} characters, at most"
                f" {longest:,} are possible; shorten it, or raise name_length="
            )
        return encodable(value) if value.strip() else None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    raise InputError(f"{where}: {row.place}: {column!r} is neither text nor a number")
