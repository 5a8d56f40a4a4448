"""A race between sizes: every contestant has a problem of its own, and they take turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchmarks.measuring import LIMIT, Result
from benchmarks.peers import Sorted, judge
from benchmarks.problems import Problem
from benchmarks.workers import Contest, Contestant, Work

__all__ = ["Entry", "race_between"]

Entry = tuple[Contestant, Callable[[], Problem]]


def race_between(entries: Sequence[Entry], repeats: int, limit: float = LIMIT) -> list[Result]:
    """Race contestants, each with the problem that the function beside it loads."""
    contestants = [
        replace(contestant, prepare=partial(_prepared, load=load, prepare=contestant.prepare))
        for contestant, load in entries
    ]
    return Contest(_nothing, _judge).among(contestants, repeats, limit)


def _nothing() -> None:
    """The contestants share no data."""


def _prepared(
    shared: None, load: Callable[[], Problem], prepare: Callable[[Problem], Callable[[], Sorted]]
) -> Work:
    problem = load()
    work = prepare(problem)
    return lambda: (problem, work())


def _judge(shared: None, found: tuple[Problem, Sorted]) -> dict[str, Any]:
    return judge(*found)
