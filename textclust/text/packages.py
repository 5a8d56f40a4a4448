"""Zip files that are one document inside, such as .docx and .xlsx; nothing in them is trusted.

They are made of XML, none of which declares a document type: so no entity is ever expanded.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from xml.parsers import expat

from textclust.text.catalogue import UnreadableError, damage_is_a_reason
from textclust.text.limits import Limits

__all__ = ["feed_part", "is_encrypted", "is_package", "opened_package", "xml_parser"]

_ZIP = b"PK\x03\x04"
_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # of programs before 2007, and of what is encrypted
_PIECE = 1 << 16
_ENCRYPTED = 0x1
_LARGE = 16  # times what a document may weigh: from there on no more than as many times the file
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack a whole block at once


def is_package(data: bytes) -> bool:
    """Whether a file begins as a zip file does."""
    return data.startswith(_ZIP)


def is_encrypted(data: bytes) -> bool:
    """Whether a file begins as one with a password, or of an older format."""
    return data.startswith(_OLD)


@contextmanager
def opened_package(file: BinaryIO, packed: int, limits: Limits) -> Iterator[zipfile.ZipFile]:
    """A zip file of so many bytes that unpacks to no absurd size.

    Whatever is wrong with it, here or in the block, is an `UnreadableError`.
    """
    with damage_is_a_reason(), zipfile.ZipFile(file) as package:
        _check(package, packed, limits)
        yield package


def _check(package: zipfile.ZipFile, packed: int, limits: Limits) -> None:
    """The library reads no more of a member than its declared size."""
    members = package.infolist()
    if any(info.flag_bits & _ENCRYPTED for info in members):
        raise UnreadableError("encrypted")
    if any(info.compress_type not in _METHODS for info in members):
        raise UnreadableError("unusual compression")
    most = min(packed * limits.expansion, _LARGE * max(packed, limits.document_bytes))
    if sum(info.file_size for info in members) > max(limits.harmless_bytes, most):
        raise UnreadableError(f"unpacks to over {most // packed} times its size")


def xml_parser() -> expat.XMLParserType:
    """A parser of XML with names as ``namespace name``, which refuses any document type."""
    parser = expat.ParserCreate(namespace_separator=" ")

    def refuse(*_: object) -> None:
        raise UnreadableError("declares a document type")

    parser.StartDoctypeDeclHandler = refuse
    parser.buffer_text = True
    return parser


def feed_part(package: zipfile.ZipFile, name: str, parser: expat.XMLParserType) -> Iterator[None]:
    """Parse a member, a piece at a time."""
    with package.open(name) as part:
        while piece := part.read(_PIECE):
            parser.Parse(piece, False)
            yield
    parser.Parse(b"", True)
