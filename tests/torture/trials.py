"""A test of the harness is a function of a trial; it fails by raising whatever it raises."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random

GIB = 1 << 30
FILES = (
    "readers",
    "numbers",
    "models",
    "durability",
    "workbench",
    "together",
    "hostile",
    "repeats",
    "soak",
)


@dataclass(frozen=True)
class Trial:
    """One try: the seed of all that is random in it, and two folders that are empty before it.

    What it writes to `inputs` by `given` is kept where it fails, and given again where it is
    repeated; `place` is for everything else.
    """

    seed: str
    number: int
    place: Path
    inputs: Path

    @cached_property
    def rng(self) -> Random:
        return Random(self.seed)

    def given(self, name: str, make: Callable[[Random], bytes]) -> bytes:
        """A random input, or the one that was kept."""
        path = self.inputs / name
        if not path.exists():
            path.write_bytes(make(Random(f"{self.seed} {name}")))
        return path.read_bytes()


@dataclass(frozen=True)
class Torture:
    """A test: its share of the time, its tries in a quick run, and what one may take."""

    name: str
    run: Callable[[Trial], None]
    quick: int
    share: float
    seconds: float
    memory: int  # bytes of address space


TORTURES: dict[str, Torture] = {}


def torture(
    name: str, *, quick: int, share: float = 1.0, seconds: float = 120.0, memory: int = 6 * GIB
) -> Callable[[Callable[[Trial], None]], Callable[[Trial], None]]:
    """Put a function among the tests."""

    def register(run: Callable[[Trial], None]) -> Callable[[Trial], None]:
        assert name not in TORTURES, name
        TORTURES[name] = Torture(name, run, quick, share, seconds, memory)
        return run

    return register


def every() -> dict[str, Torture]:
    """All tests, by name."""
    for name in FILES:
        import_module(f"tests.torture.{name}")
    return TORTURES
