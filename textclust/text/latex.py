r"""Accented letters that are spelt as in LaTeX: `Schr\"odinger`, `Poincar\'e`, `{\o}`, `\v{s}`.

Programs and data have backslashes too. In braces an accent is plain. Without them it is one inside
a word or before it, over a letter that bears it in some language, and only if its sign is used for
nothing else in the text: where quotation marks are escaped, as in `\"text\"` or `don\'t`, some of
them come before what bears no accent. Folders and patterns (`C:\old`, `\s`) have other forms.
"""

from __future__ import annotations

import re
from functools import cache
from unicodedata import normalize

__all__ = ["POSSIBLE_ACCENT", "with_accents"]

_MARKS = {
    **{"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304"},
    **{".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328"},
    **{"r": "\u030a", "d": "\u0323", "b": "\u0331"},
}
_LETTERS = {
    **{"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ"},
    **{"OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ"},
}
_BEARERS = {  # without braces
    "'": "aeiouyAEIOUYcnszCNSZ",
    '"': "aeiouyAEIOU",
    "`": "aeiouAEIOU",
    "^": "aeiouAEIOU",
    "~": "anoANO",
    "=": "aeiouAEIOU",
}
_BEGIN_WORDS = frozenset("'\"^")

_NAME = "(?:ss|o|O|l|L|ae|AE|oe|OE|aa|AA)"
_SIGN = "[\"'`^~=]"
_ANY_SIGN = "[\"'`^~=.]"
_BASE = r"(?:[A-Za-z]|\\[ij])"
_IN_BRACES = (
    rf"{_ANY_SIGN} ?(?:{_BASE}|\{{{_BASE}\}})",
    r"[cvuHkrdb](?: [A-Za-z]|\{[A-Za-z]\})",
    rf"(?:{_NAME}|(?<!{_ANY_SIGN}\{{\\)[ij]) ?",
)
_WITH_BRACES = (
    rf"{_ANY_SIGN}\{{{_BASE}\}}",
    r"[cvuHkrdb]\{[A-Za-z]\}",
    rf"{_NAME}\{{\}}",
    rf"{_SIGN}\\[ij](?![A-Za-z]) ?",
)
# Each begins with fixed characters: the search is then several times as fast.
POSSIBLE_ACCENT = re.compile(
    rf"\\(?:{_ANY_SIGN}[A-Za-z{{\\]|[cvuHkrdb][ {{]|(?:{_NAME}|[ij])(?![A-Za-z]))"
)
_BRACED = re.compile(rf"\{{\\(?:{'|'.join(_IN_BRACES)})\}}")
_BARE = re.compile(
    rf"\\(?<!\\\\)(?:{'|'.join(_WITH_BRACES)}"
    rf"|(?<=[a-z]\\)(?P<name>ss(?![A-Za-z{{])|{_NAME}(?= [a-z]))(?: (?=[a-z]))?"
    rf"|(?P<sign>{_SIGN})(?P<base>[A-Za-z]))"
)
_OTHERWISE = re.compile(
    r"\\(?<!\\\\)(?:"
    + "|".join(
        rf"{re.escape(sign)}(?![{bearers}{{]|\\[ij](?![A-Za-z]))"
        for sign, bearers in _BEARERS.items()
    )
    + r"|(?<=[A-Za-z]\\)'(?:s|em|n|all|cause)(?![A-Za-z]))"
)
_NEW_WORD = re.compile(r"(?<![\w\\/:.])[A-Za-z][a-z]+\Z")
_LONG_WORD = 40
_BRACES = str.maketrans("", "", "{ }")


def with_accents(text: str, *, anywhere: bool = False) -> str:
    """The text with the letters in place of their spellings, be they plain ones or `anywhere`."""
    if "\\" not in text or not POSSIBLE_ACCENT.search(text):
        return text
    text = _BRACED.sub(lambda found: _letter(found[0]), text)
    otherwise = {found[0][1] for found in _OTHERWISE.finditer(text)}

    def letter(found: re.Match[str]) -> str:
        return _letter(found[0]) if anywhere or _is_plain(found, otherwise) else found[0]

    return _BARE.sub(letter, text)


@cache
def _letter(written: str) -> str:
    """The letter for a spelling, or the spelling where there is none."""
    name = written.translate(_BRACES)[1:]
    if name in _LETTERS:
        return _LETTERS[name]
    letter = normalize("NFC", name[-1] + _MARKS[name[0]])
    return letter if len(letter) == 1 else written


def _is_plain(found: re.Match[str], otherwise: set[str]) -> bool:
    """Whether what may be an accent can hardly be anything else."""
    if found["name"]:
        begin = found.string[max(0, found.start() - _LONG_WORD) : found.start()]
        return _NEW_WORD.search(begin) is not None
    sign = found["sign"]
    if not sign:
        return True
    return sign not in otherwise and found["base"] in _BEARERS[sign] and _is_in_word(found)


def _is_in_word(found: re.Match[str]) -> bool:
    before = found.string[found.start() - 1 : found.start()] if found.start() else " "
    if before.isalpha():
        return True
    after = found.string[found.end() : found.end() + 1]
    begins = (before.isspace() or before in "(-~") and after.isalpha()
    likely = found["sign"] in _BEGIN_WORDS and found["base"] in "aeiouyAEIOUYCNSZ"
    return begins and likely
