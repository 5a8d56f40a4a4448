"""Cells of CSV that a spreadsheet would run as a formula: written with ' before them, read without.

A spreadsheet shows such a cell as text. Every table beside the documents is read back to the same
ids and names, so `unquoted(quoted(cell))` is the cell, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Container

__all__ = ["known_as", "quoted", "unquoted"]

_MARK = "'"
# What begins a formula, also as wide letters that some spreadsheets take for it; one that has marks
# before it already gets one more.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def quoted(cell: str) -> str:
    """The cell with a mark before it if a spreadsheet would run it; a plain number is harmless.

    >>> quoted("=1+1"), quoted("'=1+1"), quoted("-1"), quoted("a=b")
    ("'=1+1", "''=1+1", '-1', 'a=b')
    """
    return _MARK + cell if _is_formula(cell) else cell


def unquoted(cell: str) -> str:
    """What `quoted` made this cell of."""
    return cell[1:] if cell[:1] == _MARK and _is_formula(cell[1:]) else cell


def known_as(name: str, ids: Container[str]) -> str:
    """An id that was read `unquoted`, as documents have it whose own ids begin with the mark."""
    return name if name in ids or quoted(name) not in ids else quoted(name)


def _is_formula(cell: str) -> bool:
    return _FORMULA.match(cell) is not None and _NUMBER.fullmatch(cell) is None
