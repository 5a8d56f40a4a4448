"""How results show themselves: a few lines in a terminal, a small table in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

from textclust.plain import plain

__all__ = ["Displayed", "Sheet", "escaped"]

_CELL = 60  # characters
_LINE = 200
_ROWS = 10


@dataclass(frozen=True)
class Sheet:
    """A line that says what something is, the first rows of a table, and how many there are."""

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    total: int | None = None  # rows of the whole table; None where these are all
    note: str = ""
    rows_shown: int = _ROWS

    def text(self) -> str:
        """Lines of plain text, whatever the cells hold."""
        cells = [list(self.head), *self._cells()]
        lines = [plain(self.title, _LINE)]
        if len(cells) > 1:
            numbers = self._numbers()
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            lines += [
                "  ".join(
                    cell.rjust(width) if number else cell.ljust(width)
                    for cell, width, number in zip(row, widths, numbers, strict=True)
                ).rstrip()
                for row in cells
            ]
        return "\n".join([*lines, *self._below()])

    def html(self) -> str:
        """The same as HTML without a script, a style or an address; every cell is escaped."""
        numbers = self._numbers()
        head = "".join(f"<th>{escaped(name)}</th>" for name in self.head)
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td{_RIGHT if number else _LEFT}>{escaped(cell)}</td>"
                for cell, number in zip(row, numbers, strict=True)
            )
            + "</tr>"
            for row in self._cells()
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        below = "".join(f"<p>{escaped(line)}</p>" for line in self._below())
        return f"<p>{escaped(plain(self.title, _LINE))}</p>{table if rows else ''}{below}"

    def _cells(self) -> list[list[str]]:
        return [[_cell(value) for value in row] for row in self.rows[: self.rows_shown]]

    def _numbers(self) -> list[bool]:
        """Which columns have numbers alone, on the right."""
        columns = zip(*self.rows[: self.rows_shown], strict=True)
        return [
            all(value is None or isinstance(value, Real) for value in column) for column in columns
        ]

    def _below(self) -> list[str]:
        more = (len(self.rows) if self.total is None else self.total) - len(
            self.rows[: self.rows_shown]
        )
        return [*([f"... and {more:,} more"] if more > 0 else []), *([self.note] * bool(self.note))]


class Displayed:
    """What shows itself as a sheet; a data class of this kind is declared with ``repr=False``."""

    def _sheet(self) -> Sheet:
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._sheet().text()

    def _repr_html_(self) -> str:
        return self._sheet().html()


_LEFT, _RIGHT = (f' style="text-align: {side}"' for side in ("left", "right"))


def _cell(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, Real):
        return "" if value is None else plain(str(value), _CELL)
    return f"{value:,}" if isinstance(value, int) else f"{float(value):.3g}"


def escaped(text: str) -> str:
    """Text as HTML without an address that a notebook would make a link of."""
    from html import escape

    return escape(text).replace("://", ":&#47;/")
