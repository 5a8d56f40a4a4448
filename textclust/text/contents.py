"""The text of a file, from its bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

from textclust import native
from textclust.text.cleaning import AUTO, Cleaned, Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.latex import POSSIBLE_ACCENT
from textclust.text.markup import FAMILIAR_TAG, looks_like_html
from textclust.text.messages import PATTERNS

__all__ = ["file_reader", "plain_cleaner"]

FileReader = Callable[[bytes], tuple[str, str | None] | None]


def file_reader(cleaning: Cleaning) -> FileReader:
    """How to read a file: to its text and the date it was sent; None where it is binary.

    Files in plain ASCII, as most are, the compiled core cleans by itself.
    """

    def read(data: bytes) -> Cleaned | None:
        return None if looks_binary(data) else clean(decode(data), cleaning)

    if native.module("cleaning") is None or cleaning != AUTO:
        return read
    clean_plain = plain_cleaner()
    return lambda data: clean_plain(data) or read(data)


def plain_cleaner() -> FileReader:
    """The compiled core's, which gives None for what it leaves to the way in Python."""
    patterns = (_for_bytes(found) for found in (*PATTERNS, FAMILIAR_TAG, POSSIBLE_ACCENT))
    cleaner: FileReader = native.module("cleaning").Cleaner(*patterns, looks_like_html)
    return cleaner


def _for_bytes(pattern: re.Pattern[str]) -> re.Pattern[bytes]:
    return re.compile(pattern.pattern.encode(), pattern.flags & re.IGNORECASE)
