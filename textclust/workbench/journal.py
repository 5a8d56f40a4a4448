"""The journal: every action of a person as one line of a file that only grows.

A line counts once the disk has it. What a process that was killed left of its last line is cut off
when the journal is opened again; a last line that lacks its end alone is whole, and gets it.
Anything else that is not a line in its order is an error: nothing is passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Self

from textclust.errors import InputError
from textclust.regular_files import read_regular
from textclust.workbench.journal_lines import Line, encoded, is_beginning, parsed, without_frame
from textclust.writing import WorkLock
from textclust.writing.places import sync

__all__ = ["Journal", "read_journal"]


def read_journal(path: str | os.PathLike[str]) -> list[Line]:
    """The lines of a journal that may be in use; a last one that is not whole is left out."""
    try:
        data = read_regular(path)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror or error}); check the path"
        ) from error
    return _read(data, path)[0]


class Journal:
    """A journal that is open for more lines, here and nowhere else."""

    def __init__(self, path: Path, handle: int, lock: WorkLock) -> None:
        """Read a file that is open and locked; see `open`."""
        self.path = path
        self._handle: int | None = handle
        self._lock = lock
        self._mutex = Lock()
        data = _content(handle)
        self._lines, whole, self.torn = _read(data, path)
        self._end = len(data) - len(self.torn)
        self._has_remains = bool(self.torn)
        if whole != data[: self._end]:  # the end of the last line is missing
            self._write(b"\n")
        elif self.torn:
            self._cut()

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a journal, or make an empty one; an InputError while another process has it."""
        place = Path(path)
        with ExitStack() as undo:
            with _opening(place):
                handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
            undo.callback(os.close, handle)
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError(f"{place}: not a file; name another place")
            lock = undo.enter_context(WorkLock(place))
            with _opening(place):
                sync(place.parent)
                journal = cls(place, handle, lock)
            undo.pop_all()
            return journal

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._lines)

    def lines(self) -> list[Line]:
        """All lines, with their numbers and times."""
        return [dict(line) for line in self._lines]

    @property
    def actions(self) -> list[Line]:
        """All actions, without the numbers and times."""
        return [without_frame(line) for line in self._lines]

    def append(self, action: Mapping[str, object]) -> int:
        """Write down one more action; it is on the disk when this returns the number of its line.

        If it cannot be written the journal is as it was, and may be tried again.
        """
        with self._mutex:
            number = len(self._lines) + 1
            data = encoded(number, datetime.now(UTC).isoformat(timespec="seconds"), action)
            line = parsed(data, number, self.path)  # what cannot be read again is not written
            self._write(data)
            self._lines.append(line)
            return number

    def close(self) -> None:
        """Let others open it; a line that is being written is finished first."""
        with self._mutex:
            handle, self._handle = self._handle, None
            if handle is not None:
                os.close(handle)
                self._lock.release()

    def _write(self, data: bytes) -> None:
        """Add to the file and wait for the disk; what was added is cut off if that fails."""
        handle = self._open_handle()
        try:
            if self._has_remains:
                self._cut()
            self._refuse_changed(handle)
            self._has_remains = True
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        except BaseException as error:
            with suppress(OSError):  # the next one tries again
                self._cut()
            if isinstance(error, OSError):
                raise InputError(
                    f"{self.path}: cannot be written ({error.strerror or error}), so this was not "
                    "done; free some space and do it again"
                ) from error
            raise
        self._end += len(data)
        self._has_remains = False

    def _cut(self) -> None:
        """Take off what is behind the last whole line."""
        if self._has_remains:
            handle = self._open_handle()
            os.ftruncate(handle, self._end)
            os.fsync(handle)
            self._has_remains = False

    def _open_handle(self) -> int:
        if self._handle is None:
            raise InputError(f"{self.path}: closed; open the workbench again")
        return self._handle

    def _refuse_changed(self, handle: int) -> None:
        """Raise an InputError if somebody wrote to the file, removed it or put another there."""
        own = os.fstat(handle)
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            found = None
        if found is None or not os.path.samestat(own, found):
            raise InputError(
                f"{self.path}: moved or removed while it was open; put it back, then do this again"
            )
        if own.st_size != self._end:
            raise InputError(
                f"{self.path}: changed by another program while it was open; "
                "close the workbench, restore the file and open it again"
            )


@contextmanager
def _opening(place: Path) -> Iterator[None]:
    """What the system refuses inside the block is an InputError that names the file."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{place}: cannot be opened ({error.strerror or error}); choose another place"
        ) from error


def _content(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _read(data: bytes, path: str | os.PathLike[str]) -> tuple[list[Line], bytes, bytes]:
    """The lines of a journal, their bytes with the end of the last, and a torn rest."""
    *whole, last = data.split(b"\n")
    lines = [parsed(each, number, path) for number, each in enumerate(whole, start=1)]
    number = len(lines) + 1
    if not last:
        return lines, data, b""
    if not is_beginning(last, number):
        parsed(last, number, path)
    with suppress(InputError):
        return [*lines, parsed(last, number, path)], data + b"\n", b""
    return lines, data[: len(data) - len(last)], last
