"""The first step of the program: Ctrl-C is an interruption while everything else is imported."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run a command; see `main.main`, which handles Ctrl-C itself once it is there."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored
        signal.signal(signal.SIGINT, _leave)
    from .main import main as begin

    begin()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    os.write(2, b"textclust: interrupted; nothing was written\n")
    os._exit(130)
