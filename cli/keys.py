"""One key at a time from a terminal; from anything else the first letter of each line."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any, Self

__all__ = ["Keys"]

_END = "\x04"  # Ctrl-D


class Keys:
    """What is pressed, as long as the block lasts; no key needs to be followed by Enter."""

    def __enter__(self) -> Self:
        self._before: list[Any] | None = None
        if sys.stdin.isatty():
            try:
                import termios
                import tty
            except ImportError:  # not on Windows: there a key is followed by Enter
                return self
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)

    def next(self) -> str | None:
        """The next key in lower case, "" where it is none of the alphabet, None at the end."""
        if self._before is not None:
            pressed = os.read(sys.stdin.fileno(), 1).decode("ascii", "replace")
            return None if pressed in ("", _END) else pressed.strip().lower()
        line = sys.stdin.readline()
        return line.strip()[:1].lower() if line else None
