"""A collection in pieces, each of which can be read by itself, on another machine too.

Where the cuts are depends on the collection alone, not on who reads it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from glob import glob
from io import BytesIO
from itertools import pairwise
from typing import BinaryIO

from textclust.errors import InputError
from textclust.text.catalogue import Skipped, Source
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.folders import LeaveOut, Place, files_below, read_files
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.names import readable
from textclust.text.reading import Reading, open_documents, reading_of
from textclust.text.rows import Columns
from textclust.text.tables import read_jsonl

__all__ = ["Piece", "ReadingSettings", "split_source"]

_BYTES = 32 << 20  # of a piece, about
_FILES = 2_000  # of a folder
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # a line break is more than one byte


@dataclass(frozen=True)
class ReadingSettings:
    """How documents are read; see `open_documents`."""

    cleaning: Cleaning = AUTO
    columns: Columns = field(default_factory=Columns)
    limits: Limits = STANDARD_LIMITS


@dataclass(frozen=True)
class Piece:
    """A file, a stretch of a .jsonl file, or some files of a folder.

    A stretch has the lines that begin in it.
    """

    path: str
    begin: int = 0
    end: int | None = None  # in bytes; None is the whole file
    files: tuple[Place | Skipped, ...] = ()

    def open(self, settings: ReadingSettings) -> Reading:
        """Its documents as a stream."""
        columns = settings.columns
        if self.files:
            return self._reading(
                lambda: read_files(self.files, settings.cleaning, settings.limits), settings
            )
        if self.end is not None:
            return self._reading(
                lambda: read_jsonl(
                    self._lines(), self.where, columns, settings.cleaning, settings.limits
                ),
                settings,
            )
        return open_documents(
            self.path,
            cleaning=settings.cleaning,
            text_column=columns.text,
            id_column=columns.id,
            label_column=columns.label,
            date_column=columns.date,
            limits=settings.limits,
        )

    @property
    def where(self) -> str:
        """What it is called in messages."""
        name = readable(os.fsencode(self.path))
        return name if self.end is None or not self.begin else f"{name} from byte {self.begin:,} on"

    def _reading(self, source: Callable[[], Source], settings: ReadingSettings) -> Reading:
        return reading_of(source, self.where, settings.cleaning, settings.columns)

    def _lines(self) -> BytesIO:
        with open(self.path, "rb") as file:
            first, last = (_line_start(file, place) for place in (self.begin, self.end or 0))
            file.seek(first)
            return BytesIO(file.read(last - first))


def split_source(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    size: int = _BYTES,
    leave_out: LeaveOut | None = None,
) -> list[Piece]:
    """The pieces of one or more paths, or patterns such as ``crawl/*.jsonl``, in their order."""
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found = [
        piece for path in given for each in _named(path) for piece in _of(each, size, leave_out)
    ]
    if not found:
        raise InputError("there is nothing to read; give a path")
    return found


def _named(path: str | os.PathLike[str]) -> list[str]:
    """The files that a path or a pattern names, sorted."""
    name = os.fspath(path)
    if os.path.exists(name):
        return [name]
    found = sorted(glob(name))
    if not found:
        raise InputError(f"{readable(os.fsencode(name))}: no such file or folder")
    return found


def _of(path: str, size: int, leave_out: LeaveOut | None) -> list[Piece]:
    if os.path.isdir(path):
        return _of_folder(path, leave_out)
    if not path.lower().endswith(".jsonl"):
        return [Piece(path)]
    with open(path, "rb") as file:
        is_wide = file.read(4).startswith(_WIDE)
    length = os.path.getsize(path)
    if is_wide or length <= size:
        return [Piece(path)]
    cuts = [*range(0, length, size), length]
    return [Piece(path, begin, end) for begin, end in pairwise(cuts)]


def _of_folder(path: str, leave_out: LeaveOut | None) -> list[Piece]:
    files = sorted(files_below(path, leave_out), key=lambda file: file.name)
    runs: list[Sequence[Place | Skipped]] = [
        files[begin : begin + _FILES] for begin in range(0, len(files), _FILES)
    ]
    return [Piece(path, files=tuple(run)) for run in runs]


def _line_start(file: BinaryIO, place: int) -> int:
    """Where the first line begins that begins at this place or after it."""
    if place == 0:
        return 0
    file.seek(place - 1)
    file.readline()
    return file.tell()
