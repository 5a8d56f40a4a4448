"""What a command has written, should it be interrupted: by what is there, not by what was done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from textclust.writing.places import inode

__all__ = ["Record", "about_to_write", "recording"]

_record: ContextVar[Record | None] = ContextVar("textclust_record", default=None)


class Record:
    """Places that a command was about to write to, and what would stand there afterwards."""

    def __init__(self) -> None:
        self._expected: list[tuple[str, Path, int | None]] = []

    def add(self, shown: str, place: Path, expected: int | None) -> None:
        self._expected.append((shown, place, expected))

    def standing(self) -> list[str]:
        """The places where the new file or folder stands."""
        return list(
            dict.fromkeys(
                shown
                for shown, place, expected in self._expected
                if expected is not None and inode(place) == expected
            )
        )


@contextmanager
def recording() -> Iterator[Record]:
    """Keep a record of what is written inside the block, by this thread."""
    record = Record()
    token = _record.set(record)
    try:
        yield record
    finally:
        _record.reset(token)


def about_to_write(
    shown: str | os.PathLike[str], place: str | os.PathLike[str], source: str | os.PathLike[str]
) -> None:
    """Note that the file or folder `source` is to stand at a place, which is shown so."""
    record = _record.get()
    if record is not None:
        record.add(os.fspath(shown), Path(place), inode(source))
