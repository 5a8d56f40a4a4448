"""The text of a file, from its bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from textclust import native
from textclust.registry import load
from textclust.text import READERS
from textclust.text.catalogue import UnreadableError
from textclust.text.cleaning import AUTO, Cleaned, Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.latex import POSSIBLE_ACCENT
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.markup import FAMILIAR_TAG, looks_like_html
from textclust.text.messages import PATTERNS

__all__ = ["NamedFileReader", "file_reader", "named_file_reader", "plain_cleaner"]

FileReader = Callable[[bytes], tuple[str, str | None] | None]
NamedFileReader = Callable[[str, bytes], tuple[str, str | None] | None]


def named_file_reader(
    cleaning: Cleaning, limits: Limits = STANDARD_LIMITS, as_named: bool = False
) -> NamedFileReader:
    """How to read a file of any kind, given its name too; None where it is binary.

    An `UnreadableError` says why there is no text in a file of a kind that can have one; with
    `as_named`, of one that is not of the kind its name says. Else it is a file like any other.
    """
    any_file = file_reader(cleaning)
    page = file_reader(replace(cleaning, html=True)) if cleaning.html == "auto" else any_file
    special: dict[str, FileReader] = {}
    for end, reader in READERS.items():
        if reader.kind == "page":
            special[end] = page
        elif reader.text:
            special[end] = partial(_extracted, end, cleaning, limits, as_named, any_file)

    def read(name: str, data: bytes) -> tuple[str, str | None] | None:
        return special.get(name[name.rfind(".") :].lower(), any_file)(data)

    return read


def _extracted(
    end: str, cleaning: Cleaning, limits: Limits, as_named: bool, any_file: FileReader, data: bytes
) -> tuple[str, str | None] | None:
    """The text in a file of a kind that has more than text in it."""
    text = load(READERS[end].text)(data, limits)
    if text is not None:
        return clean(text, cleaning)
    if as_named:
        raise UnreadableError(f"not a kind of file that can be read: no {end} file")
    return any_file(data)


def file_reader(cleaning: Cleaning) -> FileReader:
    """How to read a file of text: to it and the date it was sent; None where it is binary.

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
