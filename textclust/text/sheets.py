"""The rows of an .xlsx table, or all it says as one text."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from itertools import islice
from types import ModuleType
from typing import Any, BinaryIO

from textclust.errors import InputError
from textclust.text.catalogue import UnreadableError, damage_is_a_reason
from textclust.text.decoding import encodable
from textclust.text.limits import Limits
from textclust.text.packages import feed_part, is_encrypted, is_package, opened_package, xml_parser
from textclust.text.rows import Columns, Row

__all__ = ["sheet_rows", "text_of_sheets"]

_AT_ONCE = 256  # rows
_MOST_ROWS = 1_048_576  # of a sheet, by the format


def sheet_rows(path: str, where: str, columns: Columns, limits: Limits) -> Iterator[Row]:
    """The rows of the first sheet whose first row has the text column."""
    openpyxl = _library()
    if openpyxl is None:
        raise InputError(f'{where}: reading .xlsx needs openpyxl; pip install "textclust[files]"')
    with open(path, "rb") as file:
        beginning = file.read(8)
        file.seek(0)
        try:
            _refuse_other_kinds(beginning)
            with _workbook(openpyxl, file, os.path.getsize(path), limits) as book:
                yield from _rows(book, where, columns)
        except UnreadableError as error:
            raise InputError(f"{where}: the table is {error}; write it again as .xlsx") from error


def text_of_sheets(data: bytes, limits: Limits) -> str | None:
    """The cells of all sheets, a line for each row."""
    if is_encrypted(data):
        raise UnreadableError("encrypted, or of an older format")
    if not is_package(data):
        return None
    openpyxl = _library()
    if openpyxl is None:
        raise UnreadableError("install textclust[files]")
    length, lines = 0, list[str]()
    with _workbook(openpyxl, BytesIO(data), len(data), limits) as book:
        for sheet in book.worksheets:
            for row in _values(sheet):
                line = "\t".join(_shown(value) for value in row if value is not None)
                length += len(line)
                if length > limits.document_bytes:
                    raise UnreadableError(limits.too_large)
                if line.strip():
                    lines.append(encodable(line))
    return "\n".join(lines)


def _library() -> ModuleType | None:
    try:
        import openpyxl
    except ImportError:
        return None
    return openpyxl


def _refuse_other_kinds(beginning: bytes) -> None:
    if is_encrypted(beginning):
        raise UnreadableError("encrypted, or of an older format")
    if not is_package(beginning):
        raise UnreadableError("not an .xlsx file")


@contextmanager
def _workbook(openpyxl: ModuleType, file: BinaryIO, packed: int, limits: Limits) -> Iterator[Any]:
    """The workbook in a file, to be read in one pass; an `UnreadableError` where it is damaged."""
    with opened_package(file, packed, limits) as package:
        for name in package.namelist():
            if name.lower().endswith((".xml", ".rels")):
                _refuse_document_type(package, name)
    file.seek(0)
    with damage_is_a_reason():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        with closing(book):
            yield book


def _refuse_document_type(package: Any, name: str) -> None:
    """Look at a part up to its first element: a document type would stand before it."""
    begun: list[str] = []
    parser = xml_parser()
    parser.StartElementHandler = lambda name, attributes: begun.append(name)
    for _ in feed_part(package, name, parser):
        if begun:
            return


def _rows(book: Any, where: str, columns: Columns) -> Iterator[Row]:
    header: list[str] = []
    for sheet in book.worksheets:
        found = [_shown(value).strip() for value in next(_values(sheet, 1), ())]
        if not header or columns.text in found:
            header, chosen = found, sheet
        if columns.text in found:
            break
    if not header:
        raise InputError(f"{where}: the table is empty; its first row must name the columns")
    columns.check(header, where)
    for number, values in islice(enumerate(_values(chosen, None, len(header)), start=1), 1, None):
        if any(value is not None for value in values):
            cells = dict(zip(header, values, strict=False))
            text = cells.get(columns.text)
            if text is not None:
                cells[columns.text] = _shown(text)
            yield Row(f"row {number}", cells)


def _values(sheet: Any, rows: int | None = None, columns: int | None = None) -> Iterator[Any]:
    """The rows of a sheet as tuples, whatever it declares its size to be."""
    sheet.reset_dimensions()
    found = sheet.iter_rows(min_row=1, max_row=rows, max_col=columns, values_only=True)
    every = islice(found, _MOST_ROWS)
    while True:
        with warnings.catch_warnings():  # of styles and extensions
            warnings.simplefilter("ignore")
            some = list(islice(every, _AT_ONCE))
        if not some:
            return
        yield from some


def _shown(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)
