"""An environment for each peer, so that what it needs can be weighed; ours is the one that runs."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["OURS", "Environment"]

_HOME = Path(__file__).resolve().parents[2] / ".bench-venv" / "peers"
_WANTED = Path(__file__).with_name("scripts")
_READY = ".ready"


@dataclass(frozen=True)
class Environment:
    """A virtual environment, made of the requirements of this name when it is first needed."""

    name: str

    @cached_property
    def folder(self) -> Path:
        """Where it lies; for the one that runs this program, its own."""
        return Path(sys.prefix) if self.name == "textclust" else _HOME / self.name

    def program(self, name: str) -> Path:
        """A program in it."""
        return self.folder / "bin" / name

    def prepare(self) -> str:
        """Install what is missing; why that cannot be done, or nothing."""
        if self.name == "textclust" or (self.folder / _READY).exists():
            return ""
        venv.create(self.folder, with_pip=True, clear=True)
        for wanted in self.requirements():
            command = [str(self.program("python")), "-m", "pip", "install", "-qq", wanted]
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                return f"{wanted} does not install: {last}"
        (self.folder / _READY).touch()
        return ""

    def requirements(self) -> list[str]:
        """What a user would install."""
        lines = (_WANTED / f"{self.name}.txt").read_text(encoding="utf-8").splitlines()
        return [line.partition("#")[0].strip() for line in lines]

    def megabytes(self) -> float:
        """What it takes on disk, without pip and what comes with it."""
        return sum(map(_size, self._packages())) / 1e6

    def _packages(self) -> Iterator[Path]:
        for folder in self.folder.glob("lib/python*/site-packages"):
            for each in folder.iterdir():
                if each.name.partition("-")[0] not in ("pip", "setuptools", "_distutils_hack"):
                    yield each


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files if file.is_file())


OURS = Environment("textclust")
