"""Memberships and prototypes in turn, where a document is in several clusters or in all by degrees.

`loop` is for labels, most of which stay from one iteration to the next, so that it can look at what
moved alone. Here every document has a row of memberships, and an iteration takes all of them anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, TypeVar

from textclust.engine.problem import Step
from textclust.progress import track
from textclust.stopping import while_allowed

__all__ = ["Descent", "alternate", "rests"]

State = TypeVar("State")


@dataclass(frozen=True)
class Descent(Generic[State]):
    """Where an alternation ended, and how it came there."""

    state: State
    history: tuple[Step, ...]
    converged: bool


def alternate(
    state: State,
    iterate: Callable[[State], tuple[State, float, int]],
    *,
    max_iter: int,
    tol: float = 0.0,
    negligible: float = 0.0,
) -> Descent[State]:
    """Iterate until the energy rests, or the search is to stop.

    An iteration is both half-steps, neither of which raises the energy: from a state to the next,
    the energy there, and how many documents moved.
    """
    history: list[Step] = []
    converged = False
    for _ in track(while_allowed(range(max_iter)), "iterating"):
        started = perf_counter()
        state, energy, moved = iterate(state)
        history.append(Step(energy, moved, 0, perf_counter() - started))
        converged = rests(history, tol, negligible)
        if converged:
            break
    return Descent(state, tuple(history), converged)


def rests(history: Sequence[Step], tol: float, negligible: float = 0.0) -> bool:
    """Whether the last iteration took no more off the energy than a share of it, or than that."""
    if len(history) < 2:
        return False
    before, now = history[-2].energy, history[-1].energy
    return before - now <= tol * abs(before) + negligible
