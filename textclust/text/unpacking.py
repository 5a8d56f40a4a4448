"""What a compressed file unpacks to, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from textclust.text.limits import pieces

__all__ = ["unpacked"]

_PACKED = 1 << 16
_PIECE = 1 << 18


def unpacked(file: BinaryIO) -> Iterator[bytes]:
    """The pieces of the stream inside, whatever the file's name says of its compression."""
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(b"\x1f\x8b"):
        return _gunzipped(file)
    if beginning.startswith(b"BZh"):
        import bz2

        return pieces(bz2.BZ2File(file))
    if beginning.startswith(b"\xfd7zXZ\0"):
        import lzma

        return pieces(lzma.LZMAFile(file))
    return pieces(file)


def _gunzipped(file: BinaryIO) -> Iterator[bytes]:
    """The content of each gzip member; zeros may fill the file after any of them."""
    import zlib

    packed = file.read(_PACKED)
    while packed:
        member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        while not member.eof:
            packed = packed or file.read(_PACKED)
            if not packed:
                raise EOFError("it ends in the middle of compressed data")
            yield member.decompress(packed, _PIECE)
            packed = member.unconsumed_tail
        packed = member.unused_data.lstrip(b"\0")
        while not packed and (more := file.read(_PACKED)):
            packed = more.lstrip(b"\0")
