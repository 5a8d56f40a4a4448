"""How much is too much: what one document and one archive may weigh.

The limits keep a stray video or a compression bomb from filling the memory; no
corpus of texts comes near them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

from textclust.errors import InputError

__all__ = ["STANDARD_LIMITS", "ByteStream", "Limits", "Meter", "joined", "pieces"]

_MIB = 1 << 20


class ByteStream(Protocol):
    """All that is asked of an open file."""

    def read(self, size: int = ..., /) -> bytes: ...


@dataclass(frozen=True)
class Limits:
    """What one document and one archive may weigh.

    Parameters
    ----------
    document_bytes : a larger file is left out and recorded in `Documents.skipped`
    expansion : an archive that unpacks to more than this many times its size is refused,
    harmless_bytes : once it has unpacked to more than this
    """

    document_bytes: int = 64 * _MIB
    expansion: int = 100
    harmless_bytes: int = 32 * _MIB

    @property
    def too_large(self) -> str:
        """Why a larger document is left out."""
        return f"larger than {self.document_bytes / _MIB:.3g} MiB"


STANDARD_LIMITS = Limits()


class Meter:
    """Counts what an archive has unpacked to, whatever its headers declare."""

    def __init__(self, where: str, packed: int, limits: Limits) -> None:
        self.limits = limits
        self._where = where
        self._allowed = max(limits.harmless_bytes, packed * limits.expansion)
        self._unpacked = 0

    def add(self, count: int) -> None:
        """Note `count` more bytes, and stop a compression bomb before it fills the memory."""
        self._unpacked += count
        if self._unpacked > self._allowed:
            raise InputError(
                f"{self._where}: archive unpacks to over {self.limits.expansion} times its size"
                " (a compression bomb?); if you trust it, unpack it and give the folder"
            )

    def follow(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The same pieces, each counted."""
        for piece in pieces:
            self.add(len(piece))
            yield piece


def pieces(stream: ByteStream, size: int = 1 << 16) -> Generator[bytes, None, None]:
    """What is left of a stream, a piece at a time."""
    while piece := stream.read(size):
        yield piece


def joined(pieces: Iterator[bytes], limit: int) -> bytes | None:
    """All pieces in one, or None where they have more than `limit` bytes."""
    kept: list[bytes] = []
    for piece in pieces:
        kept.append(piece)
        limit -= len(piece)
        if limit < 0:
            return None
    return b"".join(kept)
