"""Answers on disk: a file of constraints that grows by a line with every answer.

A line is written at once and flushed to the disk, so that nothing is lost whenever the process
ends. If that happens in the middle of a line, the line is cut off again. What is taken back or
corrected is left out by writing the file anew beside its place and renaming it; lines that
someone else has added meanwhile stay. The pairs that a question about a set has settled are lines
with the same number in a column `set`, which is there once such a question was answered.
"""

from __future__ import annotations

import csv
import io
import os
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice
from pathlib import Path

from textclust.active.dialogue import Answer
from textclust.errors import InputError, OutputError
from textclust.supervision.constraint_files import (
    DONT_KNOW,
    match_links,
    parse_links,
    refuse_wrong,
    row_of_each,
)
from textclust.supervision.links import CANNOT_LINK, MUST_LINK
from textclust.writing import about_to_write, any_file, csv_text, quoted, unquoted, write_whole

__all__ = ["AnswerFile", "read_answers"]

_KINDS = {True: MUST_LINK, False: CANNOT_LINK, None: DONT_KNOW}
_ANSWERS = {kind: same for same, kind in _KINDS.items()}
_HEADER = ["left", "right", "kind"]
_SET = "set"  # the column with the number of a set, empty for a pair
_ENDS = ("\n", "\r")  # of lines; programs of old write the second one alone
_Row = list[str]


