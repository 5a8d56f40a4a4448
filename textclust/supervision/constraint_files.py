"""Constraints in a table ``left,right,kind[,weight]``, matched with documents by id."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from textclust.errors import InputError
from textclust.supervision.links import CANNOT_LINK, KINDS, Link, Origin
from textclust.text.delimited import whole_table
from textclust.text.frames import column, id_of, is_missing, values_of
from textclust.writing import known_as, unquoted

__all__ = [
    "DONT_KNOW",
    "MatchedLinks",
    "frame_links",
    "match_links",
    "parse_links",
    "read_links",
    "refuse_wrong",
    "row_of_each",
]

DONT_KNOW = "dont-know"  # an answer that says nothing, kept so that nobody asks again
_COLUMNS = ("left", "right", "kind")


@dataclass(frozen=True)
class MatchedLinks:
    """The links of a table beside the documents: those that can be used, and the others."""

    links: list[Link[int]]
    unknown: list[tuple[Link[str], str]]  # with the id that no document has, one at a time
    repeated: list[tuple[Link[int], Link[int]]]  # with the first that says the same; both count
    alone: list[Link[str]]  # a document with itself
    unanswered: list[Link[int]]  # where nobody knew


def row_of_each(ids: Sequence[str]) -> dict[str, int]:
    """The row of each document by its id."""
    return {name: row for row, name in enumerate(ids)}


def match_links(links: Iterable[Link[str]], rows: Mapping[str, int]) -> MatchedLinks:
    """Every link beside the rows of the documents that have these ids.

    >>> rows = {"a": 0, "b": 1, "c": 2}
    >>> matched = match_links([Link("a", "b", "must-link"), Link("a", "z", "must-link")], rows)
    >>> print(*matched.links)
    0 must-link 1
    >>> print(*matched.unknown[0])
    a must-link z z
    """
    matched = MatchedLinks([], [], [], [], [])
    said: dict[tuple[str, int, int], Link[int]] = {}
    for link in links:
        ends = [_known(name, rows) for name in (link.left, link.right)]
        missing = [name for name in ends if name not in rows]
        if missing:
            matched.unknown.extend((link, name) for name in dict.fromkeys(missing))
            continue
        i, j = (rows[name] for name in ends)
        found = Link(i, j, link.kind, link.weight, link.origin)
        if i == j:
            matched.alone.append(link)
        elif link.kind == DONT_KNOW:
            matched.unanswered.append(found)
        else:
            first = said.setdefault((link.kind, min(i, j), max(i, j)), found)
            if first is not found:
                matched.repeated.append((found, first))
            matched.links.append(found)
    return matched


def refuse_wrong(matched: MatchedLinks, path: str | os.PathLike[str]) -> None:
    """Raise an InputError for the first line that no constraint can be made of."""
    for link, name in matched.unknown[:1]:
        more = len(matched.unknown) - 1
        others = f" ({more} more like it)" if more else ""
        where, hint = f"{path}: line {link.line}", "; textclust check lists them all"
        if link.line is None:
            where, hint = str(link.origin), ""
        raise InputError(f"{where}: no document has the id {name[:80]!r}{others}{hint}")
    for link in matched.alone:
        if link.kind == CANNOT_LINK:
            where = f"{path}: line {link.line}" if link.line is not None else str(link.origin)
            raise InputError(
                f"{where}: {link.left[:80]!r} has a cannot-link to itself; remove the line"
            )


def frame_links(
    df: Any, left: str = "left", right: str = "right", kind: str = "kind", weight: str = "weight"
) -> list[Link[str]]:
    """The links of a DataFrame with these columns, of which the weights may be missing."""
    ends = [map(id_of, values_of(column(df, name, name))) for name in (left, right)]
    kinds = [str(value) for value in values_of(column(df, kind, "kind"))]
    weighed = weight != "weight" or weight in list(df.columns)
    weights = values_of(column(df, weight, "weight")) if weighed else [None] * len(kinds)
    return [
        Link(one, other, *_checked(said, "" if is_missing(cost) else str(cost), where), where)
        for one, other, said, cost, where in zip(
            *ends, kinds, weights, map(_row_of_frame, range(len(kinds))), strict=True
        )
    ]


def _row_of_frame(row: int) -> Origin:
    return Origin(f"row {row} of the DataFrame")


def read_links(path: str | os.PathLike[str]) -> list[Link[str]]:
    """The links of a table; an InputError for the first line that is malformed."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            table, separator = whole_table(file, _COLUMNS[0])
            return parse_links(table, str(path), separator)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not in UTF-8 ({error.reason}); save it as that") from error


def parse_links(file: Iterable[str], where: str, separator: str = ",") -> list[Link[str]]:
    """The same from the text of a table."""
    return list(_parsed(file, where, separator))


def _parsed(file: Iterable[str], where: str, separator: str) -> Iterator[Link[str]]:
    reader = csv.reader(file, delimiter=separator, strict=True)
    number = 1
    try:
        header = [name.strip() for name in next(filter(None, reader), [])]
        _check_header(header, where)
        number = reader.line_num + 1
        for cells in reader:
            if cells:
                yield _link(Origin(where, number), header, cells)
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
    twice = [name for name in _COLUMNS if header.count(name) > 1]
    if twice:
        raise InputError(f"{where}: two columns {twice[0]!r}; leave one of them out")


def _link(where: Origin, header: list[str], cells: list[str]) -> Link[str]:
    if len(cells) != len(header):
        raise InputError(
            f"{where}: {len(cells)} fields, but the header has {len(header)}; "
            "put ids with a comma in quotes"
        )
    cell = dict(zip(header, cells, strict=True))
    kind, weight = _checked(cell["kind"], cell.get("weight", ""), where)
    return Link(unquoted(cell["left"]), unquoted(cell["right"]), kind, weight, where)


def _checked(kind: str, weight: str, where: Origin) -> tuple[str, float]:
    kind = kind.strip()
    if kind not in (*KINDS, DONT_KNOW):
        raise InputError(f"{where}: the kind is {kind[:80]!r}; write must-link or cannot-link")
    return kind, _weight(weight.strip(), where)


def _weight(text: str, where: Origin) -> float:
    try:
        weight = float(text or 1)
    except ValueError:
        weight = -1.0
    if not 0 <= weight < inf:
        raise InputError(
            f"{where}: the weight is {text[:80]!r}; write a number of at least 0, or nothing for 1"
        )
    return weight


def _known(name: str, rows: Mapping[str, int]) -> str:
    """The name of a document; spaces around it are left out where it has none."""
    found = known_as(name, rows)
    return found if found in rows else known_as(name.strip(), rows)
