"""What a file says, from its bytes: natively where it is as plain as most are."""

from __future__ import annotations

from collections.abc import Callable

from textclust import native
from textclust.text.cleaning import AUTO, Cleaning, clean
from textclust.text.decoding import decode, looks_binary

__all__ = ["file_reader"]

FileReader = Callable[[bytes], tuple[str, str | None] | None]


def file_reader(cleaning: Cleaning) -> FileReader:
    """How to read a file: to its text and the date it was sent; None where it is binary."""

    def read(data: bytes) -> tuple[str, str | None] | None:
        return None if looks_binary(data) else clean(decode(data), cleaning)

    core = native.module("plain")
    if core is None or cleaning != AUTO:
        return read
    cleaned: FileReader = core.cleaned
    return lambda data: cleaned(data) or read(data)
