"""One key at a time from a terminal; from anything else the first letter of each line.

`click.getchar` sets the terminal anew for each key, and so loses those that are pressed ahead.
"""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType
from typing import Any, Self

__all__ = ["Keys"]

_END = "\x04"  # Ctrl-D
_SEQUENCE = re.compile(r"\x1b(?:[\[O][0-9;]*[A-Za-z~])?")  # what arrows and the like send


class Keys:
    """What is pressed, as long as the block lasts; no key needs to be followed by Enter."""

    def __enter__(self) -> Self:
        self._waiting = ""
        self._before: list[Any] | None = None
        if sys.stdin.isatty():
            try:
                import termios
                import tty
            except ImportError:  # on Windows, where a key is followed by Enter
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
        """The next letter in lower case, "" for any other key, None at the end of all."""
        if self._before is None:
            line = sys.stdin.readline()
            return line.strip()[:1].lower() if line else None
        while not self._waiting:
            pressed = os.read(sys.stdin.fileno(), 64)
            if not pressed:
                return None
            self._waiting = _SEQUENCE.sub("", pressed.decode("utf-8", "replace"))
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return None if key == _END else key.strip().lower()
