"""Interruptions that wait for the end of a short step."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

__all__ = ["interruptions_held"]

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # the last one is not known everywhere
_HELD = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def interruptions_held() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and the end of the terminal wait until the block has ended.

    Python runs signal handlers in the main thread only, so in another one there is nothing to do.
    A mask for the thread would not do: the signal would go to another thread of the process, and
    its handler still run here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    ends: list[Callable[[], object]] = []
    try:
        for number in _HELD:
            handler = signal.getsignal(number)
            if handler not in (None, signal.SIG_IGN):
                ends.append(partial(signal.signal, number, handler))
                signal.signal(number, lambda arrived, _: waiting.append(arrived))
        yield
    finally:
        _do_all([*ends, partial(_deliver, waiting)])


def _deliver(waiting: list[int]) -> None:
    _do_all([partial(signal.raise_signal, number) for number in dict.fromkeys(waiting)])


def _do_all(steps: Sequence[Callable[[], object]]) -> None:
    """Take every step, in order, whatever one of them raises."""
    if steps:
        try:
            steps[0]()
        finally:
            _do_all(steps[1:])
