"""The errors textclust raises on purpose.

TextclustError
 ├── InputError    what was given cannot be used: a path, a table, a parameter
 ├── ModelError    a saved model is damaged, incomplete or too new
 └── OutputError   a result cannot be written

Each message says what is wrong, where, and what to try; the command line prints
it as one line and exits with code 2.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["InputError", "ModelError", "OutputError", "TextclustError", "in_words"]


class TextclustError(Exception):
    """Base of every error raised on purpose."""


class InputError(TextclustError, ValueError):
    """What was given cannot be used."""


class ModelError(TextclustError):
    """A saved model is damaged, incomplete, or written by a newer version."""


class OutputError(TextclustError):
    """A result cannot be written where it was asked for."""


def in_words(names: Sequence[str], last: str = "or") -> str:
    """Names as a message lists them.

    >>> in_words(["kl", "i-divergence", "itakura-saito"])
    'kl, i-divergence or itakura-saito'
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
