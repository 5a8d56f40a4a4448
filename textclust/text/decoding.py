"""From bytes to text, whatever the encoding; never an error.

A byte order mark decides; without one it is UTF-8 if it can be, else Windows-1252
if it can be, else Latin-1, in which every byte is a character.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

__all__ = ["decode", "encodable", "encoding_of", "looks_binary", "text_lines"]

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_GUESSES = ("utf-8", "cp1252")
_SAMPLE = 8192
_CHUNK = 1 << 20
_CONTROLS = bytes(sorted({*range(32), 127} - set(b"\a\b\t\n\v\f\r\x1b")))
_BINARY_SHARE = 0.1


def decode(data: bytes) -> str:
    """The text of `data`, without its byte order mark."""
    if data.isascii():
        return data.decode("ascii")
    encoding = _marked(data)
    if encoding:
        return data.decode(encoding, "replace")
    for encoding in _GUESSES:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def encoding_of(stream: BinaryIO) -> str:
    """The encoding of a whole seekable stream, found piece by piece; rewinds it."""
    encoding = _marked(stream.read(4))
    candidates = () if encoding else _GUESSES
    for candidate in candidates:
        if _decodes(stream, candidate):
            encoding = candidate
            break
    stream.seek(0)
    return encoding or "latin-1"


def text_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream that may not be seekable, each decoded on its own."""
    first = stream.readline()
    encoding = _marked(first)
    if encoding in ("utf-16", "utf-32"):
        yield from _wide_lines(first, stream, encoding)
        return
    yield decode(first)
    for line in stream:
        yield decode(line)


def _wide_lines(first: bytes, stream: BinaryIO, encoding: str) -> Iterator[str]:
    """The lines of a stream in which a line break is more than a byte."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    line: list[str] = []
    for chunk in chain([first], iter(lambda: stream.read(_CHUNK), b"")):
        *ended, rest = decoder.decode(chunk).split("\n")
        for end in ended:
            yield "".join([*line, end])
            line = []
        line.append(rest)
    yield "".join([*line, decoder.decode(b"", final=True)])


def looks_binary(data: bytes) -> bool:
    """Whether the beginning of `data` is no text: NUL bytes, or many control characters."""
    sample = data[:_SAMPLE]
    if not sample:
        return False
    encoding = None if sample.isascii() else _marked(sample)
    if encoding:
        sample = sample.decode(encoding, "ignore").encode()
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return b"\0" in sample or controls > _BINARY_SHARE * len(sample)


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written anywhere."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _marked(data: bytes) -> str | None:
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def _decodes(stream: BinaryIO, encoding: str) -> bool:
    stream.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := stream.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
