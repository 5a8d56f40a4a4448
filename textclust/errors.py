"""The errors textclust raises on purpose.

TextclustError
 ├── InputError    what was given cannot be used: a path, a table, a parameter
 ├── ModelError    a saved model is damaged, incomplete or too new
 └── OutputError   a result cannot be written

Each message says what is wrong, where, and what to try; the command line prints
it as one line and exits with code 2. What it quotes may be of any length; the message
is not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = [
    "LONGEST",
    "LONGEST_WORD",
    "InputError",
    "ModelError",
    "OutputError",
    "TextclustError",
    "bounded",
    "in_words",
]

LONGEST = 3000  # characters of a message
LONGEST_WORD = 500  # a path may be as long
_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")


class TextclustError(Exception):
    """Base of every error raised on purpose."""

    def __str__(self) -> str:
        return bounded(super().__str__())


class InputError(TextclustError, ValueError):
    """What was given cannot be used."""


class ModelError(TextclustError):
    """A saved model is damaged, incomplete, or written by a newer version."""


class OutputError(TextclustError):
    """A result cannot be written where it was asked for."""


def bounded(message: str) -> str:
    """A message of bounded length, whatever it quotes; its beginning and end stay.

    >>> print(bounded("version " + 1_000_000 * "1" + " is newer; upgrade")[-40:])
    1111111111111111111111 is newer; upgrade
    """
    return _shortened(_WORD.sub(lambda found: _shortened(found[0], LONGEST_WORD), message))


def _shortened(text: str, longest: int = LONGEST) -> str:
    """The text without its middle, if it is too long."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} ... {text[-half:]}"


def in_words(names: Sequence[str], last: str = "or") -> str:
    """Names as a message lists them.

    >>> in_words(["kl", "i-divergence", "itakura-saito"])
    'kl, i-divergence or itakura-saito'
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
