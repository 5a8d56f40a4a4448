"""The code blocks of a page, and the commands of a console block with what they show."""

from __future__ import annotations

import doctest
import re

__all__ = ["BLOCK", "FLAGS", "sessions", "shows"]

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CHECKER = doctest.OutputChecker()
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sessions(block):
    """The commands of a console block, each with the output shown for it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def shows(shown, out):
    """Whether the output is the one shown, where `...` stands for anything."""
    return _CHECKER.check_output(shown, out, FLAGS)
