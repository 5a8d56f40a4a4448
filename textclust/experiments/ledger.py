"""The file of runs: every finished unit of work is in it at once, and is never done twice."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable
from pathlib import Path

from textclust import __version__
from textclust.errors import InputError
from textclust.experiments.declared import Experiment, Row, Value
from textclust.writing import claim, is_ours, write_whole

__all__ = ["Done", "Ledger", "csv_text"]

_SETTINGS = "settings.json"
Done = dict[tuple[str, int], list[Row]]  # the rows of each unit: of a case, and a run


class Ledger:
    """OUT/NAME/runs.csv, a line for each row; `of` is how many rows its unit has."""

    def __init__(self, experiment: Experiment, out: Path) -> None:
        self.folder = out / experiment.name
        self._file = self.folder / "runs.csv"
        self._columns = (*experiment.axes, *experiment.measures)
        self._header = ("case", "run", "of", *self._columns)

    def claim(self) -> None:
        """An OutputError where a file of someone else is in the place of one of ours."""
        for name in (_SETTINGS, "runs.csv", "summary.csv", "plot.png"):
            claim(self.folder / name, replaces=self._is_ours)

    def put(self, name: str, content: str | bytes) -> bool:
        """Write one of the files; whether it was there already."""
        place = self.folder / name
        replaced = os.path.lexists(place)
        write_whole(place, content, replaces=self._is_ours)
        return replaced

    def read(self) -> Done:
        """The units that were finished; a part of one, as a crash may leave it, is none."""
        if not self._is_ours(self._file):
            return {}
        self._check_version()
        text, _, _ = self._file.read_text(encoding="utf-8").rpartition("\n")
        reader = csv.DictReader(text.splitlines())
        if tuple(reader.fieldnames or ()) != self._header:
            raise InputError(f"{self._file}: other columns than these runs have; {_REMEDY}")
        units: dict[tuple[str, int, int], list[Row]] = {}
        for line in reader:
            unit = (line["case"], int(line["run"]), int(line["of"]))
            values = {name: _value(line[name]) for name in self._columns if line[name]}
            units.setdefault(unit, []).append(values)
        return {(case, run): rows for (case, run, of), rows in units.items() if len(rows) == of}

    def write(self, done: Done) -> None:
        """The whole file, in the order of `done`."""
        self.put(_SETTINGS, json.dumps({"textclust": __version__}, indent=2) + "\n")
        lines = [line for unit, rows in done.items() for line in self._lines(*unit, rows)]
        self.put("runs.csv", _csv([self._header, *lines]))

    def append(self, case: str, run: int, rows: list[Row]) -> None:
        """A finished unit, in one piece."""
        with self._file.open("ab") as file:
            file.write(_csv(self._lines(case, run, rows)).encode())
            file.flush()
            os.fsync(file.fileno())

    def _lines(self, case: str, run: int, rows: list[Row]) -> list[list[object]]:
        return [[case, run, len(rows), *(row.get(n, "") for n in self._columns)] for row in rows]

    def _is_ours(self, place: Path) -> bool:
        """Runs, whose last line may be cut off, go by their first one and the settings."""
        if place.name != self._file.name:
            return is_ours(place)
        return is_ours(self.folder / _SETTINGS) and _first_line(place).startswith("case,run,of,")

    def _check_version(self) -> None:
        made_by = json.loads((self.folder / _SETTINGS).read_bytes())["textclust"]
        if made_by != __version__:
            raise InputError(f"{self.folder}: made by textclust {made_by}; {_REMEDY}")


_REMEDY = "remove the folder, or name another with out="


def _first_line(place: Path) -> str:
    """Of a regular file; nothing where it is a link, or not there."""
    if place.is_symlink() or not place.is_file():
        return ""
    with place.open(encoding="utf-8", errors="replace") as file:
        return file.readline(1 << 16)


def csv_text(rows: list[Row]) -> str:
    """Rows of the same columns as CSV."""
    return _csv([list(rows[0]), *(row.values() for row in rows)])


def _csv(rows: Iterable[Iterable[object]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def _value(text: str) -> Value:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