class AnswerFile:
    """A table ``left,right,kind`` of answers about documents with these ids.

    It is created if missing. Existing lines and columns are kept; `incomplete_line` is a last line
    that was cut off in writing, and is left out. `events` are the answers by question. A new answer
    about a pair replaces a different one, unless every answer is a vote (`keep_all`). Ids that a
    spreadsheet would run are written with a mark before them, or as they are (`keep_formulas`).
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        ids: Sequence[str],
        *,
        keep_all: bool = False,
        keep_formulas: bool = False,
    ) -> None:
        self._path, self._ids, self._keep_all = Path(path), ids, keep_all
        self._as_cell = str if keep_formulas else quoted
        found = _read(self._path) if self._path.exists() else ""
        content, self.incomplete_line = _whole_lines(found, self._path)
        content = content or _csv([_HEADER])
        self._header, *self._rows = _table(content, self._path)
        self._find_columns()
        self.events = _events(content, self._path, ids)
        self._undoing: list[tuple[list[_Row], int, list[tuple[int, _Row]]]] = []
        if content != found:
            write_whole(self._path, content, replaces=any_file)

    @property
    def answers(self) -> list[Answer]:
        """All answers that were there at first."""
        return [answer for event in self.events for answer in event]

    @property
    def saved(self) -> int:
        """How many questions have their answers in the file now."""
        return len(_events(_now_in(self._path), self._path, self._ids))

    def append(self, left: int, right: int, same: bool | None) -> None:
        """Write down one more answer; it is on the disk when this returns."""
        self.append_all([Answer(left, right, same)])

    def append_all(self, answers: Sequence[Answer]) -> None:
        """Write down the answers to one question; they are on the disk when this returns."""
        before = self._rows
        number = self._next_set() if len(answers) > 1 else ""
        new = [self._row(answer, number) for answer in answers]
        pairs = {self._pair(row): self._kind(row) for row in new}
        last = {self._pair(row): self._kind(row) for row in self._rows}
        changed = {pair for pair, kind in pairs.items() if last.get(pair, kind) != kind}
        corrected = [row for row in self._rows if self._pair(row) in changed]
        gone: list[tuple[int, _Row]] = []
        if corrected and not self._keep_all:
            rows, gone = _without(self._rows_now(), corrected)
            self._write([*rows, *new])
            self._rows = [row for row in self._rows if row not in corrected]
        else:
            _append(self._path, _csv(new))
        self._undoing.append((before, len(new), gone))
        self._rows = [*self._rows, *new]

    def undo(self) -> None:
        """Take back the answers to the last question; what they replaced is there again."""
        if self._undoing:
            before, count, gone = self._undoing.pop()
        else:
            count, gone = self._last_question(), []
            before = self._rows[:-count]
        rows, _ = _without(self._rows_now(), self._rows[-count:])
        for place, row in gone:
            rows.insert(place, row)
        self._write(rows)
        self._rows = before

    def _row(self, answer: Answer, number: str) -> _Row:
        ends = (self._as_cell(self._ids[row]) for row in (answer.left, answer.right))
        values = *ends, _KINDS[answer.same]
        cells = dict(zip(self._places, values, strict=True))
        if number:
            cells[self._header.index(_SET)] = number
        return [cells.get(place, "") for place in range(len(self._header))]

    def _next_set(self) -> str:
        """The number of one more set; the column for it is added where it is missing."""
        if _SET not in self._header:
            rows = [[*row, ""] for row in self._rows_now()]
            self._header = [*self._header, _SET]
            self._write(rows)
            self._rows = [[*row, ""] for row in self._rows]
            self._undoing = [
                ([[*row, ""] for row in before], count, [(at, [*row, ""]) for at, row in gone])
                for before, count, gone in self._undoing
            ]
        place = self._header.index(_SET)
        numbers = [int(row[place]) for row in self._rows if row[place].strip().isdecimal()]
        return str(max(numbers, default=0) + 1)

    def _last_question(self) -> int:
        """How many lines at the end are of the last question."""
        return len(_by_set(self._header, self._rows)[-1])

    def _find_columns(self) -> None:
        columns = [name.strip() for name in self._header]
        missing = [name for name in _HEADER if name not in columns]
        self._places = [] if missing else [columns.index(name) for name in _HEADER]

    def _pair(self, row: _Row) -> frozenset[str]:
        return frozenset(unquoted(row[place].strip()) for place in self._places[:2])

    def _kind(self, row: _Row) -> str:
        return row[self._places[2]].strip()

    def _rows_now(self) -> list[_Row]:
        """The rows now in the file, whoever wrote them."""
        header, *rows = _table(_now_in(self._path), self._path) or [[]]
        if header != self._header:
            raise InputError(
                f"{self._path}: its columns were changed during the session; start again"
            )
        return rows

    def _write(self, rows: list[_Row]) -> None:
        write_whole(self._path, _csv([self._header, *rows]), replaces=any_file)


def read_answers(path: str | os.PathLike[str], ids: Sequence[str]) -> list[Answer]:
    """The answers in a file, which is left alone."""
    events = _events(_now_in(Path(path)), path, ids)
    return [answer for event in events for answer in event]


def _events(
    content: str, path: str | os.PathLike[str], ids: Sequence[str]
) -> list[tuple[Answer, ...]]:
    """The answers by question: those of a set at once."""
    links = parse_links(io.StringIO(content, newline=""), str(path))
    matched = match_links(links, row_of_each(ids))
    refuse_wrong(matched, path)
    found = sorted([*matched.links, *matched.unanswered], key=lambda link: link.line or 0)
    answers = [Answer(link.left, link.right, _ANSWERS[link.kind]) for link in found]
    header, *rows = _table(content, path) or [[]]
    if len(rows) != len(answers):  # a document with itself says nothing
        return [(answer,) for answer in answers]
    following = iter(answers)
    return [tuple(islice(following, len(part))) for part in _by_set(header, rows)]


def _by_set(header: _Row, rows: list[_Row]) -> list[list[_Row]]:
    """Consecutive rows with the same number of a set, and all others alone."""
    columns = [name.strip() for name in header]
    if _SET not in columns:
        return [[row] for row in rows]
    place = columns.index(_SET)
    numbered = enumerate(rows)
    keyed = groupby(numbered, key=lambda each: each[1][place].strip() or -1 - each[0])
    return [[row for _, row in part] for _, part in keyed]


def _table(content: str, path: str | os.PathLike[str]) -> list[_Row]:
    try:
        return [row for row in csv.reader(io.StringIO(content, newline="")) if row]
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV table ({error}); check its quotes") from error


def _first_end(content: str, start: int) -> int:
    """Where the line ends that begins there."""
    places = (content.find(end, start) for end in _ENDS)
    return min((place + 1 for place in places if place >= 0), default=len(content))


def _last_end(content: str, before: int) -> int:
    """Where the last line begins that begins before a place."""
    return max(content.rfind(end, 0, before) + 1 for end in _ENDS)


def _without(rows: list[_Row], unwanted: list[_Row]) -> tuple[list[_Row], list[tuple[int, _Row]]]:
    """The rows that are left, and those that are not with their places; of equal ones the last."""
    more = Counter(map(tuple, unwanted))
    gone: list[tuple[int, _Row]] = []
    for place, row in reversed(list(enumerate(rows))):
        if more[tuple(row)]:
            more[tuple(row)] -= 1
            gone.insert(0, (place, row))
    places = {place for place, _ in gone}
    return [row for place, row in enumerate(rows) if place not in places], gone


def _now_in(path: Path) -> str:
    """The whole lines now in a file."""
    return _whole_lines(_read(path), path)[0]


def _whole_lines(content: str, path: Path) -> tuple[str, str]:
    """The lines that were written to their ends, and a last one that was not.

    A line ends where the quotes before it are in pairs. One that lacks its end alone is whole
    if it has a kind: no kind is the beginning of another. The header is never cut off, as it is
    written with the file; blank lines before it say nothing.
    """
    start = len(content) - len(content.lstrip("".join(_ENDS)))
    if start == len(content):
        return "", ""
    if content.endswith(_ENDS) and content.count('"') % 2 == 0:
        return content, ""
    end = _last_end(content, len(content))
    before = content.count('"', 0, end)
    while before % 2:
        begin = _last_end(content, end - 1)
        before -= content.count('"', begin, end)
        end = begin
    in_pairs = content.count('"', end) % 2 == 0
    if end <= start:
        if not in_pairs:
            raise InputError(f"{path}: a quote in its first line is never closed; close it")
        return content + "\n", ""
    header, *rows = _table(content[: _first_end(content, start)] + content[end:], path)
    last = rows[-1] if rows else header
    if in_pairs and len(last) == len(header) and {*last} & {*_ANSWERS}:
        return content + "\n", ""
    return content[:end], content[end:]


def _read(path: Path) -> str:
    """The text of a file; half a letter at its end is left out."""
    try:
        return getincrementaldecoder("utf-8-sig")().decode(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not in UTF-8 ({error.reason}); save it as that") from error


def _append(path: Path, text: str) -> None:
    """Add to a file in one go, and wait until the disk has it."""
    try:
        about_to_write(path, path, path)
        handle = os.open(path, os.O_RDWR | os.O_APPEND)
        try:
            data = (text if _ends_a_line(handle) else f"\n{text}").encode("utf-8")
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise OutputError(
            f"{path}: the answer cannot be written ({error.strerror or error}); free some space"
        ) from error


def _ends_a_line(handle: int) -> bool:
    """Whether a file can be added to; an editor may have left the end of its last line out."""
    os.lseek(handle, max(0, os.lseek(handle, 0, os.SEEK_END) - 1), os.SEEK_SET)
    return os.read(handle, 1) in (b"", b"\n")


def _csv(rows: list[list[str]]) -> str:
    return csv_text(rows[0], rows[1:], keep_formulas=True)  # ids are marked already
