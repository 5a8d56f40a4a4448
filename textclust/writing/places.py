"""What writing a file and writing a folder share: parents, moves, the disk, and its errors."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from textclust.errors import OutputError

__all__ = ["inode", "made", "move_to_free", "sync", "writing_to"]

_NO_SUCH_THING = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)  # where folders cannot be synced
_NO_LINKS = (
    errno.EPERM,
    errno.EACCES,
    errno.EINVAL,
    errno.EMLINK,
    errno.ENOSYS,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.EXDEV,
)


@contextmanager
def writing_to(place: str | os.PathLike[str]) -> Iterator[None]:
    """What the system refuses inside the block is an OutputError that names the place."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(
            f"{place}: cannot be written ({reason}); choose another place or free it"
        ) from error


@contextmanager
def made(folder: Path, wanted: str | os.PathLike[str]) -> Iterator[None]:
    """Make a folder for what is wanted; after a failure those that were made are gone again."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    try:
        with writing_to(wanted):
            folder.mkdir(parents=True, exist_ok=True)
            for place in missing:
                sync(place.parent)
        yield
    except BaseException:
        for place in missing:
            with suppress(OSError):  # not empty
                place.rmdir()
        raise


def move_to_free(source: Path, target: Path) -> None:
    """Rename to a place where nothing is; a FileExistsError if something came there meanwhile.

    A file is linked to the place, which fails where something is, as a rename would not.
    """
    if stat.S_ISREG(os.lstat(source).st_mode) and _link(source, target):
        os.unlink(source)
        return
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(source, target)


def _link(source: Path, target: Path) -> bool:
    """Give a file a second name; False where the file system knows no such thing."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return False
    return True


def inode(place: str | os.PathLike[str]) -> int | None:
    """What a file or folder keeps when it is renamed; None where there is nothing."""
    try:
        return os.lstat(place).st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None


def sync(folder: str | os.PathLike[str]) -> None:
    """Wait until the disk has the names in a folder; a file system may know no such thing."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SUCH_THING:
            raise
    finally:
        os.close(handle)
