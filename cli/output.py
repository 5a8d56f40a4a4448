"""What the commands show: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from textclust.text.catalogue import Skipped

__all__ = [
    "counted",
    "note",
    "note_skipped",
    "print_json",
    "print_line",
    "print_table",
    "printable",
    "showing_progress",
]

T = TypeVar("T")

_PATIENCE = 0.5  # seconds


def print_json(content: object) -> None:
    """One JSON object on standard output, in letters that its encoding has."""
    print(json.dumps(content, ensure_ascii=not _has_every_letter(), indent=2))


def print_line(text: str) -> None:
    """A line on standard output; plain text, whatever it holds."""
    print(printable(text))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """A table on standard output; cells are plain text, whatever they hold."""
    from .table import draw

    cells = [[_cell(value) for value in row] for row in rows]
    if title:
        print_line(title)
    width = get_terminal_size().columns
    print(draw(header, cells, width, only_ascii=not _has_every_letter()), end="")


def note(message: str) -> None:
    """A line on standard error."""
    print(printable(message), file=sys.stderr)


def note_skipped(skipped: Sequence[Skipped]) -> None:
    """How many files were left out, and why, if any were."""
    if skipped:
        reasons = Counter(item.reason for item in skipped).most_common()
        listed = ", ".join(f"{count} {reason}" for reason, count in reasons)
        note(f"{counted(len(skipped), 'file')} left out: {listed}")


def counted(number: int, noun: str) -> str:
    """The number of some things in words: 1 file, 2 files."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    """Documents are untrusted: no control character of theirs reaches the terminal."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


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


def _cell(value: object) -> int | float | str:
    return value if isinstance(value, int | float) else printable(str(value))


def _has_every_letter() -> bool:
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")
