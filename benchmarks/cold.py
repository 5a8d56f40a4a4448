"""A program started from nothing: its seconds, its processors' seconds and its peak memory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Timer
from typing import Any

from benchmarks.measuring import NoResultError, Run

__all__ = ["ColdProcess"]


@dataclass(frozen=True)
class ColdProcess:
    """A command; `judge` looks at what it left behind."""

    name: str
    command: Sequence[str]
    judge: Callable[[], dict[str, Any]] = dict
    given: str = ""
    essential: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def run(self, limit: float) -> Run:
        """Start it and wait for its end, or the limit."""
        with tempfile.TemporaryFile("w+") as complaints:
            started = time.perf_counter()
            process = subprocess.Popen(
                self.command,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                env={**os.environ, **self.environment},
            )
            guard = Timer(limit, process.kill)
            guard.start()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            guard.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                complaints.seek(0)
                raise NoResultError(_reason(process.returncode, complaints.read(), seconds, limit))
        cpu = usage.ru_utime + usage.ru_stime
        return Run(seconds, cpu, usage.ru_maxrss * 1024, self.judge())


def _reason(code: int, complaints: str, seconds: float, limit: float) -> str:
    if seconds >= limit:
        return f"did not finish in {limit:.0f} s"
    last = (complaints.strip().splitlines() or [""])[-1]
    return f"ended with code {code}: {last[:160]}"
