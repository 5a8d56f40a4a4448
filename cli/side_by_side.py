"""Two documents side by side, with shared and distinctive words marked."""

from __future__ import annotations

import os
import re
import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from textclust.plain import one_line, visible

from . import output

if TYPE_CHECKING:
    from textclust.active.words import PairWords

__all__ = ["flowing", "legend", "side_by_side"]

_BOLD, _UNDERLINED, _PLAIN = "\x1b[1m", "\x1b[4m", "\x1b[0m"
_LONGEST = 6000  # characters of a text that are looked at
_AROUND = 8  # lines of the screen that are not of the table
_AT_LEAST = 12  # lines of the table


def side_by_side(ids: tuple[str, str], texts: tuple[str, str], words: PairWords) -> str:
    """Both texts as a table that fits the terminal; long texts are cut.

    On a terminal shared words are bold and distinctive ones underlined, elsewhere they stand
    between * and _. Documents are untrusted: nothing of theirs can steer the terminal.
    """
    from .table import draw

    coloured, size = _is_coloured(), get_terminal_size()
    shown = [flowing(text) for text in texts]
    if not coloured:
        shown = [_marked(text, words, ("*", "*"), ("_", "_")) for text in shown]
    names = [one_line(name) for name in ids]
    lines = draw(names, [shown], size.columns, only_ascii=output.only_ascii()).splitlines()
    height = max(_AT_LEAST, size.lines - _AROUND)
    if len(lines) > height:
        lines = [*lines[: height - 1], lines[-1]]
    page = "\n".join(lines)
    return _marked(page, words, (_BOLD, _PLAIN), (_UNDERLINED, _PLAIN)) if coloured else page


def legend() -> str:
    """What the marks mean, marked so."""
    shared, distinctive = ("bold", "underlined") if _is_coloured() else ("*so*", "_so_")
    return f"Words that both have are {shared}, words that set one apart are {distinctive}."


def _marked(
    text: str, words: PairWords, shared: tuple[str, str], distinctive: tuple[str, str]
) -> str:
    """The text with marks before and after the words of either kind."""
    marks = dict.fromkeys(words.distinctive, distinctive) | dict.fromkeys(words.shared, shared)

    def mark(found: re.Match[str]) -> str:
        before, after = marks.get(found[0].lower(), ("", ""))
        return f"{before}{found[0]}{after}"

    return re.sub(r"\w+", mark, text)


def flowing(text: str) -> str:
    """The paragraphs of a text, each in one line, without what a terminal would obey."""
    safe = visible(text[:_LONGEST])
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", safe))
    return "\n".join(paragraph for paragraph in paragraphs if paragraph) or "(no text)"


def _is_coloured() -> bool:
    wanted = "NO_COLOR" not in os.environ and os.environ.get("TERM", "dumb") != "dumb"
    return wanted and sys.stderr.isatty()
