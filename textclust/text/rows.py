"""Rows of a table, one at a time: those of JSONL, and the lines of a text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO

from textclust.errors import InputError
from textclust.text.decoding import text_lines

__all__ = ["Columns", "Row", "jsonl_file_rows", "jsonl_rows", "line_rows"]


@dataclass(frozen=True)
class Columns:
    """Which column holds what; an optional one may be missing unless it was renamed."""

    text: str = "text"
    id: str | None = "id"
    label: str | None = "label"
    date: str | None = "date"
    group: str | None = None

    def wanted(self, available: Iterable[str]) -> list[str]:
        """Those of our columns that there are."""
        names = (self.text, self.id, self.label, self.date, self.group)
        return [name for name in available if name in names]

    def check(self, available: Collection[str], where: str) -> None:
        """Raise an error that lists what is there if a required column is not."""
        kinds = {"id": self.id, "label": self.label, "date": self.date}
        renamed = {kind: name for kind, name in kinds.items() if name and name != kind}
        if self.group:  # asked for, whatever its name
            renamed["group"] = self.group
        for kind, name in {"text": self.text, **renamed}.items():
            if name not in available:
                raise InputError(
                    f"{where}: no column {name!r}{_listed(available)};"
                    f" name the right one with {kind}_column="
                )


@dataclass(frozen=True)
class Row:
    """The cells of one row, and where it stands: "line 7"."""

    place: str
    cells: Mapping[str, object]


def line_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """Each line of a text that says anything; the file has no other columns."""
    columns.check(["text"], where)
    with open(path, "rb") as file:
        for number, line in enumerate(text_lines(file), start=1):
            if line.strip():
                yield Row(f"line {number}", {columns.text: line.strip()})


def jsonl_file_rows(path: str, where: str, columns: Columns) -> Iterator[Row]:
    """The rows of a .jsonl file."""
    with open(path, "rb") as file:
        yield from jsonl_rows(file, where, columns)


def jsonl_rows(stream: BinaryIO, where: str, columns: Columns) -> Iterator[Row]:
    """One JSON object per line; blank lines are passed over."""
    seen: dict[str, None] = {}
    for number, line in enumerate(text_lines(stream), start=1):
        if not line.strip():
            continue
        cells = _json_object(line, f"{where}: line {number}")
        seen = seen or dict.fromkeys(cells)
        seen.update(dict.fromkeys(columns.wanted(cells)))
        if columns.text not in cells:
            Columns(columns.text).check(cells, f"{where}: line {number}")
        yield Row(f"line {number}", cells)
    if seen:
        columns.check(seen, where)


def _json_object(line: str, where: str) -> dict[str, object]:
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        why = getattr(error, "msg", "too large or too deep")
        raise InputError(
            f'{where}: not valid JSON ({why}); write one object {{"text": ...}} on each line'
        ) from error
    if not isinstance(value, dict):
        raise InputError(f'{where}: not a JSON object; write {{"text": ...}} on each line')
    return value


def _listed(names: Collection[str]) -> str:
    shown = [repr(name[:40]) for name in islice(names, 20)]
    return f", only {', '.join(shown + ['...'] * (len(names) > 20))}" if shown else ""
