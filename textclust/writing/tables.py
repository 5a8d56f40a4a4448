"""The tables that textclust writes: how, and whether a file is one of them.

A table of someone else has other columns, or a value that we would not write: a cluster that is
no whole number, two names for one cluster, a score with zeros at its end.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path

from textclust.writing import formulas

__all__ = [
    "COURSE",
    "DISAGREEMENTS",
    "FITS",
    "LABELS",
    "are_memberships",
    "csv_text",
    "is_our_table",
    "level_columns",
]

LABELS = ("id", "cluster", "name", "score")
COURSE = ("period", "cluster", "name", "documents", "share", "terms", "rising")
DISAGREEMENTS = ("left", "right", "one", "other", "how", "left_title", "right_title")
FITS = "fits"  # a column more of new documents
_MORE = ("novelty", "stability", "identity")  # columns of labels, where they are known
_TEST = ["difference", "t", "p"]
_GAIN = ["gain", "gain_se", "paper"]
_SELECTION = {"k", "bic", "gap", "stability"}  # beside other numbers
_ROUNDED = 1e-6  # of shares that are written
Kind = Callable[[str], bool]
_MAY_BEGIN = frozenset("'=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")  # a formula
_MARKS = (",", '"', "\r", "\n")  # what a cell of CSV holds only in quotes


def csv_text(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, keep_formulas: bool = False
) -> str:
    """Rows as CSV, as `csv.writer` has it; several times as fast, as it goes by columns.

    Text that a spreadsheet would run as a formula gets a mark before it; see `formulas`.
    """
    whole = zip(header, *rows, strict=True)
    guarded = whole if keep_formulas else map(_guarded, whole)
    columns = [_quoted(list(map(str, column))) for column in guarded]
    return "\n".join(map(",".join, zip(*columns, strict=True))) + "\n"


def is_our_table(place: Path) -> bool:
    """Whether a file is a table as textclust writes it, from its first line to its last."""
    try:
        header, lines = _read(place)
    except (csv.Error, UnicodeDecodeError):
        return False
    kinds = _kinds(header)
    return kinds is not None and _fit(lines, header, kinds)


def are_memberships(place: Path) -> bool:
    """Whether a file has the memberships of each document in all clusters.

    These are shares that add up to 1, or 1 for each cluster that it is in and 0 for the others.
    Many tables of numbers look like that, so ask only about a memberships.csv.
    """
    try:
        (first, *clusters), lines = _read(place)
    except (csv.Error, UnicodeDecodeError):
        return False
    if first != "id" or not clusters or clusters != [str(h) for h in range(len(clusters))]:
        return False
    return bool(lines) and all(
        len(cells) == len(clusters) and (_are_flags(cells) or _are_shares(cells))
        for _, *cells in lines
    )


def _read(place: Path) -> tuple[list[str], list[list[str]]]:
    """The names of the columns, and the lines below them."""
    with open(place, encoding="utf-8", newline="") as file:
        first = file.readline(1 << 16)
        header = first.removesuffix("\n").split(",") if first.endswith("\n") else [""]
        return header, [line or [""] for line in csv.reader(file)]


def _are_flags(cells: list[str]) -> bool:
    return {*cells} <= {"0", "1"} and "1" in cells


def _are_shares(cells: list[str]) -> bool:
    if not all(cell and _number(cell) for cell in cells):
        return False
    shares = [float(cell) for cell in cells]
    return min(shares) >= 0 and abs(sum(shares) - 1) <= _ROUNDED * len(shares)


def _kinds(header: list[str]) -> list[Kind] | None:
    """What the columns of a table of ours hold; None where it is not ours."""
    match header:
        case ["id", "cluster", "name", "score", *more] if _is_more(more):
            rest = [_number if name in _MORE else _text for name in more]
            return [_text, _label, _text, _number, *rest]
        case [*labels, "fits"] if labels == [*LABELS]:
            return [_text, _label, _text, _number, _flag]
        case [*course] if tuple(course) == COURSE:
            return [_day, _whole, _text, _whole, _number, _text, _text]
        case [*columns] if tuple(columns) == DISAGREEMENTS:
            return [_text, _text, _text, _text, _how, _text, _text]
        case ["k", *_] if set(header) >= _SELECTION:
            return [_whole, *[_number] * (len(header) - 1)]
        case ["method", "pairs", "amount", "fold", _, "run"]:
            return [_text, _text, _number, _whole, _number, _whole]
        case ["line", "amount", "mean", "sd", "se", "n", *test] if test in ([], _TEST):
            return [_text, *[_number] * 4, _whole, *[_number] * len(test)]
        case [*axes, "measure", "mean", "sd", "se", "n", "difference", "t", "p", _, _, _] if (
            axes and header[-3:] == _GAIN
        ):
            return [*[_text] * (len(axes) + 1), *[_number] * 3, _whole, *[_number] * 6]
    return None


def _is_more(columns: list[str]) -> bool:
    """Whether these are what a table of labels may have beyond its first columns."""
    numbers = [name for name in columns if name in _MORE]
    groups = columns[len(numbers) :]
    in_order = [name for name in _MORE if name in numbers]
    return columns[: len(numbers)] == in_order and groups == level_columns(len(groups))


def level_columns(count: int) -> list[str]:
    """The columns with the group of each document on so many levels."""
    return [f"level_{number}" for number in range(1, count + 1)]


def _fit(lines: list[list[str]], header: list[str], kinds: list[Kind]) -> bool:
    """By columns, whose different values are few: a table may have a million lines."""
    if not lines or any(len(line) != len(kinds) for line in lines):
        return False
    columns = list(zip(*lines, strict=True))
    if header[1] == "cluster" and len(set(zip(*columns[1:3], strict=True))) > len(set(columns[1])):
        return False  # two names for one cluster
    return all(
        kind is _text or all(map(kind, set(column)))
        for kind, column in zip(kinds, columns, strict=True)
    )


def _text(cell: str) -> bool:
    return True


def _whole(cell: str) -> bool:
    return cell.isdecimal() and cell == str(int(cell))


def _label(cell: str) -> bool:
    """A cluster, or that of what fits nowhere."""
    return cell == "-1" or _whole(cell)


def _flag(cell: str) -> bool:
    return cell in ("true", "false")


def _how(cell: str) -> bool:
    """How two people came to disagree."""
    return cell in ("given", "follows", "label")


def _day(cell: str) -> bool:
    """A date as ISO 8601 has it."""
    try:
        return cell == date.fromisoformat(cell).isoformat()
    except ValueError:
        return False


def _number(cell: str) -> bool:
    """A number as Python prints it, or nothing."""
    try:
        return not cell or cell == str(float(cell)) or cell == str(int(cell))
    except ValueError:
        return False


def _guarded(column: Sequence[object]) -> Sequence[object]:
    """A column in which no text is a formula; few columns have one that begins like it."""
    if not any(cell[:1] in _MAY_BEGIN for cell in column if isinstance(cell, str)):
        return column
    return [formulas.quoted(cell) if isinstance(cell, str) else cell for cell in column]


def _quoted(cells: list[str]) -> list[str]:
    """Cells in quotes where they hold a comma, a quote or the end of a line."""
    whole = "".join(cells)
    if not any(mark in whole for mark in _MARKS):
        return cells
    quoted = {cell: _in_quotes(cell) for cell in set(cells)}
    return [quoted[cell] for cell in cells]


def _in_quotes(cell: str) -> str:
    if not any(mark in cell for mark in _MARKS):
        return cell
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'
