"""Files appear whole or not at all: written beside their place, then renamed into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textclust.errors import OutputError

__all__ = ["staged_folder", "write_whole"]


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write one file; readers see the old one or the new one, never a part."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    return path


@contextmanager
def staged_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """An empty folder beside `folder`; at the end of the block its entries move into it.

    Entries of the same name are replaced, others stay. If the block fails, or is
    interrupted, nothing has changed and nothing is left behind. Entering already fails
    where `folder` cannot be written, so long work is not done in vain.
    """
    folder = Path(folder)
    with _told(folder):
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder}: a file is in the way; name another folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    done = False
    try:
        yield stage
        with _told(folder):
            folder.mkdir(exist_ok=True)
            done = True
            for entry in sorted(stage.iterdir()):
                _move(entry, folder / entry.name)
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        if not done:
            for place in missing:
                _remove_if_empty(place)


def _move(new: Path, place: Path) -> None:
    if new.is_dir() and place.is_dir():
        replaced = new.with_name(f"{new.name}.replaced")
        os.rename(place, replaced)
    os.replace(new, place)


def _remove_if_empty(place: Path) -> None:
    try:
        place.rmdir()
    except OSError:
        return


def _umask() -> int:
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
