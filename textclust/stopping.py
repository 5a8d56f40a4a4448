"""Searches that end early, by a time limit or because somebody asks, with the best found so far.

Long loops ask `due` between their steps and end when it says so; `while_allowed` does that for a
loop over items. Nothing is raised: whoever searches always finishes one start, roughly, so that
there is an answer, and the search knows that it was stopped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from math import inf
from operator import length_hint
from time import monotonic
from typing import Protocol, Self, TypeVar

__all__ = [
    "Search",
    "Stopped",
    "due",
    "half_of_the_time",
    "is_searching",
    "note_refined",
    "note_start",
    "searching",
    "stopped_on",
    "while_allowed",
]

T = TypeVar("T")
_REASONS = {"time": "the time limit", "interrupted": "interrupted"}


class Asked(Protocol):
    """Whether somebody asks to stop: a `threading.Event`, say."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Stopped:
    """That a search was stopped early, why, and what had been done by then."""

    reason: str  # "time" or "interrupted"
    seconds: float  # that the search took
    limit: float | None  # that it was given
    starts: int  # that were tried
    refined: bool | None  # whether single moves came to rest; None where none were to be made

    def __str__(self) -> str:
        return f"Stopped after {_rounded(self.seconds)} s ({_REASONS[self.reason]})"

    def sentence(self, objective: float) -> str:
        """What a reader of the clusters is to know, without a full stop."""
        done = [f"{self.starts} start{'' if self.starts == 1 else 's'} tried"]
        if self.refined is False:
            done.append("not refined")
        more = f"more time may lower the objective ({_in_digits(objective)})"
        return f"{self}: {', '.join(done)}; {more}"

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """What `dataclasses.asdict` made of it; a ValueError where it is something else."""
        reason, seconds, limit, starts, refined = (
            data[name] for name in ("reason", "seconds", "limit", "starts", "refined")
        )
        if (
            reason in _REASONS
            and isinstance(seconds, int | float)
            and (limit is None or isinstance(limit, int | float))
            and type(starts) is int
            and refined in (None, True, False)
        ):
            limit = None if limit is None else float(limit)
            return cls(str(reason), float(seconds), limit, starts, refined and bool(refined))
        raise ValueError("what is said of the end of the search is inconsistent")


class Search:
    """A search under way: since when, how far it came, and whether it was stopped."""

    def __init__(self, limit: float | None) -> None:
        self.limit, self.began = limit, monotonic()
        self.starts = 0
        self.refined: bool | None = None
        self.reason: str | None = None  # why it ends early

    @property
    def stopped(self) -> Stopped | None:
        """What is to be said of its early end; None if there was none."""
        if self.reason is None:
            return None
        seconds = round(monotonic() - self.began, 6)
        return Stopped(self.reason, seconds, self.limit, self.starts, self.refined)


_search: ContextVar[Search | None] = ContextVar("textclust_search", default=None)
_deadline: ContextVar[float] = ContextVar("textclust_deadline", default=inf)
_asked: ContextVar[Asked | None] = ContextVar("textclust_asked", default=None)


@contextmanager
def searching(seconds: float | None = None) -> Iterator[Search]:
    """A search inside the block, which lasts so many seconds; None is no limit.

    A search within another is a part of it, and has to keep to the limits of both.
    """
    search = _search.get() or Search(None if seconds is None else float(seconds))
    token = _search.set(search)
    try:
        with _until(inf if seconds is None else monotonic() + seconds):
            yield search
    finally:
        _search.reset(token)


@contextmanager
def stopped_on(asked: Asked) -> Iterator[None]:
    """Searches inside the block stop once somebody asks."""
    token = _asked.set(asked)
    try:
        yield
    finally:
        _asked.reset(token)


@contextmanager
def half_of_the_time() -> Iterator[None]:
    """The block has half of the time that is left, where it is limited: more is to follow."""
    now = monotonic()
    with _until(now + (_deadline.get() - now) / 2):
        yield


def is_searching() -> bool:
    """Whether a search is under way that can be asked to stop."""
    return _search.get() is not None


def due() -> bool:
    """Whether to stop here. Ask only where there is more to do: the answer is remembered."""
    asked = _asked.get()
    if asked is not None and asked.is_set():
        reason = "interrupted"
    elif monotonic() >= _deadline.get():
        reason = "time"
    else:
        return False
    search = _search.get()
    if search is not None and search.reason != "interrupted":
        search.reason = reason
    return True


def while_allowed(items: Iterable[T]) -> Iterator[T]:
    """The first of the items in any case, and the others until it is time to stop."""
    rest = iter(items)
    yield from islice(rest, 1)
    while length_hint(rest, 1) and not due():
        try:
            yield next(rest)
        except StopIteration:
            return


def note_start() -> None:
    """One more start is tried."""
    search = _search.get()
    if search is not None:
        search.starts += 1


def note_refined(refined: bool) -> None:
    """Whether single moves of documents came to rest."""
    search = _search.get()
    if search is not None:
        search.refined = refined


@contextmanager
def _until(deadline: float) -> Iterator[None]:
    token = _deadline.set(min(_deadline.get(), deadline))
    try:
        yield
    finally:
        _deadline.reset(token)


def _rounded(seconds: float) -> str:
    return f"{seconds:,.0f}" if seconds >= 10 else f"{seconds:.2g}"


def _in_digits(energy: float) -> str:
    return f"{energy:,.1f}" if abs(energy) >= 100 else f"{energy:.4g}"
