"""The messages of an .mbox file, in their order.

Each begins with a line `From `, an address and a date; where a line of its text begins so, it is
written `>From `.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from textclust.errors import InputError
from textclust.text.catalogue import Skipped
from textclust.text.limits import Limits
from textclust.text.rows import Columns, Row

__all__ = ["message_rows", "messages_of"]

_FROM = b"From "
_TIME = re.compile(rb"\d{1,2}:\d\d")
_QUOTED = re.compile(rb"^>(?=>*From )", re.MULTILINE)
_LONGEST_LINE = 1 << 20  # bytes; a longer one is taken in pieces


def message_rows(
    path: str, where: str, columns: Columns, limits: Limits
) -> Iterator[Row | Skipped]:
    """Every message of a mailbox; it has no columns but its text."""
    columns.check(["text"], where)
    with open(path, "rb") as file:
        if not file.peek(len(_FROM)).lstrip().startswith(_FROM):
            raise InputError(
                f"{where}: not a mailbox, which begins with a line 'From '; for a single message"
                " let the name end in .eml"
            )
        for number, message in enumerate(_messages(file, limits), start=1):
            if message is None:
                yield Skipped(str(number), limits.too_large)
            else:
                yield Row(f"message {number}", {columns.text: message})


def messages_of(data: bytes) -> list[bytes] | None:
    """The messages of a mailbox that is at hand; None where the data is none."""
    if not data.lstrip().startswith(_FROM):
        return None
    return [message for message in _messages(BytesIO(data), None) if message is not None]


def _messages(stream: BinaryIO, limits: Limits | None) -> Iterator[bytes | None]:
    """Each message; None for one that is larger than a document may be."""
    lines: list[bytes] = []
    length, is_begun, after_blank, dated = 0, False, True, None
    while line := stream.readline(_LONGEST_LINE):
        if after_blank and line.startswith(_FROM):
            has_time = _TIME.search(line) is not None
            dated = has_time if dated is None else dated
            if has_time or not dated:
                if is_begun:
                    yield _whole(lines, length, limits)
                lines, length, is_begun = [], 0, True
                continue
        after_blank = not line.strip()
        length += len(line)
        if limits is None or length <= limits.document_bytes:
            lines.append(line)
    if is_begun:
        yield _whole(lines, length, limits)


def _whole(lines: list[bytes], length: int, limits: Limits | None) -> bytes | None:
    if limits is not None and length > limits.document_bytes:
        return None
    return _QUOTED.sub(b"", b"".join(lines))
