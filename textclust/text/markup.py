"""HTML to plain text in one pass over the tags.

A tag's pattern never reads past the next `<`, and an unclosed comment or script
ends the document as it does in a browser, so that broken or hostile markup costs
no more time than its length. (The standard library's parser is quadratic in it.)
"""

from __future__ import annotations

import re

__all__ = ["looks_like_html", "text_of_html"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEGINNING = 2048
_TELLING = re.compile(
    r"\s*+(?:<\?xml[^<>]*>\s*+)?<(?:!doctype\s++html|html|head|body)\b", re.IGNORECASE
)
_FAMILIAR = re.compile(
    r"</?(?:a|b|blockquote|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li|link|meta|ol|p"
    r"|pre|script|span|strong|style|table|td|title|tr|u|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_FEW = 3
_TOKEN = re.compile(
    r"<!--"
    r"|<(?P<close>/?)(?P<name>[A-Za-z][\w:-]*+)"
    r"""(?:(?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+>|[^<>]*+>)"""
    r"|<[!?][^<>]*+>",
    re.ASCII,
)
_UNSEEN = {name: re.compile(rf"</{name}\b[^<>]*>?", re.IGNORECASE) for name in ("script", "style")}
_BLOCKS = _words(
    "address article aside blockquote body br center dd div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section"
    " table tbody tfoot thead title tr ul"
)
_CELLS = frozenset({"td", "th"})


def looks_like_html(text: str) -> bool:
    """Whether a text begins as an HTML page, or has several familiar tags near its start."""
    brackets = text.count("<", 0, _BEGINNING)
    if not brackets:
        return False
    beginning = text[:_BEGINNING]
    if _TELLING.match(beginning):
        return True
    return brackets >= _FEW and len(_FAMILIAR.findall(beginning)) >= _FEW


def text_of_html(markup: str) -> str:
    """What a reader would see, the title first and each block on a line of its own."""
    pieces: list[str] = []
    title: tuple[int, int] | None = None
    position = title_start = 0
    while token := _TOKEN.search(markup, position):
        pieces.append(markup[position : token.start()])
        name = (token["name"] or "").lower()
        if name == "title" and title is None:
            if token["close"]:
                title = title_start, len(pieces)
            title_start = len(pieces)
        pieces.append(_space_for(name))
        position = _next_visible(markup, token, name)
    pieces.append(markup[position:])
    if title:
        begin, end = title
        pieces = [*pieces[begin:end], "\n", *pieces[:begin], *pieces[end:]]
    return _folded(_unescaped("".join(pieces)))


def _space_for(name: str) -> str:
    return "\n" if name in _BLOCKS else " " if name in _CELLS else ""


def _next_visible(markup: str, token: re.Match[str], name: str) -> int:
    """Where text goes on after a token: behind a comment or script, else right after it."""
    if token[0] == "<!--":
        end = markup.find("-->", token.end())
        return end + 3 if end >= 0 else len(markup)
    if name in _UNSEEN and not token["close"]:
        closing = _UNSEEN[name].search(markup, token.end())
        return closing.end() if closing else len(markup)
    return token.end()


def _unescaped(text: str) -> str:
    from html import unescape

    try:
        return unescape(text)
    except ValueError:  # a character number of thousands of digits
        return text


def _folded(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
