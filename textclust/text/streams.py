"""A stream of bytes that can only be read forward, as `tarfile` reads it."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from typing import TypeVar

__all__ = ["ForwardStream"]

T = TypeVar("T")


class ForwardStream:
    """Reads a stream that comes in pieces; as much of a file as `tarfile` needs."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = b""
        self._place = 0  # in the piece
        self._before = 0  # bytes before the piece

    def tell(self) -> int:
        """How many bytes have been read or skipped."""
        return self._before + self._place

    def peek(self, size: int) -> bytes:
        """The next bytes, still to be read; fewer at the end."""
        if self._place + size > len(self._piece):
            self._lengthen(size)
        return self._piece[self._place : self._place + size]

    def read(self, size: int) -> bytes:
        """The next bytes; fewer at the end."""
        data = self.peek(size)
        self._place += len(data)
        return data

    def seek(self, position: int) -> None:
        """Skip to `position`."""
        place = position - self._before
        if place < self._place:
            raise tarfile.StreamError("a member begins before its header")
        self._place = place
        while self._place > len(self._piece):
            piece = next(self._pieces, None)
            if piece is None:
                raise tarfile.ReadError("unexpected end of data")
            self._place -= len(self._piece)
            self._before += len(self._piece)
            self._piece = piece

    def take(self, files: Callable[[bytes, int], tuple[list[T], int]]) -> list[T]:
        """What `files` finds in the piece at hand from here on, up to where it says."""
        found, self._place = files(self._piece, self._place)
        return found

    def _lengthen(self, size: int) -> None:
        """Put together a piece from here on that has `size` bytes, or all that are left."""
        parts = [self._piece[self._place :]]
        missing = size - len(parts[0])
        while missing > 0 and (part := next(self._pieces, None)) is not None:
            parts.append(part)
            missing -= len(part)
        self._before += self._place
        self._place = 0
        self._piece = b"".join(parts)
