"""Ctrl-C during a search: the first one keeps the best so far, a second one leaves at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from textclust.stopping import is_searching, stopped_on

from . import output

__all__ = ["first_keeps_the_best"]

_STOPPING = "stopping with the best clusters so far; Ctrl-C again leaves at once"


@contextmanager
def first_keeps_the_best() -> Iterator[None]:
    """Inside the block the first Ctrl-C during a search asks it to stop.

    A second one, and any while documents are read, is an interruption as everywhere. So is each
    where Ctrl-C is ignored or handled by somebody else, and outside the main thread, which alone
    may handle signals.
    """
    asked = threading.Event()

    def arrived(number: int, frame: FrameType | None) -> None:
        if asked.is_set() or not is_searching():
            signal.default_int_handler(number, frame)
        asked.set()
        with suppress(OSError):  # nobody is there to read it
            output.note(_STOPPING)

    usual = signal.default_int_handler
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    signal.signal(signal.SIGINT, arrived)
    try:
        with stopped_on(asked):
            yield
    finally:
        signal.signal(signal.SIGINT, usual)
