"""The content of a compressed file, a piece at a time; a thread decompresses ahead."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from itertools import islice
from types import ModuleType
from typing import BinaryIO

from textclust.text.limits import pieces

__all__ = ["decompressed"]

_GZIP = 31  # a window of 15 bits, and the header of gzip
# Large, as the thread may have to wait for the interpreter after each: 5 ms beside one at work.
_PACKED = 3 << 16
_PIECE = 3 << 18
_FEW = 3  # pieces, which need no thread
_AHEAD = 80  # pieces: what is unpacked while the program imports what it will work with

Pieces = Generator[bytes, None, None]


def decompressed(file: BinaryIO) -> Pieces:
    """The pieces of the stream inside, whatever the file's name says of its compression."""
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(b"\x1f\x8b"):
        return _ahead(_gunzipped(file))
    if beginning.startswith(b"BZh"):
        import bz2

        return _ahead(pieces(bz2.BZ2File(file), _PIECE))
    if beginning.startswith(b"\xfd7zXZ\0"):
        import lzma

        return _ahead(pieces(lzma.LZMAFile(file), _PIECE))
    return pieces(file)


def _ahead(pieces: Iterator[bytes]) -> Pieces:
    """The same pieces, the next of them made while one is at work; few need no thread."""
    few = deque(islice(pieces, _FEW))
    if len(few) < _FEW:
        yield from few
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1)
    coming = deque(pool.submit(next, pieces, None) for _ in range(_AHEAD))
    try:
        while few:
            yield few.popleft()
        while (piece := coming.popleft().result()) is not None:
            yield piece
            coming.append(pool.submit(next, pieces, None))
    finally:
        pool.shutdown(cancel_futures=True)


def _gunzipped(file: BinaryIO) -> Iterator[bytes]:
    """The content of each gzip member; zeros may fill the file after any of them."""
    unpacker = _unpacker()
    packed = file.read(_PACKED)
    while packed:
        member = unpacker.decompressobj(wbits=_GZIP)
        while not member.eof:
            packed = packed or file.read(_PACKED)
            if not packed:
                raise EOFError("it ends in the middle of compressed data")
            try:
                piece = member.decompress(packed, _PIECE)
            except unpacker.error as error:
                raise EOFError(str(error)) from error
            yield piece
            packed = member.unconsumed_tail
        packed = member.unused_data.lstrip(b"\0")
        while not packed and (more := file.read(_PACKED)):
            packed = more.lstrip(b"\0")


def _unpacker() -> ModuleType:
    """The standard library's, or one that takes half the time where it is installed."""
    try:
        from isal import isal_zlib
    except ImportError:
        import zlib

        return zlib
    return isal_zlib
