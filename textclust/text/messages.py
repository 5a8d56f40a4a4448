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
    "PATTERNS",
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
_ENCODING = ("content-type", "content-transfer-encoding")
_NEEDED = (*_CONTENT, *_ENCODING, "date")
_MOST_HEADERS = 500
_SIGNATURE_LINES = 15
_LONGEST_VALUE = 1000
_LONGEST_ATTRIBUTION = 200

_NAME = r"[A-Za-z][!-9;-~]{0,75}+:"
_HEADER = rf"{_NAME}.*+\n?(?:[ \t].*+\n?)*+"
_HEAD = re.compile(rf"\s*+(?:From .*\n)?+((?:{_HEADER}){{1,{_MOST_HEADERS}}}+)(?!{_NAME})")
_NEXT_HEADER = re.compile(r"\n(?![ \t])")
_NEEDED_HEADER = re.compile(
    rf"\n({'|'.join(_NEEDED)}):(.*+(?:\n[ \t].*+)*+)", re.IGNORECASE | re.ASCII
)
_BLANK = re.compile(r"[ \t]*+(?:\n|\Z)")
_REPLY = re.compile(
    r"(?:(?:re|aw|fwd?|wg|sv|antw)(?:\[\d{1,3}\]|\^\d{1,3})?[ \t]*+:\s*+)+", re.IGNORECASE
)
# What follows begins with fixed characters, a line break or the beginning of a word: the
# search is then several times as fast as with ^ or a choice of words.
_CLUE = re.compile(r":(?:(?<=newsgroups:)|(?<=xref:)|(?<=path:))", re.IGNORECASE)
_CLUE_LINE = re.compile(
    r"\n[ \t>|:]{0,8}(?:newsgroups|xref|path):(?:[^\n]*,[ \t]*\n){0,3}[^\n]*", re.IGNORECASE
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
# What the compiled core needs: `Re:`, who is cited, who is cited or when, and quotations.
PATTERNS = (_REPLY, _CITES, _CITES_OR_DATES, _QUOTE_FOLLOWS)
_DASHES = re.compile(r"\n--(?!\S)")
_GAPS = re.compile(r"\n{3,}")


class Message(NamedTuple):
    """A text that begins with a header block.

    `head` is as it stands; `values` has the first of each header that is needed, by its name in
    lower case.
    """

    head: str
    values: dict[str, str]
    body: str

    @property
    def is_plain(self) -> bool:
        """Whether no header says that the body is encoded or has several parts."""
        return self.values.keys().isdisjoint(_ENCODING)

    def first(self, name: str) -> str | None:
        """The value of the first header of that name, on one line."""
        value = self.values.get(name)
        return None if value is None else " ".join(value.split())

    def subject_matter(self) -> str:
        """What the headers say about the content, a line each."""
        values = [_readable(self.values[name]) for name in _CONTENT if name in self.values]
        return "\n".join(filter(None, values))

    def harmless_headers(self) -> str:
        """The header block without the lines that give the answer away."""
        headers = _NEXT_HEADER.split(self.head)
        return "\n".join(header for header in headers if _name(header) not in _CLUES)


def split_message(text: str, any_block: bool = False) -> Message | None:
    """The header block `text` begins with, and the rest; None where it is no message.

    A message has at least two headers every mail or news program knows; with
    `any_block`, lines that merely look like headers will do if a blank line ends them.
    """
    found = _HEAD.match(text)
    if found is None:
        return None
    head, end = found[1].removesuffix("\n"), found.end()
    needed = _NEEDED_HEADER.findall("\n" + head)
    values = {name.lower(): value for name, value in reversed(needed)}
    if _is_message(head, values) or (any_block and _BLANK.match(text, end)):
        return Message(head, values, text[end:].strip("\n"))
    return None


def _is_message(head: str, values: dict[str, str]) -> bool:
    if "subject" in values and "date" in values:
        return True
    names = set(map(_name, _NEXT_HEADER.split(head)))
    return len(_KNOWN & names) >= 2 or not _UNMISTAKABLE.isdisjoint(names)


def _name(header: str) -> str:
    return header.partition(":")[0].lower()


def without_clues(body: str) -> str:
    """Drop lines of forwarded headers that name the group, quoted or not."""
    return _CLUE_LINE.sub("", "\n" + body)[1:] if _CLUE.search(body) else body


def without_signature(text: str) -> str:
    """Drop what follows the last `-- ` line, if it is as short as a signature."""
    if not _DASHES.search("\n" + text):
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
    """A header value on one line, without `Re:` and with its encoded words decoded."""
    value = " ".join(value.split())[:_LONGEST_VALUE]
    if "=?" in value:
        from email.errors import MessageError
        from email.header import decode_header, make_header

        with suppress(MessageError, LookupError, ValueError):
            value = encodable(" ".join(str(make_header(decode_header(value))).split()))
    reply = _REPLY.match(value)
    return value[reply.end() :] if reply else value
