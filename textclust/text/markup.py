"""HTML to plain text in one pass over the tags: of a page all, of another text what is plainly one.

A tag's pattern never reads past the next `<`, and an unclosed comment or script
ends the document as it does in a browser, so that broken or hostile markup costs
no more time than its length. (The standard library's parser is quadratic in it.)
"""

from __future__ import annotations

import re

from textclust.text.entities import unescaped

__all__ = ["FAMILIAR_TAG", "looks_like_html", "text_of_html", "without_tags"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEGINNING = 2048
_TELLING = re.compile(
    r"\s*+(?:<\?xml[^<>]*>\s*+)?<(?:!doctype\s++html|html|head|body)\b", re.IGNORECASE
)
FAMILIAR_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>a|b|blockquote|body|br|center|div|em|font|h[1-6]|head|hr|html|i|img|li"
    r"|link|meta|ol|p|pre|script|span|strong|style|su[bp]|table|td|th|title|tr|u|ul)"
    r"(?P<rest>\s[^<>]*)?/?>",
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
_WITHOUT_END = _words("br hr img li link meta p td th tr")  # or with one that is left out


def looks_like_html(text: str) -> bool:
    """Whether a text begins as an HTML page, or has several familiar tags near its start."""
    brackets = text.count("<", 0, _BEGINNING)
    if not brackets:
        return False
    beginning = text[:_BEGINNING]
    if _TELLING.match(beginning):
        return True
    return brackets >= _FEW and len(FAMILIAR_TAG.findall(beginning)) >= _FEW


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
    return _folded(unescaped("".join(pieces)))


def without_tags(text: str) -> str:
    """A text that is no page without the tags in it, its lines as they are.

    A tag is one if its element is ended somewhere, has attributes or needs no end: in `a <b and c>`
    and in the id of a message there is none.
    """
    if "<" not in text:
        return text
    tags = list(FAMILIAR_TAG.finditer(text))
    ended = {tag["name"].lower() for tag in tags if tag["close"]}
    pieces: list[str] = []
    position = 0
    for tag in tags:
        name, rest = tag["name"].lower(), (tag["rest"] or "").strip(" \t\n/")
        is_tag = name in ended or "=" in rest or (name in _WITHOUT_END and not rest)
        if is_tag and tag.start() >= position:
            pieces += (text[position : tag.start()], _space_for(name))
            position = _next_visible(text, tag, name)
    return "".join([*pieces, text[position:]]) if pieces else text


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


def _folded(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
