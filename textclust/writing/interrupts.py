"""Interruptions that wait for the end of a short step."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["interruptions_held"]

_HELD = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptions_held() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait until the block has ended.

    Python runs signal handlers in the main thread only, so in another one there is nothing to do.
    A mask for the thread would not do: the signal would go to another thread of the process, and
    its handler still run here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    before: dict[int, Any] = {}
    try:
        for number in _HELD:
            handler = signal.getsignal(number)
            if handler not in (None, signal.SIG_IGN):
                before[number] = handler
                signal.signal(number, lambda arrived, _: waiting.append(arrived))
        yield
    finally:
        for held, handler in before.items():
            signal.signal(held, handler)
        for arrived in dict.fromkeys(waiting):
            signal.raise_signal(arrived)
