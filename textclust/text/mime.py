"""Bodies of mail that are encoded, or come in several parts (MIME)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textclust.text.decoding import decode
from textclust.text.markup import text_of_html
from textclust.text.messages import Message

if TYPE_CHECKING:
    from email.message import Message as Part

__all__ = ["readable_body"]

_ENCODINGS = ("base64", "quoted-printable")


def readable_body(message: Message) -> str:
    """What a mail program would show of the body; the body itself where it is plain.

    Of several parts the plain texts are taken, or the HTML where there are none, never an
    attachment. What cannot be parsed stays as it is.
    """
    if message.is_plain:
        return message.body
    kind = (message.first("content-type") or "").lower()
    encoding = (message.first("content-transfer-encoding") or "").lower()
    if not kind.startswith("multipart/") and encoding not in _ENCODINGS:
        return message.body
    from email import message_from_string
    from email.errors import MessageError

    try:
        parts = _texts(message_from_string(f"{message.head}\n\n{message.body}"))
    except (MessageError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return message.body
    plain = [text for subtype, text in parts if subtype != "html"]
    shown = plain or [text_of_html(text) for _, text in parts]
    return "\n\n".join(text.strip("\n") for text in shown) or message.body


def _texts(whole: Part) -> list[tuple[str, str]]:
    """The texts of a mail in order, with their subtypes."""
    return [
        (part.get_content_subtype(), _text(part))
        for part in whole.walk()
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"
    ]


def _text(part: Part) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return str(part.get_payload())
    charset = part.get_content_charset()
    try:
        return data.decode(charset) if charset else decode(data)
    except (LookupError, UnicodeDecodeError):
        return decode(data)
