"""textclust check: what is wrong with a file of constraints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from . import options, output
from .declared import Argument, Option

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textclust.supervision.constraint_files import MatchedLinks
    from textclust.supervision.constraints import Constraints
    from textclust.supervision.links import Link

__all__ = ["command"]

_TITLES = {
    "unknown": "ids that no document has",
    "apart_from_itself": "cannot-links of a document with itself",
    "conflicts": "cannot-links between documents that must-links join",
    "drop": "smallest set of lines to remove",
    "repeated": "lines that repeat an earlier one; their weights add up",
    "joined_to_itself": "must-links of a document with itself, which have no effect",
}
_WRONG = ("unknown", "apart_from_itself", "conflicts")


@options.reading
def command(
    constraints: Annotated[
        Path, Argument(metavar="CONSTRAINTS", help="A CSV of left,right,kind[,weight].")
    ],
    path: options.Source,
    rows: Annotated[int, Option(min=1, help="How many lines of each kind to show.")] = 20,
    json: options.Json = False,
    *,
    read: options.Read,
) -> None:
    """Look for unknown ids and contradictions in CONSTRAINTS; exit code 1 if there are any."""
    from textclust.supervision.constraint_files import match_links, read_links, row_of_each
    from textclust.supervision.constraints import Constraints

    with output.showing_progress():
        links = read_links(constraints)
        catalogue = read(path).catalogue()
        matched = match_links(links, row_of_each(catalogue.ids))
        found = Constraints.from_links(matched.links)
        content = _content(matched, found, catalogue.ids)
    output.note_skipped(catalogue.skipped)
    if json:
        output.print_json(content)
    else:
        _show(content, rows)
    if any(content[name] for name in _WRONG):
        raise click.exceptions.Exit(1)


def _content(matched: MatchedLinks, found: Constraints, ids: Sequence[str]) -> dict[str, Any]:
    given = _ByPair(matched.links)
    return {
        "must_links": len(found.must_link),
        "cannot_links": len(found.cannot_link),
        "documents": len(found.links.documents),
        "groups": len(found.neighbourhoods()),
        "unknown": [{"line": link.line, "id": name} for link, name in matched.unknown],
        "apart_from_itself": _alone(matched, "cannot-link"),
        "conflicts": [
            {
                "line": given.of("cannot-link", conflict.cannot_link)[0].line,
                "cannot_link": [ids[row] for row in conflict.cannot_link],
                "chain": [ids[row] for row in conflict.chain],
            }
            for conflict in found.conflicts()
        ],
        "drop": [
            {"line": link.line, "left": ids[link.left], "right": ids[link.right], "kind": link.kind}
            for kind, pair in found.repair()
            for link in given.of(kind, pair)
        ],
        "repeated": [
            {"line": link.line, "first": first.line, "says": str(first.named(ids))}
            for link, first in matched.repeated
        ],
        "joined_to_itself": _alone(matched, "must-link"),
    }


class _ByPair:
    """The links of the file by the two rows that they link."""

    def __init__(self, links: Iterable[Link[int]]) -> None:
        self._links: dict[tuple[str, frozenset[int]], list[Link[int]]] = {}
        for link in links:
            rows = frozenset((link.left, link.right))
            self._links.setdefault((link.kind, rows), []).append(link)

    def of(self, kind: str, rows: Iterable[int]) -> list[Link[int]]:
        return self._links[kind, frozenset(rows)]


def _alone(matched: MatchedLinks, kind: str) -> list[dict[str, Any]]:
    return [{"line": link.line, "id": link.left} for link in matched.alone if link.kind == kind]


def _show(content: dict[str, Any], most: int) -> None:
    must, cannot = (output.counted(content[f"{k}_links"], f"{k}-link") for k in ("must", "cannot"))
    documents = output.counted(content["documents"], "document")
    groups = output.counted(content["groups"], "group")
    output.print_line(f"{must} and {cannot} between {documents}; {groups} joined by must-links")
    for name, title in _TITLES.items():
        rows = content[name]
        if rows:
            header = [column.replace("_", "-") for column in rows[0]]
            whole = f"{title}: the first {most} of {len(rows):,}" if len(rows) > most else title
            output.print_table(header, [_cells(row) for row in rows[:most]], whole)
    if not any(content[name] for name in _WRONG):
        output.print_line("Nothing is wrong.")


def _cells(row: dict[str, Any]) -> list[Any]:
    """A row of the table; a chain is cut in its middle."""
    return [_cut(value) if isinstance(value, list) else value for value in row.values()]


def _cut(names: list[str]) -> list[str]:
    return names if len(names) <= 8 else [*names[:4], f"... {len(names) - 7} more", *names[-3:]]
