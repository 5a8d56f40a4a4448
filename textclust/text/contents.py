"""The text of a file, from its bytes."""

from __future__ import annotations

from collections.abc import Callable

from textclust import native
from textclust.text.cleaning import AUTO, Cleaned, Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.markup import looks_like_html
from textclust.text.messages import patterns_for_bytes

__all__ = ["file_reader"]

FileReader = Callable[[bytes], tuple[str, str | None] | None]


def file_reader(cleaning: Cleaning) -> FileReader:
    """How to read a file: to its text and the date it was sent; None where it is binary.

    Files in plain ASCII, as most are, the compiled core cleans by itself.
    """

    def read(data: bytes) -> Cleaned | None:
        return None if looks_binary(data) else clean(decode(data), cleaning)

    core = native.module("cleaning")
    if core is None or cleaning != AUTO:
        return read
    clean_plain: FileReader = core.Cleaner(*patterns_for_bytes(), looks_like_html)
    return lambda data: clean_plain(data) or read(data)
