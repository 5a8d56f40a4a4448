"""Commands in forks of a worker, which has everything imported: each begins at once."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO

from textclust.cli.entry import main as command_line
from textclust.cli.main import run as run_here

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SOME = ("red lens camera", "dark moon star", "camera lens film", "moon star night")
OURS = ("textclust.", "numpy.", "scipy.", "sklearn.", "joblib", "rich.", "threadpoolctl", "email.")


@dataclass(frozen=True)
class Ended:
    """How a process ended, as `subprocess` has it, and what it said."""

    code: int
    out: str
    err: str


class Child:
    """Work in a process of its own, its streams in files."""

    def __init__(self, work: Callable[[], object], cwd: Path, stdin: bytes = b"") -> None:
        import_all()
        self._files: list[IO[bytes]] = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115
        self._files[0].write(stdin)
        self._files[0].seek(0)
        self.pid = forked(work, cwd, [file.fileno() for file in self._files])

    def send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self) -> Ended:
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        said = []
        for file in self._files:
            file.seek(0)
            said.append(file.read().decode("utf-8", "replace"))
            file.close()
        return Ended(code, *said[1:])


def forked(work: Callable[[], object], cwd: Path, streams: list[int] | None) -> int:
    """A fork that does the work and ends, with these handles as its streams.

    Signals that are sent to it before it has begun arrive when it has.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks beside threads: there are none of ours
        child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return child
    try:
        os.chdir(cwd)
        begin(streams)
        work()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def begin(streams: list[int] | None) -> None:
    """Streams and signals as a process has them that a shell has started."""
    for handle, stream in enumerate(streams or ()):
        os.dup2(stream, handle)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def command(*arguments: object) -> Callable[[], None]:
    """A command of textclust, as work for a child."""

    def work() -> None:
        sys.argv = ["textclust", *map(str, arguments)]
        command_line()

    return work


def run(cwd: Path, *arguments: object, stdin: bytes = b"") -> Ended:
    """A command from its beginning to its end."""
    return Child(command(*arguments), cwd, stdin).wait()


@cache
def import_all() -> None:
    """Import what commands import in the end, as a fork of this process finds out."""

    def work() -> None:
        Path("t.jsonl").write_text("".join(f'{{"text": "{text}"}}\n' for text in SOME))
        assert run_here(["cluster", "t.jsonl", "-k", "2", "--out", "out"]) == 0
        Path("modules").write_text("\n".join(sys.modules), encoding="utf-8")

    with tempfile.TemporaryDirectory(prefix="textclust-torture-") as place:
        child = forked(work, Path(place), [os.open(os.devnull, os.O_RDWR)] * 3)
        assert os.waitpid(child, 0)[1] == 0
        for name in (Path(place) / "modules").read_text(encoding="utf-8").splitlines():
            if name.startswith(OURS):
                with suppress(ImportError):
                    import_module(name)
