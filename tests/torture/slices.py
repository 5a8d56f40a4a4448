"""A worker watched from outside: a crash, a hang or a want of memory fails the try under way."""

from __future__ import annotations

import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.torture.trials import Torture
from tests.torture.worker import Order

ROOT = Path(__file__).resolve().parents[2]
START = 300.0  # seconds to import everything in, on a busy machine
TICK = 0.5  # seconds
SHOWN = 4000  # characters of what a worker said on standard error


@dataclass(frozen=True)
class Failed:
    """A try that failed, and how."""

    test: str
    seed: int
    number: int
    how: str


@dataclass(frozen=True)
class Tried:
    """What became of a number of tries."""

    tries: int
    seconds: float
    failure: Failed | None


def tries(test: Torture, order: Order, seconds: float) -> Iterator[Tried]:
    """Keep a worker at its test for this long, or for the tries that are ordered.

    A new one follows each that failed.
    """
    end, first, more = time.monotonic() + seconds, order.first, order.tries
    while True:
        left = max(0.0, end - time.monotonic())
        done = one_worker(test, replace(order, first=first, seconds=left, tries=more))
        yield done
        first += done.tries
        more = None if more is None else more - max(1, done.tries)
        if time.monotonic() >= end or more == 0:
            return


def one_worker(test: Torture, order: Order) -> Tried:
    """Run a worker until it ends, or has to be ended."""
    begun = time.monotonic()
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "tests.torture.worker", order.as_json(), str(writing)]
    environment = {
        **os.environ,
        "OPENBLAS_NUM_THREADS": "1",
        "TEXTCLUST_VECTOR_CACHE": "off",
        "COLUMNS": "100",
        "PYTHONHASHSEED": str(order.seed % 2**32),  # a set has the same order in every run
    }
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            pass_fds=[writing],
            start_new_session=True,
        )
        os.close(writing)
        try:
            count, under_way, how = _follow(reading, test.seconds)
        finally:
            os.close(reading)
            ended = _end(process)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")[-SHOWN:]
    if how is None and (under_way is not None or ended != 0):
        how = f"the process ended with {_in_words(ended)}\n{text}"
    number = order.first + count if under_way is None else under_way
    failure = None if how is None else Failed(test.name, order.seed, number, how)
    made = count + (failure is not None and under_way is not None)
    return Tried(made, time.monotonic() - begun, failure)


def _follow(reading: int, seconds: float) -> tuple[int, int | None, str | None]:
    """Read what a worker says: tries that ended, one that did not, and how it failed."""
    count, under_way, patience, rest = 0, None, START, b""
    while True:
        if not _said_within(reading, patience):
            return count, under_way, f"no end after {patience:g} seconds"
        part = os.read(reading, 1 << 16)
        if not part:
            return count, under_way, None
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            said: dict[str, Any] = json.loads(line)
            if "failed" in said:
                return count, said["failed"], said["how"]
            under_way = said.get("begun")
            count += "ended" in said
            patience = seconds


def _said_within(reading: int, seconds: float) -> bool:
    """Whether there is something to read in this time; what was paused meanwhile is not counted."""
    for _ in range(math.ceil(seconds / TICK)):
        if select.select([reading], [], [], min(TICK, seconds))[0]:
            return True
    return False


def _end(process: subprocess.Popen[bytes]) -> int:
    """How a process ended; it and what it started are killed where they have not."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()


def _in_words(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit code {status}"
