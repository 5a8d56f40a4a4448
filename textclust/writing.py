"""Files appear whole or not at all: written beside their place, then renamed into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedRandom
from pathlib import Path
from threading import Lock

from textclust.errors import OutputError

__all__ = ["staged_folder", "whole_file", "write_whole"]

_asking = Lock()


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write one file; readers see the old one or the new one, never a part."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with whole_file(path) as file:
        file.write(data)
    return Path(path)


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BufferedRandom]:
    """A file to write, and to read again, that takes its place at the end of the block."""
    path = Path(path)
    with _made(path.parent, path), _told(path):
        handle, name = tempfile.mkstemp(prefix=".textclust-", dir=path.parent)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise


@contextmanager
def staged_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """An empty folder inside `folder`; at the end of the block its entries move up into it.

    Entries of the same name are replaced, others stay. If the block fails, or is
    interrupted, nothing has changed and nothing is left behind. Entering already fails
    where `folder` cannot be written, so long work is not done in vain.
    """
    folder = Path(folder)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise OutputError(f"{folder}: a file is in the way; name another folder")
    with _made(folder, folder):
        with _told(folder):
            stage = Path(tempfile.mkdtemp(prefix=".textclust-", dir=folder))
        try:
            yield stage
            with _told(folder):
                _move_all(stage, folder)
        finally:
            shutil.rmtree(stage, ignore_errors=True)


@contextmanager
def _made(folder: Path, wanted: Path) -> Iterator[None]:
    """Make a folder for what is wanted; after a failure those that were made are gone again."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    try:
        with _told(wanted):
            folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for place in missing:
            _remove_if_empty(place)
        raise


def _move_all(stage: Path, folder: Path) -> None:
    """Move every entry or none: what one replaces is put aside, and back after a failure."""
    entries = sorted(stage.iterdir())
    aside = Path(tempfile.mkdtemp(dir=stage))
    moves: list[tuple[Path, Path]] = []
    try:
        for entry in entries:
            place = folder / entry.name
            if os.path.lexists(place):
                os.rename(place, aside / entry.name)
                moves.append((place, aside / entry.name))
            os.rename(entry, place)
            moves.append((entry, place))
    except BaseException:
        for origin, place in reversed(moves):
            os.rename(place, origin)
        raise


def _remove_if_empty(place: Path) -> None:
    with suppress(OSError):
        place.rmdir()


def _umask() -> int:
    with _asking:  # the mask is the process's, and is only told to who sets it
        mask = os.umask(0)
        os.umask(mask)
    return mask


@contextmanager
def _told(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{place}: cannot be written ({reason}); choose another place or free it"
        ) from error
