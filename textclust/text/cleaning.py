"""What is taken out of a text before its words are counted.

Mail and news headers, signatures and HTML markup are not what a document is about,
and quotations may or may not be. "auto" removes each only where it is plainly there.
Letters that are spelt out, as in HTML or LaTeX, are read as what they stand for.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, NamedTuple

from textclust.errors import InputError
from textclust.text.entities import decoded, unescaped
from textclust.text.latex import with_accents
from textclust.text.markup import looks_like_html, text_of_html, without_tags
from textclust.text.messages import (
    Message,
    split_message,
    without_attributions,
    without_clues,
    without_quotes,
    without_signature,
)
from textclust.text.mime import readable_body

__all__ = ["AUTO", "NOTHING", "Cleaned", "Cleaning", "Switch", "clean", "in_letters"]

Switch = Literal["auto"] | bool


@dataclass(frozen=True)
class Cleaning:
    """What to remove; each "auto" (where it is found), True (everywhere) or False (keep).

    Parameters
    ----------
    headers : the header block of a mail or news message; Subject, Keywords and Summary stay.
        Headers that name the group or folder (Newsgroups, Path, Xref, ...) go even if False.
    signatures : what follows the last `-- ` line; "auto" only in messages
    quotes : quoted lines and `X writes:`. "auto" keeps the quoted words of messages, which say
        what the thread is about, and drops `X writes:`, which says who is in it
    html : tags, scripts and styles; "auto" all tags of texts that are plainly HTML, and of others
        familiar ones
    entities : character references of HTML, such as ``&lt;``, are decoded, in texts without tags
        too; "auto" those that end in a semicolon
    latex : letters with accents spelt as in LaTeX, such as ``Poincar\\'e``, are composed; "auto"
        where the backslash can hardly be anything else
    """

    headers: Switch = "auto"
    signatures: Switch = "auto"
    quotes: Switch = "auto"
    html: Switch = "auto"
    entities: Switch = "auto"
    latex: Switch = "auto"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not (isinstance(value, bool) or value == "auto"):
                raise InputError(f'{field.name}={value!r}: must be "auto", True or False')


AUTO = Cleaning()
NOTHING = Cleaning(*[False] * len(fields(Cleaning)))  # is taken out but what gives a class away
_MOST_ESCAPED = 3  # times that markup is escaped, each within the next


class Cleaned(NamedTuple):
    """A text fit for counting words, and the date its headers gave, as they wrote it."""

    text: str
    sent: str | None = None


def clean(text: str, cleaning: Cleaning = AUTO) -> Cleaned:
    """Take out of `text` what `cleaning` says; time grows with its length and no faster."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    message = split_message(text, any_block=cleaning.headers is True)
    if message is None:
        return Cleaned(_clean_body(text, cleaning, in_message=False))
    head, body = _clean_headers(message, readable_body(message), cleaning)
    head = _readable(head, cleaning, page=False)
    body = _clean_body(without_clues(body), cleaning, in_message=True)
    return Cleaned(f"{head}\n\n{body}" if head and body else head or body, message.first("date"))


def in_letters(text: str) -> str:
    """A text at hand, which is no file with headers and signatures: markup and spellings alone."""
    return _readable(text, AUTO, page=looks_like_html(text))


def _clean_headers(message: Message, body: str, cleaning: Cleaning) -> tuple[str, str]:
    """What stays of the headers, and the body; a second block opens posted FAQs."""
    if cleaning.headers is False:
        return message.harmless_headers(), body
    head = message.subject_matter()
    second = split_message(body)
    if second is None:
        return head, body
    lines = dict.fromkeys([*head.split("\n"), *second.subject_matter().split("\n")])
    return "\n".join(filter(None, lines)), second.body


def _clean_body(text: str, cleaning: Cleaning, in_message: bool) -> str:
    text = _readable(text, cleaning, page=cleaning.html is True or looks_like_html(text))
    if cleaning.signatures is True or (cleaning.signatures == "auto" and in_message):
        text = without_signature(text)
    if cleaning.quotes is True:
        return without_quotes(text)
    if cleaning.quotes == "auto" and in_message:
        return without_attributions(text)
    return text


def _readable(text: str, cleaning: Cleaning, page: bool) -> str:
    """The text without markup, and with letters for what spells them.

    Tags that were escaped come to light with the decoding, and go too: so are news in feeds, and
    `&amp;lt;b&amp;gt;` in tables that were escaped twice.
    """
    for _ in range(_MOST_ESCAPED):
        if cleaning.html is not False:
            text = text_of_html(text) if page else without_tags(text)
        escaped, text = text, _decoded(text, cleaning.entities)
        if text == escaped:
            break
        page = looks_like_html(text)
    return text if cleaning.latex is False else with_accents(text, anywhere=cleaning.latex is True)


def _decoded(text: str, entities: Switch) -> str:
    if entities is False:
        return text
    return unescaped(text) if entities is True else decoded(text)
