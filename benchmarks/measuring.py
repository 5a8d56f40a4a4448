"""Interleaved repetition: medians, their ratios, and how far single rounds spread."""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

__all__ = [
    "ENOUGH",
    "LIMIT",
    "PATIENCE",
    "NoResultError",
    "Power",
    "Result",
    "Run",
    "Runner",
    "power",
    "race",
    "tell",
]

LIMIT = 300.0  # seconds for one run
ENOUGH = 10.0  # seconds after which a contestant that is not essential is not run again
PATIENCE = 200.0  # seconds after which an essential one is not either


class NoResultError(Exception):
    """A contestant could not be run, or not to the end; says why."""


@dataclass(frozen=True)
class Run:
    """One run: seconds of wall clock and of processors, bytes at its peak, and its verdict."""

    seconds: float
    cpu: float
    peak: int
    verdict: dict[str, Any]


class Runner(Protocol):
    """Whatever can be run again and again."""

    name: str
    given: str
    essential: bool

    def run(self, limit: float) -> Run:
        """Run once; `NoResultError` where that cannot be done within the limit."""
        ...


@dataclass
class Result:
    """All runs of one contestant; `failure` says why there are none, or no more."""

    name: str
    given: str
    runs: list[Run] = field(default_factory=list)
    failure: str = ""

    @property
    def seconds(self) -> float:
        """The median."""
        return statistics.median(run.seconds for run in self.runs)

    @property
    def cpu(self) -> float:
        """The median of the processors' seconds."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def peak(self) -> int:
        """Bytes, at most."""
        return max(run.peak for run in self.runs)

    @property
    def verdict(self) -> dict[str, Any]:
        """Of the first run: every contestant is given a fixed random state."""
        return self.runs[0].verdict

    def ratio_to(self, other: Result) -> tuple[float, float, float]:
        """How many times as long as `other`: of the medians, and the extremes of the rounds."""
        rounds = [
            mine.seconds / its.seconds for mine, its in zip(self.runs, other.runs, strict=False)
        ]
        return self.seconds / other.seconds, min(rounds), max(rounds)


def race(runners: Sequence[Runner], repeats: int, limit: float = LIMIT) -> list[Result]:
    """Every runner once in each round, so that a busy minute of the machine meets them all."""
    results = [Result(runner.name, runner.given) for runner in runners]
    for _ in range(repeats):
        for runner, result in zip(runners, results, strict=True):
            spent = sum(run.seconds for run in result.runs)
            if result.failure or spent > (PATIENCE if runner.essential else ENOUGH):
                continue
            try:
                result.runs.append(runner.run(limit))
                tell(f"    {runner.name}: {result.runs[-1].seconds:.3f} s")
            except NoResultError as failure:
                result.failure = str(failure)
                tell(f"    {runner.name}: {failure}")
    return results


class Power(NamedTuple):
    """The power of a size that time grows with, and the factor by which it misses a point most."""

    exponent: float
    miss: float


def power(sizes: Sequence[float], seconds: Sequence[float]) -> Power:
    """Least squares between the logarithms."""
    across, up = ([math.log(value) for value in values] for values in (sizes, seconds))
    slope, height = statistics.linear_regression(across, up)
    misses = (abs(y - slope * x - height) for x, y in zip(across, up, strict=True))
    return Power(slope, math.exp(max(misses)))


def tell(line: str) -> None:
    """Progress, for whoever waits."""
    print(line, file=sys.stderr, flush=True)
