"""What the commands show: results on standard output, everything else on standard error.

Ids, names and texts are untrusted. No other module of the command line prints, and here nothing is
printed that could steer a terminal or forge a line; files and pipes get ids as they are.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, TextIO, TypeVar

from textclust.errors import bounded
from textclust.plain import escaped_json, one_line, visible

if TYPE_CHECKING:
    from textclust.text.catalogue import Skipped

__all__ = [
    "LONGEST_CELL",
    "counted",
    "note",
    "note_skipped",
    "only_ascii",
    "print_csv",
    "print_json",
    "print_line",
    "print_lines",
    "print_path",
    "print_table",
    "rub_out",
    "show",
    "showing_progress",
]

T = TypeVar("T")

_PATIENCE = 0.5  # seconds
LONGEST_CELL = 4000  # characters
_STYLES = re.compile("(\x1b\\[[014]m)")  # bold, underlined and plain: those that commands use


def print_json(content: object) -> None:
    """One JSON object on standard output; its encoding has every letter, no terminal obeys one."""
    text = json.dumps(content, ensure_ascii=not _has_every_letter(sys.stdout), indent=2)
    _write(sys.stdout, escaped_json(text))


def print_line(text: str, *, at_once: bool = False) -> None:
    """One line on standard output, whatever the text holds; `at_once` for who waits for it."""
    _write(sys.stdout, one_line(text))
    if at_once:
        sys.stdout.flush()


def print_lines(text: str, end: str = "\n") -> None:
    """Several lines of ours on standard output."""
    _write(sys.stdout, visible(text), end)


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """A table on standard output; a list in a cell has a line for each of its items."""
    from .table import draw

    cells = [[_cell(value) for value in row] for row in rows]
    if title:
        print_line(title)
    width, head = get_terminal_size().columns, [one_line(name) for name in header]
    _write(sys.stdout, draw(head, cells, width, only_ascii=not _has_every_letter(sys.stdout)), "")


def print_csv(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, keep_formulas: bool
) -> None:
    """A table of data on standard output: exact for a program, harmless on a terminal."""
    from textclust.writing import csv_text

    if sys.stdout.isatty():
        rows = [[_seen(value) for value in row] for row in rows]
    _write(sys.stdout, csv_text(header, rows, keep_formulas=keep_formulas), "")


def print_path(path: object) -> None:
    """A path on standard output: exact for a program, harmless on a terminal."""
    _write(sys.stdout, one_line(str(path)) if sys.stdout.isatty() else str(path))


def note(message: str) -> None:
    """One line on standard error, of bounded length."""
    _write(sys.stderr, one_line(bounded(message)))


def show(page: str, end: str = "\n") -> None:
    """Several lines, or a question, on standard error; the styles of ours alone are obeyed."""
    parts = _STYLES.split(page)
    _write(
        sys.stderr, "".join(part if i % 2 else visible(part) for i, part in enumerate(parts)), end
    )


def rub_out() -> None:
    """Take the last letter on standard error back."""
    _write(sys.stderr, "\b \b", "")


def note_skipped(skipped: Sequence[Skipped]) -> None:
    """How many files were left out, and why, if any were."""
    if skipped:
        reasons = Counter(item.reason for item in skipped).most_common()
        listed = ", ".join(f"{count} {reason}" for reason, count in reasons)
        note(f"{counted(len(skipped), 'file')} left out: {listed}")


def counted(number: int, noun: str) -> str:
    """The number of some things in words: 1 file, 2 files."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


@contextmanager
def showing_progress() -> Iterator[None]:
    """Show the progress of long steps inside the block as a bar on standard error.

    A step within another has a bar too once it takes long: most are over at once.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from textclust.progress import reporting

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bars:
        under_way = 0

        def follow(items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
            nonlocal under_way
            began, patience, task = monotonic(), _PATIENCE if under_way else 0.0, None
            under_way += 1
            try:
                for done, item in enumerate(items):
                    if task is None and monotonic() - began >= patience:
                        task = bars.add_task(label, total=total, completed=done)
                    yield item
                    if task is not None:
                        bars.advance(task)
            finally:
                under_way -= 1
                if task is not None:
                    bars.remove_task(task)

        with reporting(follow):
            yield


def only_ascii() -> bool:
    """Whether standard error lacks the letters that tables are drawn with."""
    return not _has_every_letter(sys.stderr)


def _write(stream: TextIO, text: str, end: str = "\n") -> None:
    """Everything that the commands print comes through here."""
    print(text, end=end, file=stream, flush=stream is sys.stderr)


def _cell(value: object) -> int | float | str:
    if isinstance(value, list):
        return "\n".join(str(_cell(each)) for each in value)
    return value if isinstance(value, int | float) else _bounded_cell(one_line(str(value)))


def _bounded_cell(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 4]} ..."


def _seen(value: object) -> object:
    return one_line(value) if isinstance(value, str) else value


def _has_every_letter(stream: TextIO) -> bool:
    return (stream.encoding or "utf-8").lower().startswith("utf")
