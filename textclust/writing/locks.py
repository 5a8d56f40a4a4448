"""A file that one process works on at a time: who has it, and since when, is in a file beside it.

The file beside is locked by the system, which lets go of it when the process ends, however it
ends. What is left of it after a kill says nothing and is taken over by the next process.
"""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Self

from textclust.errors import InputError
from textclust.plain import plain
from textclust.writing.places import made

try:
    import fcntl
except ImportError:  # without locks nobody else is noticed
    fcntl = None  # type: ignore[assignment]

__all__ = ["LOCK_PREFIX", "WorkLock", "working_on"]

LOCK_PREFIX = ".textclust-lock-"
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
_LONGEST = 4096  # bytes of what is said of the holder


class WorkLock:
    """The right to work on a file, until `release` or the end of the process.

    The file itself may be replaced meanwhile, and need not be there.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Take the lock; an InputError says which process has it, and since when."""
        place = Path(os.path.realpath(path))
        self._beside = place.parent / (LOCK_PREFIX + place.name)
        self._handle: int | None = None if fcntl is None else _locked(self._beside, path)
        if self._handle is not None:
            _say(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let others work on the file."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(OSError):
                os.unlink(self._beside)  # as long as it is locked: nobody else has taken it
            os.close(handle)


@contextmanager
def working_on(path: Path | None) -> Iterator[None]:
    """Hold the lock of a file, if any, in the block; its folder is made if it is missing."""
    if path is None:
        yield
        return
    with made(path.parent, path), WorkLock(path):
        yield


def _locked(beside: Path, path: str | os.PathLike[str]) -> int | None:
    """A locked file that is in its place; None where the file system has no locks."""
    while True:
        try:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be locked ({error.strerror or error}); choose another place"
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(beside, handle):  # else the one before has removed it in releasing it
                return handle
        except BlockingIOError:
            holder = _holder(handle)
            os.close(handle)
            raise InputError(f"{path}: is in use by {holder}; close that first") from None
        except OSError as error:
            os.close(handle)
            if error.errno not in _NO_LOCKS:  # of the file system
                raise
            return None
        os.close(handle)


def _is_at(place: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.lstat(place), os.fstat(handle))
    except FileNotFoundError:
        return False


def _say(handle: int) -> None:
    """Write down who holds the lock; it holds where that cannot be said too."""
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    content = {"process": os.getpid(), "machine": socket.gethostname(), "since": since}
    with suppress(OSError):  # a full disk
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(content).encode("ascii"), 0)


def _holder(handle: int) -> str:
    """Who holds a lock, as they said."""
    try:
        found = json.loads(os.pread(handle, _LONGEST, 0))
        process, machine = int(found["process"]), plain(str(found["machine"]), 80)
        since = datetime.fromisoformat(found["since"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another textclust"
    where = "" if machine == socket.gethostname() else f" on {machine}"
    return f"another textclust (process {process}{where}, since {since:%Y-%m-%d %H:%M:%S})"
