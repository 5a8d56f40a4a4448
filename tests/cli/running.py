"""What the tests of the command line share: an answer, files to read, a look at a folder."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUN = "import sys; from textclust.cli.main import main; main()"


@dataclass(frozen=True)
class Answer:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON value it must be."""
        return json.loads(self.out)

    @property
    def rows(self) -> list[dict[str, str]]:
        """Standard output as CSV."""
        return list(csv.DictReader(io.StringIO(self.out)))


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, which is made."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, hidden or not, with the content of its files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def start(*arguments: object, program: str = RUN, **options: Any) -> subprocess.Popen[bytes]:
    """The command line in a process of its own, its output in pipes."""
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    environment = {**os.environ, "COLUMNS": "200", **options.pop("env", {})}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, **{**streams, "env": environment, **options})


def finish(process: subprocess.Popen[bytes], stdin: bytes | None = None) -> Answer:
    """Wait for a process, and what it said."""
    out, err = process.communicate(stdin, timeout=120)
    return Answer(process.returncode, (out or b"").decode(), (err or b"").decode())
