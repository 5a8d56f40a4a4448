"""Reading what should be a file of ours, whoever put it there: regular files alone, and plain JSON.

A FIFO has a reader wait for ever, a device may have no end, and JSON that is nested deeply enough
exhausts the stack. A symbolic link is followed: what it leads to has to be a regular file.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from os import open as descriptor_of
from typing import IO, Any

__all__ = ["DEEPEST", "open_regular", "parsed_json", "read_regular"]

_PLAIN = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # each where there is one
DEEPEST = 32  # levels of lists and objects


def open_regular(path: str | os.PathLike[str]) -> IO[bytes]:
    """A regular file, open for reading; an OSError for anything else, without waiting for it."""
    handle = descriptor_of(path, os.O_RDONLY | _PLAIN)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        return open(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: str | os.PathLike[str]) -> bytes:
    """All bytes of a regular file; an OSError for anything else."""
    with open_regular(path) as file:
        return file.read()


def parsed_json(data: bytes) -> Any:
    """What UTF-8 encoded JSON says; a ValueError where it is not JSON, or nested too deeply."""
    try:
        content = json.loads(data)
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} levels deep") from None
    level: list[Any] = [content]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return content
    raise ValueError(f"nested more than {DEEPEST} levels deep")


def _inside(value: Any) -> list[Any]:
    """The lists and objects in a list or an object."""
    every = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [each for each in every if isinstance(each, dict | list)]
