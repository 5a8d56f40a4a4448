"""Hostile text made harmless: letters that any page, terminal or table can hold.

Documents are untrusted. Whatever is shown first becomes `plain`: no control characters, no lone
surrogates, no marks that turn the writing direction, a bounded length. A terminal obeys more
letters than a page, so what is printed is `visible`, and JSON has them as escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

__all__ = [
    "cleaned",
    "count",
    "escaped_json",
    "one_line",
    "passage",
    "plain",
    "plain_all",
    "tidied",
    "unwrapped",
    "visible",
]

_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
_LINE_ENDS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_WRAPPED = re.compile(r"\n(?<=[^\n]{45}\n)(?=[^\W_])")  # after a long line, before a word
_END_OF_LINE = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"  # how one inside a value is shown
# Of no width, or for the direction of honest text; what else cannot be seen is replaced.
_WITHOUT_WIDTH = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_SEEN = bytes(range(32, 127)) + b"\n"  # in ASCII
_BATCH = 64  # texts looked at together, as nearly all are harmless
_BETWEEN = "\n\0\n"  # two texts of a batch; `cleaned` leaves no \0, and no line goes across


def plain(text: str, longest: int) -> str:
    """One line of at most `longest` letters that any page can hold."""
    return _shortened(" ".join(cleaned(text[: 4 * longest + 4]).split()), longest)


def plain_all(texts: Sequence[str], longest: int) -> list[str]:
    """Each of many texts made `plain`."""
    done: list[str] = []
    for batch in _batches(texts):
        done += batch if _are_plain(batch, longest) else [plain(text, longest) for text in batch]
    return done


def passage(text: str, longest: int) -> str:
    """The same for text of several lines, which keeps them."""
    return _shortened(cleaned(text[: 4 * longest + 4]).strip(), longest)


def cleaned(text: str) -> str:
    """Text without letters that do harm on a page; its lines end in the same way."""
    text = text.replace("\t", " ")
    if _is_harmless(text):  # as nearly all are
        return text
    text = _LINE_ENDS.sub("\n", text)
    return _UNSEEN.sub("\ufffd", _DIRECTIONS.sub("", text))


def visible(text: str) -> str:
    """Lines that no terminal obeys: line ends and tabs stay, all else is a letter that is seen.

    >>> visible("red \\x1b[31m, a\\u202eb, soft\\u00adly")
    'red \ufffd[31m, a\ufffdb, softly'
    """
    return text if _is_harmless(text) else _LINE_ENDS.sub("\n", text).translate(_VISIBLE)


def one_line(text: str) -> str:
    """The same in one line, whose ends inside the text are shown as a letter.

    >>> one_line("a.txt\\ntextclust: done")
    'a.txt\u21b5textclust: done'
    """
    if text.isprintable():
        return text
    return visible(text).replace("\n", _END_OF_LINE).replace("\t", " ")


def escaped_json(text: str) -> str:
    """JSON of the same content in which no letter steers a terminal.

    >>> escaped_json('{"id": "a\\u009b2J", "ü": "\\U000e0041"}')
    '{"id": "a\\\\u009b2J", "ü": "\\\\udb40\\\\udc41"}'
    """
    return text if _is_harmless(text) else text.translate(_IN_JSON)


def unwrapped(text: str) -> str:
    """Lines broken for their length joined again; lists, verses and quotations stay."""
    return _WRAPPED.sub(" ", text)


def tidied(texts: Sequence[str]) -> list[str]:
    """Each of many texts of several lines `cleaned`, stripped and `unwrapped`."""
    done: list[str] = []
    for batch in _batches(texts):
        if _is_harmless("".join(batch).replace("\t", " ")):  # before some controls are stripped
            whole = _BETWEEN.join([text.strip() for text in batch]).replace("\t", " ")
            done += unwrapped(whole).split(_BETWEEN)
        else:
            done += [unwrapped(cleaned(text).strip()) for text in batch]
    return done


class _Letters(dict[int, str]):
    """What stands for each letter, found when it is first asked for."""

    def __init__(self, stands_for: Callable[[str], str]) -> None:
        self._stands_for = stands_for

    def __missing__(self, code: int) -> str:
        self[code] = self._stands_for(chr(code))
        return self[code]


def _visible_letter(letter: str) -> str:
    if letter.isprintable() or letter in "\n\t":
        return letter
    if letter in _WITHOUT_WIDTH:
        return ""
    return " " if letter.isspace() and letter > "\x9f" else "\ufffd"


def _letter_in_json(letter: str) -> str:
    if letter.isprintable() or letter in "\n\t":
        return letter
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


_VISIBLE, _IN_JSON = _Letters(_visible_letter), _Letters(_letter_in_json)


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    return (texts[begin : begin + _BATCH] for begin in range(0, len(texts), _BATCH))


def _are_plain(texts: Sequence[str], longest: int) -> bool:
    """Whether each text is what `plain` would make of it."""
    lines = "\n".join(["", *texts, ""])
    has_gaps = "  " in lines or " \n" in lines or "\n " in lines
    is_short = max(map(len, texts)) <= longest
    return is_short and not has_gaps and lines.count("\n") == len(texts) + 1 and _is_harmless(lines)


def _is_harmless(text: str) -> bool:
    """Whether each of its letters can be seen, or ends a line."""
    if text.isascii():  # the same, several times as fast
        return not text.encode("ascii").translate(None, _SEEN)
    return text.replace("\n", "").isprintable()


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def count(number: int, thing: str) -> str:
    """1 document, 1,200 documents."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
