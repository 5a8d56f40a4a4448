"""The documents of a set below each other, numbered: neither ids nor folders are shown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from shutil import get_terminal_size

from . import output
from .side_by_side import flowing

__all__ = ["set_page"]

_AROUND = 8  # lines of the screen that are not of the table
_AT_LEAST = 2  # lines for each document
_BORDERS = 9  # columns beside the texts


def set_page(texts: Sequence[str]) -> str:
    """The beginnings of all texts as a table that fits the terminal.

    Documents are untrusted: nothing of theirs can steer the terminal.
    """
    from .table import draw

    size = get_terminal_size()
    lines = max(_AT_LEAST, (size.lines - _AROUND) // len(texts))
    width = max(1, size.columns - _BORDERS)
    beginnings = ["\n".join(_beginning(text, width, lines)) for text in texts]
    rows = [[number, text] for number, text in enumerate(beginnings, start=1)]
    return draw(["", "document"], rows, size.columns, only_ascii=output.only_ascii()).rstrip("\n")


def _beginning(text: str, width: int, lines: int) -> list[str]:
    """So many lines of a text."""
    return textwrap.wrap(flowing(text), width, max_lines=lines, placeholder=" ...")
