"""One key at a time from a terminal; from anything else the first letter of each line.

`click.getchar` sets the terminal anew for each key, and so loses those that are pressed ahead.
"""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType
from typing import Any, Self

from . import output

__all__ = ["Keys"]

_END = "\x04"  # Ctrl-D
_BACK = "\x7f\b"  # Backspace
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
        key = self._pressed()
        return None if key is None else key.strip().lower()

    def digits(self) -> str | None:
        """The digits up to Enter, or at once another key, in lower case; None at the end of all.

        On a terminal they are shown as they are typed, and Backspace takes the last one back. From
        anything else it is a whole line.
        """
        if self._before is None:
            line = sys.stdin.readline()
            return line.strip().lower() if line else None
        typed = ""
        while (key := self._pressed()) is not None:
            if key in "\r\n":
                return typed
            if key in _BACK:
                if typed:
                    output.rub_out()
                typed = typed[:-1]
            elif key in "0123456789":
                output.show(key, end="")
                typed += key
            elif key.strip() and key.isprintable() and key != ",":
                output.show(key, end="")
                return key.lower()
        return None

    @property
    def are_shown(self) -> bool:
        """Whether digits are seen as they are typed."""
        return self._before is not None

    def _pressed(self) -> str | None:
        while not self._waiting:
            pressed = os.read(sys.stdin.fileno(), 64)
            if not pressed:
                return None
            self._waiting = _SEQUENCE.sub("", pressed.decode("utf-8", "replace"))
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return None if key == _END else key
