"""What the commands show: results on standard output, everything else on standard error."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["csv_text", "note", "print_json", "print_table", "showing_progress"]

T = TypeVar("T")


def print_json(content: Any) -> None:
    """One JSON object on standard output."""
    print(json.dumps(content, ensure_ascii=False, indent=2))


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()


def print_table(header: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """A table on standard output; cells are plain text, whatever they hold."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console = Console(highlight=False)
    if title:
        console.print(Text(_printable(title)))
    console.print(table)


def note(message: str) -> None:
    """A line on standard error."""
    from rich.console import Console
    from rich.text import Text

    Console(stderr=True, highlight=False).print(Text(_printable(message)))


@contextmanager
def showing_progress() -> Iterator[None]:
    """Show the progress of long steps inside the block as a bar on standard error."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from textclust.progress import reporting

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bars:

        def follow(items: Iterable[T], label: str, total: int | None) -> Iterator[T]:
            task = bars.add_task(label, total=total)
            try:
                for item in items:
                    yield item
                    bars.advance(task)
            finally:
                bars.remove_task(task)

        with reporting(follow):
            yield


def _cell(value: Any) -> Any:
    from rich.align import Align
    from rich.text import Text

    text = Text(_printable(str(value)))
    return Align.right(text) if isinstance(value, int | float) else text


def _printable(text: str) -> str:
    """Documents are untrusted: no control character of theirs reaches the terminal."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
