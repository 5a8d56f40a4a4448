"""A table for the terminal: no wider than it, and in letters that its encoding has.

`rich.table` draws the same; to import it would take 0.05 s of every command that shows a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, chop_cells

__all__ = ["draw"]

# Left, filling, between and right: above the head, in it, below it, in a row, at the end.
_LINES = [tuple(marks) for marks in ("┏━┳┓", "┃ ┃┃", "┡━╇┩", "│ ││", "└─┴┘")]
_ASCII = [tuple(marks) for marks in ("+-++", "| ||", "+-++", "| ||", "+-++")]
_WORD = re.compile(r"\S+\s*|\s+")


def draw(
    header: Sequence[str], rows: Sequence[Sequence[object]], width: int, *, only_ascii: bool
) -> str:
    """Rows below a header; numbers stand to the right, long cells go on in the next line."""
    top, head, below, side, bottom = _ASCII if only_ascii else _LINES
    body = [[str(value) for value in row] for row in rows]
    numeric = [[isinstance(value, int | float) for value in row] for row in rows]
    cells = [list(header), *body]
    wanted = [max(map(_longest_line, column)) for column in zip(*cells, strict=True)]
    widths = _fitting(wanted, width - 3 * len(wanted) - 1)
    lines = [_rule(top, widths), *_row(head, header, [False] * len(header), widths)]
    lines.append(_rule(below, widths))
    for row, right in zip(body, numeric, strict=True):
        lines += _row(side, row, right, widths)
    return "\n".join([*lines, _rule(bottom, widths), ""])


def _fitting(wanted: list[int], room: int) -> list[int]:
    """Widths that fill no more than the room: the widest are narrowed, and alike."""
    widths = [max(1, width) for width in wanted]
    while (over := sum(widths) - room) > 0 and (widest := max(widths)) > 1:
        those = [i for i, width in enumerate(widths) if width == widest]
        least = max((width for width in widths if width < widest), default=1)
        for n, i in enumerate(those):
            widths[i] -= min(widest - least, (over + n) // len(those))
    return widths


def _rule(marks: tuple[str, ...], widths: list[int]) -> str:
    left, filling, between, right = marks
    return left + between.join(filling * (width + 2) for width in widths) + right


def _row(
    marks: tuple[str, ...], cells: Sequence[str], right: list[bool], widths: list[int]
) -> list[str]:
    """The lines of one row."""
    folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
    left, _, between, end = marks
    lines = []
    for i in range(max(map(len, folded))):
        parts = []
        for cell, width, is_right in zip(folded, widths, right, strict=True):
            text = cell[i] if i < len(cell) else ""
            space = " " * (width - cell_len(text))
            parts.append(f" {space}{text} " if is_right else f" {text}{space} ")
        lines.append(left + between.join(parts) + end)
    return lines


def _folded(text: str, width: int) -> list[str]:
    """A text in lines of this width, broken between words where that can be."""
    lines = []
    for paragraph in text.expandtabs().split("\n"):
        line = ""
        for word in _WORD.findall(paragraph):
            if line and cell_len(line) + cell_len(word.rstrip()) > width:
                lines.append(line.rstrip())
                line = ""
            if cell_len(word.rstrip()) > width:
                *whole, word = chop_cells(word, width)
                lines += whole
            line += word
        lines.append(line.rstrip())
    return lines


def _longest_line(text: str) -> int:
    return max(cell_len(line) for line in text.expandtabs().split("\n"))
