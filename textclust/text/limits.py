"""How much is too much: what one document and one archive may weigh, how long an id may be.

The limits keep a stray video or a compression bomb from filling the memory; no
corpus of texts comes near them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Protocol

from textclust.errors import InputError

__all__ = ["MIB", "STANDARD_LIMITS", "ByteStream", "Limits", "Meter", "joined", "pieces"]

MIB = 1 << 20


class ByteStream(Protocol):
    """All that is asked of an open file."""

    def read(self, size: int = ..., /) -> bytes: ...


@dataclass(frozen=True)
class Limits:
    """What one document and one archive may weigh, and how long an id may be.

    Parameters
    ----------
    document_bytes : a larger file, or text in a table, is left out and recorded in
        `Documents.skipped`
    name_length : a table with an id or label of more characters is refused
    expansion : an archive that unpacks to more than this many times its size is refused,
    harmless_bytes : once it has unpacked to more than this
    """

    document_bytes: int = 64 * MIB
    name_length: int = 10_000
    expansion: int = 100
    harmless_bytes: int = 32 * MIB

    @property
    def too_large(self) -> str:
        """Why a larger document is left out."""
        return f"larger than {self.document_bytes / MIB:.3g} MiB"

    def are_exceeded_by(self, text: str) -> bool:
        """Whether a text that is no file would take too many bytes in one, as UTF-8."""
        if 4 * len(text) <= self.document_bytes:  # as nearly all
            return False
        return len(text.encode("utf-8", "replace")) > self.document_bytes


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
                " (a compression bomb?); if you trust it, unpack it and give the folder, or raise"
                " expansion="
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
