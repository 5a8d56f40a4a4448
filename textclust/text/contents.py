"""The text of a file, from its bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textclust import native
from textclust.registry import load
from textclust.text import READERS
from textclust.text.catalogue import UnreadableError
from textclust.text.cleaning import AUTO, Cleaned, Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.markup import looks_like_html
from textclust.text.messages import patterns_for_bytes

__all__ = ["NamedFileReader", "file_reader", "named_file_reader"]

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
    of_kind = {end: READERS[end] for end in READERS if READERS[end].text}
    pages = {end for end in READERS if READERS[end].kind == "page"}

    def read(name: str, data: bytes) -> tuple[str, str | None] | None:
        end = name[name.rfind(".") :].lower()
        if end in of_kind:
            text = load(of_kind[end].text)(data, limits)
            if text is not None:
                return clean(text, cleaning)
            if as_named:
                raise UnreadableError(f"not a kind of file that can be read: no {end} file")
        return page(data) if end in pages else any_file(data)

    return read


def file_reader(cleaning: Cleaning) -> FileReader:
    """How to read a file of text: to it and the date it was sent; None where it is binary.

    Files in plain ASCII, as most are, the compiled core cleans by itself.
    """

    def read(data: bytes) -> Cleaned | None:
        return None if looks_binary(data) else clean(decode(data), cleaning)

    core = native.module("cleaning")
    if core is None or cleaning != AUTO:
        return read
    clean_plain: FileReader = core.Cleaner(*patterns_for_bytes(), looks_like_html)
    return lambda data: clean_plain(data) or read(data)
