"""An environment for each tool, so that what it needs can be weighed."""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

__all__ = ["OURS", "Environment"]

_ROOT = Path(__file__).resolve().parents[2]
_HOME = _ROOT / ".bench-venv" / "peers"
_WANTED = Path(__file__).with_name("scripts")
_READY = ".ready"
_CODE = (".py", ".pyx", ".h")


@dataclass(frozen=True)
class Environment:
    """A virtual environment, made when it is first needed: of the requirements of this name.

    One that is made of a checkout is made anew when the code there is newer.
    """

    name: str
    checkout: Path | None = None

    @cached_property
    def folder(self) -> Path:
        """Where it lies."""
        return _HOME / self.name

    def program(self, name: str) -> Path:
        """A program in it."""
        return self.folder / "bin" / name

    def prepare(self) -> str:
        """Install what is missing; why that cannot be done, or nothing."""
        if self._is_ready():
            return ""
        venv.create(self.folder, with_pip=True, clear=True)
        for wanted in self.requirements():
            command = [str(self.program("python")), "-m", "pip", "install", "-qq", wanted]
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
            if done.returncode:
                last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                return f"{wanted} does not install: {last}"
        (self.folder / _READY).touch()
        return ""

    def requirements(self) -> list[str]:
        """What a user would install."""
        if self.checkout is not None:
            return [str(self.checkout)]
        lines = (_WANTED / f"{self.name}.txt").read_text(encoding="utf-8").splitlines()
        return [line.partition("#")[0].strip() for line in lines]

    def _is_ready(self) -> bool:
        ready = self.folder / _READY
        if self.checkout is None or not ready.exists():
            return ready.exists()
        made = ready.stat().st_mtime
        code = (self.checkout / room for room in ("textclust", "cli", "corpora"))
        files = (file for room in code for file in room.rglob("*") if file.suffix in _CODE)
        return all(file.stat().st_mtime <= made for file in files)

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


OURS = Environment("textclust", _ROOT)
