"""A program started from nothing: its seconds, its processors' seconds and its peak memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measuring import NoResultError, Run

__all__ = ["ColdProcess"]

_LAUNCHER = (sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py")))


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
            process = subprocess.Popen(  # noqa: S603 - our own
                [*_LAUNCHER, *self.command],
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env={**os.environ, **self.environment},
                start_new_session=True,
            )
            try:
                answer, _ = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                raise NoResultError(f"did not finish in {limit:.0f} s") from None
            finally:
                _end(process)
            complaints.seek(0)
            found = json.loads(answer) if answer else {"code": process.returncode}
            if found.pop("code"):
                raise NoResultError(_reason(answer, process.returncode, complaints.read()))
        return Run(**found, verdict=self.judge())


def _end(process: subprocess.Popen[str]) -> None:
    """Leave nothing behind of what it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _reason(answer: str, code: int, complaints: str) -> str:
    last = (complaints.strip().splitlines() or [""])[-1]
    return f"ended with code {json.loads(answer)['code'] if answer else code}: {last[:160]}"
