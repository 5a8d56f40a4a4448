"""Character references of HTML (`&lt;`, `&#39;`) as the letters they stand for.

In a text that is no page only what ends in a semicolon is one, so that addresses such as
`?a=1&copy=2` stay. News on the web have often lost the ampersand on the way: `the world #39;s`.
"""

from __future__ import annotations

import re

__all__ = ["decoded", "unescaped"]

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# Of those without an ampersand only punctuation: `#333;` is a colour, `amp;` may be a word.
_LOST_NUMBER = re.compile(r"#(?<![&\w]#)(?:3[2-9]|4[0-7]|5[89]|6[0-4]|9[1-6]|160|82[0-3][0-9]);")
_LOST_QUOTE = re.compile(r"quot;(?<![&\w]quot;)")
_PLAIN = {"\xa0": " ", "\xad": "", "\r": "\n"}  # a hyphen that is only seen at the end of a line


def decoded(text: str) -> str:
    """The text with its references decoded once; what is no reference stays."""
    if ";" not in text:
        return text
    if "&" in text:
        text = _REFERENCE.sub(_letter, text)
    if "#" in text:
        text = _LOST_NUMBER.sub(_lost_letter, text)
    return _LOST_QUOTE.sub('"', text) if "quot;" in text else text


def unescaped(text: str) -> str:
    """The text as a browser shows it: a known name is a reference without a semicolon too."""
    if "&" not in text:
        return text
    from html import unescape

    try:
        return unescape(text)
    except ValueError:  # a character number of thousands of digits
        return text


def _letter(found: re.Match[str]) -> str:
    from html import unescape
    from html.entities import html5

    reference = found[0]
    letter = unescape(reference) if reference[1] == "#" else html5.get(reference[1:], reference)
    return _PLAIN.get(letter, letter)


def _lost_letter(found: re.Match[str]) -> str:
    letter = unescaped("&" + found[0])
    return _PLAIN.get(letter, letter)
