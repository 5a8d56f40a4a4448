"""How much is too much: what one document and one archive may weigh.

The limits keep a stray video or a compression bomb from filling the memory; no
corpus of texts comes near them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from textclust.errors import InputError

__all__ = ["STANDARD_LIMITS", "ByteStream", "Limits", "Meter", "read_at_most"]

_MIB = 1 << 20
_CHUNK = 1 << 16


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

    def follow(self, stream: ByteStream) -> ByteStream:
        """The same stream, with everything read from it counted."""
        return _Metered(stream, self)


class _Metered:
    def __init__(self, stream: ByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def read(self, size: int = -1, /) -> bytes:
        data = self._stream.read(size)
        self._meter.add(len(data))
        return data


def read_at_most(stream: ByteStream, limit: int) -> bytes | None:
    """All bytes of `stream`, or None where there are more than `limit`."""
    chunks: list[bytes] = []
    while chunk := stream.read(_CHUNK):
        chunks.append(chunk)
        limit -= len(chunk)
        if limit < 0:
            return None
    return b"".join(chunks)
