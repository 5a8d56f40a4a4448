"""Progress as data: the library reports, whoever called it may show.

Long steps pass their work through `track`. Nothing is printed unless a reporter
is installed with `reporting`; the command line installs a bar on standard error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

__all__ = ["Reporter", "reporting", "track"]

T = TypeVar("T")


class Reporter(Protocol):
    """Follows one long step: wraps its items and hands them on unchanged."""

    def __call__(self, items: Iterable[T], label: str, total: int | None) -> Iterator[T]: ...


_reporter: ContextVar[Reporter | None] = ContextVar("textclust_reporter", default=None)


@contextmanager
def reporting(reporter: Reporter) -> Iterator[None]:
    """Send the progress of everything inside the block to `reporter`."""
    token = _reporter.set(reporter)
    try:
        yield
    finally:
        _reporter.reset(token)


def track(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Yield `items`, through the installed reporter if there is one."""
    reporter = _reporter.get()
    return iter(items) if reporter is None else reporter(items, label, total)
