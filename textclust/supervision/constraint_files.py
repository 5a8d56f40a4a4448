"""Constraints in a CSV table ``left,right,kind[,weight]``, matched with documents by id."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from textclust.errors import InputError

__all__ = [
    "DONT_KNOW",
    "KINDS",
    "Line",
    "Matched",
    "match",
    "parse_lines",
    "read_lines",
    "refuse_wrong",
]

KINDS = ("must-link", "cannot-link")
DONT_KNOW = "dont-know"  # an answer that says nothing, kept so that nobody asks again
_COLUMNS = ("left", "right", "kind")


@dataclass(frozen=True)
class Line:
    """A line of the table, and where it stands."""

    number: int
    left: str
    right: str
    kind: str
    weight: float = 1.0

    def __str__(self) -> str:
        return f"{self.left} {self.kind} {self.right}"


@dataclass(frozen=True)
class Matched:
    """The lines of a table beside the documents: those that can be used, and the others."""

    links: list[tuple[Line, int, int]]  # with the rows of their documents
    unknown: list[tuple[Line, str]]  # with the id that no document has, one at a time
    repeated: list[tuple[Line, Line]]  # with the first line that says the same; both are links
    alone: list[Line]  # a document with itself
    unanswered: list[tuple[Line, int, int]]  # where nobody knew

    def of(self, kind: str) -> list[tuple[Line, int, int]]:
        """The usable lines of one kind."""
        return [link for link in self.links if link[0].kind == kind]

    def pairs(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]], list[float]]:
        """Must-links, cannot-links and the weights of both, as `Constraints` takes them."""
        must, cannot = (self.of(kind) for kind in KINDS)
        weights = [line.weight for line, _, _ in (*must, *cannot)]
        return [(i, j) for _, i, j in must], [(i, j) for _, i, j in cannot], weights


def match(lines: Iterable[Line], ids: Sequence[str]) -> Matched:
    """Every line beside the documents that have these ids, in the order of their rows.

    >>> matched = match([Line(2, "a", "b", "must-link"), Line(3, "a", "z", "must-link")], "abc")
    >>> matched.pairs()
    ([(0, 1)], [], [1.0])
    >>> matched.unknown
    [(Line(number=3, left='a', right='z', kind='must-link', weight=1.0), 'z')]
    """
    rows = {name: row for row, name in enumerate(ids)}
    matched = Matched([], [], [], [], [])
    said: dict[tuple[str, int, int], Line] = {}
    for line in lines:
        ends = [_known(name, rows) for name in (line.left, line.right)]
        missing = [name for name in ends if name not in rows]
        if missing:
            matched.unknown.extend((line, name) for name in dict.fromkeys(missing))
        elif ends[0] == ends[1]:
            matched.alone.append(line)
        elif line.kind == DONT_KNOW:
            matched.unanswered.append((line, rows[ends[0]], rows[ends[1]]))
        else:
            i, j = (rows[name] for name in ends)
            first = said.setdefault((line.kind, min(i, j), max(i, j)), line)
            if first is not line:
                matched.repeated.append((line, first))
            matched.links.append((line, i, j))
    return matched


def refuse_wrong(matched: Matched, path: str | os.PathLike[str]) -> None:
    """Raise an InputError for the first line that no constraint can be made of."""
    for line, name in matched.unknown[:1]:
        more = len(matched.unknown) - 1
        others = f" ({more} more like it)" if more else ""
        raise InputError(
            f"{path}: line {line.number}: no document has the id {name[:80]!r}{others}; "
            "textclust check lists them all"
        )
    for line in matched.alone:
        if line.kind == "cannot-link":
            raise InputError(
                f"{path}: line {line.number}: {line.left[:80]!r} cannot be apart from itself; "
                "drop the line"
            )


def read_lines(path: str | os.PathLike[str]) -> list[Line]:
    """The lines below the header; an InputError for the first that is malformed."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            return parse_lines(file, str(path))
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not in UTF-8 ({error.reason}); save it as that") from error


def parse_lines(file: Iterable[str], where: str) -> list[Line]:
    """The same from the text of a table."""
    return list(_parsed(file, where))


def _parsed(file: Iterable[str], where: str) -> Iterator[Line]:
    reader = csv.reader(file, strict=True)
    number = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, where)
        number = reader.line_num + 1
        for cells in reader:
            if cells:
                yield _line(number, header, cells, f"{where}: line {number}")
            number = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{where}: line {number}: {error}; check the quotes there") from error


def _check_header(header: list[str], where: str) -> None:
    missing = [name for name in _COLUMNS if name not in header]
    if missing:
        raise InputError(
            f"{where}: no column {missing[0]!r}, only {', '.join(header)[:80] or 'an empty file'}; "
            "begin with the line left,right,kind or left,right,kind,weight"
        )


def _line(number: int, header: list[str], cells: list[str], where: str) -> Line:
    if len(cells) != len(header):
        raise InputError(
            f"{where}: {len(cells)} fields, but the header has {len(header)}; "
            "put ids with a comma in quotes"
        )
    cell = dict(zip(header, cells, strict=True))
    kind = cell["kind"].strip()
    if kind not in (*KINDS, DONT_KNOW):
        raise InputError(f"{where}: the kind is {kind[:80]!r}; write must-link or cannot-link")
    weight = _weight(cell.get("weight", "").strip(), where)
    return Line(number, cell["left"], cell["right"], kind, weight)


def _weight(text: str, where: str) -> float:
    try:
        weight = float(text or 1)
    except ValueError:
        weight = -1.0
    if not 0 <= weight < inf:
        raise InputError(
            f"{where}: the weight is {text[:80]!r}; write a number of at least 0, or nothing for 1"
        )
    return weight


def _known(name: str, rows: dict[str, int]) -> str:
    """The name of a document; spaces around it are left out where it has none."""
    return name if name in rows else name.strip()
