"""The rows of a .csv or .tsv table; which character separates its fields, the header says."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from textclust.errors import InputError
from textclust.text.decoding import encoding_of
from textclust.text.rows import Columns, Row

__all__ = ["comma_rows", "long_fields", "separator_of", "tab_rows", "whole_table"]

_LONGEST_CELL = 2**31 - 1
_LONGEST_HEADER = 1 << 16  # bytes
_SEPARATORS = (",", ";", "\t", "|")
_DECLARED = "sep="  # a spreadsheet's first line, which says what separates


def comma_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .csv file."""
    return _delimited_rows(path, where, columns, _SEPARATORS)


def tab_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .tsv file."""
    return _delimited_rows(path, where, columns, sorted(_SEPARATORS, key=lambda each: each != "\t"))


def separator_of(beginning: str, wanted: str, separators: Sequence[str] = _SEPARATORS) -> str:
    """What separates the fields of the header that a table begins with.

    The first of `separators` by which one of the fields is `wanted`; without any, the one that
    makes most fields.

    >>> separator_of("id;text\\n", "text"), separator_of("a|b|c,d\\n", "text")
    (';', '|')
    """
    headers = {each: _header(beginning, each) for each in separators}
    named = [each for each in separators if wanted in headers[each]]
    return named[0] if named else max(separators, key=lambda each: len(headers[each]))


def whole_table(file: TextIO, wanted: str) -> tuple[io.StringIO, str]:
    """The text of a small table, which may come from a pipe, and what separates its fields."""
    text = file.read()
    return io.StringIO(text, newline=""), separator_of(text[:_LONGEST_HEADER], wanted)


def _header(beginning: str, separator: str) -> list[str]:
    """The names in a header; none where the quotes of this text stand elsewhere than at fields."""
    import csv

    lines = io.StringIO(beginning.removeprefix("\ufeff"), newline="")
    try:
        with long_fields():
            first: list[str] = next(csv.reader(lines, delimiter=separator, strict=True), [])
    except csv.Error:
        return []
    return [name.strip() for name in first]


def _delimited_rows(
    path: str, where: str, columns: Columns, separators: Sequence[str]
) -> Iterator[Row]:
    """The rows below a header line; quotes and line breaks inside fields as in RFC 4180."""
    import csv

    with open(path, "rb") as file:
        encoding = encoding_of(file)
        beginning = file.read(_LONGEST_HEADER).decode(encoding, "replace")
        declared = _declared_separator(beginning)
        separator = declared or separator_of(beginning, columns.text, separators)
        file.seek(0)
        text = io.TextIOWrapper(file, encoding, "replace", newline="")
        before = 1 if declared else 0
        if declared:
            text.readline()
        reader = csv.reader(text, delimiter=separator, strict=True)
        rows = _with_long_fields(reader)
        line = 1 + before
        try:
            header = [name.strip() for name in next(rows, [])]
            if not header:
                raise InputError(
                    f"{where}: the table is empty; its first row must name the columns"
                )
            columns.check(header, where)
            line = reader.line_num + 1 + before
            for cells in rows:
                if cells and len(cells) != len(header):
                    raise InputError(
                        f"{where}: line {line}: {len(cells)} fields, but the header has"
                        f" {len(header)}; put fields with a delimiter or line break in quotes"
                    )
                if cells:
                    yield Row(f"line {line}", dict(zip(header, cells, strict=True)))
                line = reader.line_num + 1 + before
        except csv.Error as error:
            raise InputError(
                f"{where}: line {line}: {error}; check the quotes from there on"
            ) from error


def _declared_separator(beginning: str) -> str | None:
    """What a first line such as ``sep=;`` says."""
    line = beginning.split("\n", 1)[0].rstrip("\r").strip('"')
    separator = line[len(_DECLARED) :]
    is_declared = line.lower().startswith(_DECLARED) and len(separator) == 1
    return separator if is_declared and not separator.isalnum() and separator != '"' else None


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
