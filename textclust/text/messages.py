"""Mail and news messages: header block, signature and quotations, found line by line.

Every pattern stops at the end of its line or after a fixed number of characters,
so that hostile text costs no more time than its length.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple

from textclust.text.decoding import encodable

__all__ = [
    "Message",
    "split_message",
    "without_attributions",
    "without_clues",
    "without_quotes",
    "without_signature",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KNOWN = _words(
    "approved bcc cc content-transfer-encoding content-type date delivered-to distribution"
    " expires followup-to from in-reply-to lines message-id mime-version newsgroups"
    " nntp-posting-host organisation organization path received references reply-to"
    " return-path sender subject supersedes to x-mailer x-newsreader xref"
)
# One of these is enough: nothing but a message, or a posted FAQ, begins with it.
_UNMISTAKABLE = _words("newsgroups xref archive-name")
# They name the group or folder a message was found in, or the thread it belongs to.
_CLUES = _words(
    "approved archive-name article-i.d. distribution followup-to in-reply-to list-archive"
    " list-help list-id list-post list-subscribe list-unsubscribe mailing-list newsgroups"
    " nntp-posting-host nntp-posting-user path references x-folder x-gmail-labels"
    " x-mailing-list x-newsgroups xref"
)
_CONTENT = ("subject", "keywords", "summary")
_MOST_HEADERS = 500
_SIGNATURE_LINES = 15
_LONGEST_VALUE = 1000
_LONGEST_ATTRIBUTION = 200

_HEADER = r"[A-Za-z][!-9;-~]{0,75}:[^\n]*+(?:\n[ \t][^\n]*+)*+\n?"
_HEAD = re.compile(rf"\s*+(?:From [^\n]*\n)?+((?:{_HEADER}){{1,{_MOST_HEADERS + 1}}}+)")
_NEXT_HEADER = re.compile(r"\n(?![ \t])")
_BLANK = re.compile(r"[ \t]*+(?:\n|\Z)")
_REPLY = re.compile(
    r"\A(?:(?:re|aw|fwd?|wg|sv|antw)(?:\[\d{1,3}\]|\^\d{1,3})?[ \t]*+:\s*+)+", re.IGNORECASE
)
# What follows begins with fixed characters, a line break or the beginning of a word: the
# search is then several times as fast as with ^ or a choice of words.
_CLUE_NAMES = ("newsgroups:", "xref:", "path:")
_CLUE_LINE = re.compile(
    rf"\n[ \t>|:]{{0,8}}(?:{'|'.join(_CLUE_NAMES)})(?:[^\n]*,[ \t]*\n){{0,3}}[^\n]*", re.IGNORECASE
)
_MARK = r"\n[ \t]{0,4}(?:>|\||:[ \t:>]|[A-Za-z]{2,4}>)"
_QUOTED = re.compile(rf"{_MARK}[^\n]*")
_QUOTE_FOLLOWS = re.compile(rf"(?:\n[ \t]{{0,4}}){{0,3}}{_MARK}")
_SAYS = [
    re.compile(rf"{verb}[ \t]{{0,4}}(?::|\.{{3}})[ \t]{{0,4}}(?=\n)")
    for verb in ("wr(?:ites?|ote)", "sa(?:ys|id)")
]
_CITES = re.compile(r"\nIn (?:article|message|a previous|<)")
_CITES_OR_DATES = re.compile(rf"{_CITES.pattern}|\nOn [A-Z\d]")
_GAPS = re.compile(r"\n{3,}")


class Message(NamedTuple):
    """A text that begins with a header block.

    `headers` are as they stand, on one line or more each; `values` has the first of each name,
    in lower case.
    """

    headers: list[str]
    values: dict[str, str]
    body: str

    def first(self, name: str) -> str | None:
        """The value of the first header of that name, on one line."""
        value = self.values.get(name)
        return None if value is None else " ".join(value.split())

    def subject_matter(self) -> str:
        """What the headers say about the content, a line each."""
        told = [_readable(self.first(name) or "") for name in _CONTENT if name in self.values]
        return "\n".join([value for value in told if value])

    def harmless_headers(self) -> str:
        """The header block without the lines that give the answer away."""
        return "\n".join(h for h in self.headers if h.partition(":")[0].lower() not in _CLUES)


def split_message(text: str, any_block: bool = False) -> Message | None:
    """The header block `text` begins with, and the rest; None where it is no message.

    A message has at least two headers every mail or news program knows; with
    `any_block`, lines that merely look like headers will do if a blank line ends them.
    """
    head = _HEAD.match(text)
    if head is None:
        return None
    headers = _headers(head[1].removesuffix("\n"))
    if len(headers) > _MOST_HEADERS:
        return None
    values: dict[str, str] = {}
    for header in headers:
        name, _, value = header.partition(":")
        values.setdefault(name.lower(), value)
    is_message = len(_KNOWN.intersection(values)) >= 2 or not _UNMISTAKABLE.isdisjoint(values)
    if is_message or (any_block and _BLANK.match(text, head.end())):
        return Message(headers, values, text[head.end() :].strip("\n"))
    return None


def _headers(head: str) -> list[str]:
    is_folded = "\n " in head or "\n\t" in head
    return _NEXT_HEADER.split(head) if is_folded else head.split("\n")


def without_clues(body: str) -> str:
    """Drop lines of forwarded headers that name the group, quoted or not."""
    folded = body.casefold()
    for name in _CLUE_NAMES:
        if name in folded:
            return _CLUE_LINE.sub("", "\n" + body)[1:]
    return body


def without_signature(text: str) -> str:
    """Drop what follows the last `-- ` line, if it is as short as a signature."""
    if "--" not in text:
        return text
    lines = text.rstrip().rsplit("\n", _SIGNATURE_LINES + 1)
    for i in reversed(range(len(lines))):
        if lines[i] in ("--", "-- "):
            return "\n".join(lines[:i]).rstrip()
    return text


def without_quotes(text: str) -> str:
    """Drop quoted lines and the lines that introduce them (`X writes:`)."""
    own = _QUOTED.sub("", "\n" + without_attributions(text))
    return text if own == "\n" + text else _GAPS.sub("\n\n", own).strip("\n")


def without_attributions(text: str) -> str:
    """Drop each line that ends in `writes:`, and the first if it takes two.

    A quotation must follow, or `In article` begin it; poets write too.
    """
    text = "\n" + text
    kept: list[str] = []
    position = 0
    for says in _said(text):
        start = text.rfind("\n", position, says.start())
        if start < 0 or says.start() - start > _LONGEST_ATTRIBUTION:
            continue
        before = text.rfind("\n", position, start)
        if before >= 0 and _CITES_OR_DATES.match(text, before):
            start = before
        if _CITES.match(text, start) or _QUOTE_FOLLOWS.match(text, says.end()):
            kept.append(text[position:start])
            position = says.end()
    return ("".join(kept) + text[position:])[1:]


def _said(text: str) -> list[re.Match[str]]:
    """Every `writes:` and its like at the end of a line."""
    found = [says for pattern in _SAYS for says in pattern.finditer(text)]
    return sorted(found, key=re.Match.start) if len(found) > 1 else found


def _readable(value: str) -> str:
    """A header value without `Re:` and with its encoded words decoded."""
    value = value[:_LONGEST_VALUE]
    if "=?" in value:
        from email.errors import HeaderParseError
        from email.header import decode_header, make_header

        with suppress(HeaderParseError, LookupError, ValueError):
            value = encodable(" ".join(str(make_header(decode_header(value))).split()))
    return _REPLY.sub("", value)
