"""One file: written beside its place, and renamed into it when it is whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedRandom
from pathlib import Path

from textclust.writing.guard import Inputs, claim
from textclust.writing.leftovers import is_staged, recover, under_way
from textclust.writing.marks import is_ours
from textclust.writing.places import made, move_to_free, sync, writing_to
from textclust.writing.standing import about_to_write

__all__ = ["reserved_file", "whole_file", "write_whole"]

Replaces = Callable[[Path], bool]


def write_whole(
    path: str | os.PathLike[str],
    content: str | bytes,
    *,
    inputs: Inputs = (),
    replaces: Replaces = is_ours,
) -> Path:
    """Write one file; readers see the old one or the new one, never a part."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with whole_file(path, inputs=inputs, replaces=replaces) as file:
        file.write(data)
    return Path(path)


@contextmanager
def whole_file(
    path: str | os.PathLike[str], *, inputs: Inputs = (), replaces: Replaces = is_ours
) -> Iterator[BufferedRandom]:
    """A file to write, and to read again, that takes its place at the end of the block."""
    with reserved_file(path, inputs=inputs, replaces=replaces) as file, writing_to(path):
        yield file


@contextmanager
def reserved_file(
    path: str | os.PathLike[str], *, inputs: Inputs = (), replaces: Replaces = is_ours
) -> Iterator[BufferedRandom]:
    """The same for a block that does more than write, and may fail for other reasons.

    What must not be replaced, or cannot be written, is an error on entering, before long work is
    done in vain; what came there meanwhile is one at the end. A link stays a link: the file it
    leads to is written.
    """
    place = Path(os.path.realpath(path))
    if is_staged(place):  # nobody else sees it there
        with made(place.parent, path), _opened(place, path) as file:
            yield file
        return
    _claim(place, path, inputs, replaces)
    with made(place.parent, path), ExitStack() as stack:
        recover(place.parent)
        with writing_to(path):
            hidden = stack.enter_context(under_way(place.parent, _make, _remove))
        with _opened(hidden, path) as file:
            yield file
        with writing_to(path):
            move = os.replace if _claim(place, path, inputs, replaces) else move_to_free
            about_to_write(path, place, hidden)
            move(hidden, place)
            with suppress(OSError):
                sync(place.parent)


def _claim(place: Path, path: str | os.PathLike[str], inputs: Inputs, replaces: Replaces) -> bool:
    if os.path.isdir(place):
        with writing_to(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return claim(place, inputs, replaces, shown=path)


@contextmanager
def _opened(place: Path, shown: str | os.PathLike[str]) -> Iterator[BufferedRandom]:
    """A file that is on the disk when the block has ended."""
    with writing_to(shown):
        file = open(place, "w+b")  # noqa: SIM115 - an error in closing must not hide another
    try:
        yield file
        with writing_to(shown):
            file.flush()
            os.fsync(file.fileno())
    finally:
        with suppress(OSError):
            file.close()


def _make(hidden: Path) -> None:
    os.close(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))


def _remove(hidden: Path) -> None:
    with suppress(OSError):  # in its place by now; or the next run removes it
        os.unlink(hidden)
