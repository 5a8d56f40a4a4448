"""Something happens at one step of writing: an interruption, a full disk, the end of the process.

A step is a call that changes or asks the disk; `at_step` acts before or after the
nth of them.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

STEPS = ("mkdir", "open", "rename", "replace", "link", "unlink", "rmdir", "fsync", "write")


def interrupt() -> None:
    raise KeyboardInterrupt


def fill_the_disk() -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def at_step(monkeypatch: Any, n: int, happens: Callable[[], None], *, after: bool) -> Iterator[Any]:
    """Let something happen before or after the nth step; yields the numbers used up."""
    numbers: list[int] = []
    counter = count()

    def watched(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            number = next(counter)
            numbers.append(number)
            if number == n and not after:
                happens()
            try:
                return real(*arguments, **options)
            finally:
                if number == n and after:
                    happens()

        return call

    kind = getattr(open, "kind", io.FileIO)  # that of a step watched already

    class File(kind):
        write = watched(kind.write)

    with monkeypatch.context() as patch:
        for name in STEPS:
            patch.setattr(os, name, watched(getattr(os, name)))
        patch.setattr(builtins, "open", opening_as(File))
        yield numbers


def opening_as(kind: type[io.FileIO]) -> Callable[..., Any]:
    """`open`, which makes files of this kind where they are written to."""
    usual = open

    def opened(file: Any, mode: str = "r", buffering: int = -1, *text: Any, **given: Any) -> Any:
        if not set("wax+") & set(mode):
            return usual(file, mode, buffering, *text, **given)
        raw = kind(file, mode.translate({ord("b"): None, ord("t"): None}))
        buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return buffered if "b" in mode else io.TextIOWrapper(buffered, *text, **given)

    vars(opened)["kind"] = kind
    return opened


def steps_of(monkeypatch: Any, work: Callable[[], object]) -> range:
    """The numbers of the steps that some work takes."""
    with at_step(monkeypatch, -1, interrupt, after=False) as numbers:
        work()
    return range(len(numbers))


def in_another_process(work: Callable[[], object]) -> int:
    """Do the work in a process of its own; how that ended, as `os.waitpid` has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks beside threads: the child runs Python alone
        child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def listing(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, hidden or not, with the content of its files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def shown(folder: Path) -> dict[str, bytes | None]:
    """The same without what is hidden."""
    return {name: found for name, found in listing(folder).items() if not name.startswith(".")}
