"""The tables that textclust writes, and whether a file is one of them.

A table of someone else has other columns, or a value that we would not write: a cluster that is
no whole number, two names for one cluster, a score with zeros at its end.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["LABELS", "is_our_table"]

LABELS = ("id", "cluster", "name", "score")
_TEST = ["difference", "t", "p"]
_GAIN = ["gain", "gain_se", "paper"]
_SELECTION = {"k", "bic", "gap", "stability"}  # beside other numbers
Kind = Callable[[str], bool]


def is_our_table(place: Path) -> bool:
    """Whether a file is a table as textclust writes it, from its first line to its last."""
    try:
        with open(place, encoding="utf-8", newline="") as file:
            first = file.readline(1 << 16)
            header = first.removesuffix("\n").split(",")
            kinds = _kinds(header) if first.endswith("\n") else None
            return kinds is not None and _fit(csv.reader(file), header, kinds)
    except (csv.Error, UnicodeDecodeError):
        return False


def _kinds(header: list[str]) -> list[Kind] | None:
    """What the columns of a table of ours hold; None where it is not ours."""
    match header:
        case ["id", "cluster", "name", "score"] | ["id", "cluster", "name", "score", "novelty"]:
            return [_text, _whole, _text, *[_number] * (len(header) - 3)]
        case ["id", *clusters] if clusters and clusters == [str(h) for h in range(len(clusters))]:
            return [_text, *[_number] * len(clusters)]
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


def _fit(rows: Iterable[list[str]], header: list[str], kinds: list[Kind]) -> bool:
    """By columns, whose different values are few: a table may have a million lines."""
    lines = list(rows)
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


def _number(cell: str) -> bool:
    """A number as Python prints it, or nothing."""
    try:
        return not cell or cell == str(float(cell)) or cell == str(int(cell))
    except ValueError:
        return False
