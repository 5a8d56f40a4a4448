"""What is under way has a hidden name and is locked; what has the name alone was left by a kill."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from textclust.writing.moves import go_back

try:
    import fcntl
except ImportError:  # without locks nothing counts as left over
    fcntl = None  # type: ignore[assignment]

__all__ = ["PREFIX", "final_place", "is_staged", "recover", "under_way"]

PREFIX = ".textclust-new-"


def is_staged(place: Path) -> bool:
    """Whether a place lies in a stage, where nothing but our own files can be."""
    return any(part.startswith(PREFIX) for part in place.parts[:-1])


def final_place(place: str | os.PathLike[str]) -> Path:
    """Where a file comes to lie that is written here: outside a stage just here."""
    parts = Path(os.path.abspath(place)).parts
    return Path(*(part for part in parts if not part.startswith(PREFIX)))


@contextmanager
def under_way(
    folder: Path, make: Callable[[Path], None], remove: Callable[[Path], None]
) -> Iterator[Path]:
    """A new file or folder with a hidden name that is locked in the block and removed after it."""
    while True:
        place = folder / (PREFIX + os.urandom(8).hex())
        try:
            make(place)
            with _locked(place, wait=True):
                if os.path.lexists(place):  # else another run removed it before it was locked
                    yield place
                    return
        finally:
            remove(place)


def recover(folder: str | os.PathLike[str]) -> None:
    """Undo what killed runs did to a folder by half, and remove what else they left in it.

    Only what is ours by its name and its owner is touched, and not while a process holds it.
    """
    with suppress(OSError):  # no such folder, or a read-only one
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.name.startswith(PREFIX) and _is_mine(entry):
                with _locked(Path(entry.path), wait=False) as free:
                    if free:
                        _remove(Path(entry.path), Path(folder))


def _remove(left: Path, folder: Path) -> None:
    if not left.is_dir():
        left.unlink()
    elif go_back(left, folder):
        shutil.rmtree(left, ignore_errors=True)


def _is_mine(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file or a folder of this user; opening a FIFO would wait for ever."""
    own = not hasattr(os, "geteuid") or entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    return own and (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False))


@contextmanager
def _locked(place: Path, *, wait: bool) -> Iterator[bool]:
    """Hold a file or folder until the block, or the process, ends; False where that cannot be."""
    handle = _lock(place, wait=wait)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _lock(place: Path, *, wait: bool) -> int | None:
    if fcntl is None:
        return None
    try:
        handle = os.open(place, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:  # another process holds it, or the file system has no locks
        os.close(handle)
        return None
    return handle
