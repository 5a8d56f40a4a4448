"""The members of a .tar archive, plain or compressed, in one pass from front to back.

Ordinary files, as nearly all are, have a header that one pattern reads, many to a piece of the
stream, and the compiled core all of a piece at once. Everything else (folders, links, sparse files,
long names, extra headers) is left to the standard library, which takes ten times as long for each.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache, partial
from typing import BinaryIO, cast
from zlib import adler32

from textclust import native
from textclust.progress import track
from textclust.text.decompression import decompressed
from textclust.text.limits import Limits, Meter
from textclust.text.members import Member
from textclust.text.streams import ForwardStream

__all__ = ["ordinary_files", "tar_members"]

_BLOCK = 512
_EXTRA_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_LONGEST_EXTRA_HEADER = 1 << 16  # they are read whole, before anything can be said of them

NamedBytes = tuple[bytes, bytes]  # the name and the content of a file

_END = bytes(_BLOCK)
_DEVICE = 329  # where its numbers are; a prefix to the name follows, and nothing
_NO_DEVICE = {  # with the sum of its bytes
    bytes(_BLOCK - _DEVICE): 0,
    b"0000000\0" * 2 + bytes(_BLOCK - _DEVICE - 16): 14 * ord("0"),
}
_NUMBER = rb"(?:[0-7]{7}[\0 ]|[0-7]{6} \0)"
_HEADER = re.compile(  # of a regular file, up to its kind
    rb"(?=([^\0]{0,100}+)).{100}"  # name
    + _NUMBER * 3  # mode, owner, group
    + rb"([0-7]{11})[\0 ]"  # size
    + rb"[0-7]{11}[\0 ]"  # time
    + rb"([0-7]{6})\0 "  # sum
    + rb"[0\0]",
    re.DOTALL,
)


class _StrictTarInfo(tarfile.TarInfo):
    """Refuses what the library passes over: an archive cut off, or bad headers inside it."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _StrictTarInfo:
        if len(buf) != _BLOCK:
            raise tarfile.ReadError("it ends without an end mark")
        if not any(buf):
            return super().frombuf(buf, encoding, errors)
        try:
            info = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error
        if info.size < 0 or (info.type in _EXTRA_HEADERS and info.size > _LONGEST_EXTRA_HEADER):
            raise tarfile.ReadError("a header has an impossible size")
        return info


def tar_members(path: str, meter: Meter) -> Iterator[Member]:
    """Each member, read or with the reason why not."""
    with open(path, "rb") as file, closing(decompressed(file)) as stream:
        pieces = meter.follow(stream)
        yield from track(_each(ForwardStream(pieces), meter.limits), "reading")
        for _ in pieces:  # only the end of the stream proves it whole
            pass


def _each(stream: ForwardStream, limits: Limits) -> Iterator[Member]:
    for_all: dict[str, str] = {}  # what extra headers say of all members to come
    tars = native.module("tars")
    find = ordinary_files if tars is None else tars.ordinary_files
    ordinary = partial(find, largest=limits.document_bytes)
    while True:
        if not for_all:
            yield from Member.all_named(stream.take(ordinary))
        block = stream.peek(_BLOCK)
        if block == _END:
            return
        found = None if for_all else _ordinary(block)
        if found is None or found[1] > limits.document_bytes:
            yield _any_member(stream, for_all, limits)
        else:  # it goes on in the next piece
            whole = _BLOCK + found[1] + -found[1] % _BLOCK
            if len(stream.peek(whole)) < whole:
                raise tarfile.ReadError("unexpected end of data")


def ordinary_files(piece: bytes, place: int, largest: int) -> tuple[list[NamedBytes], int]:
    """The ordinary files that come first, if whole and not too large, and where they end."""
    files: list[NamedBytes] = []
    while found := _ordinary(piece, place):
        name, size = found
        begin = place + _BLOCK
        end = begin + size + -size % _BLOCK
        if size > largest or end > len(piece):
            break
        files.append((name, piece[begin : begin + size]))
        place = end
    return files, place


def _ordinary(piece: bytes, place: int = 0) -> tuple[bytes, int] | None:
    """Name and size of a regular file whose header is plain ASCII with all in its place.

    The sum of the header's bytes, the sum's own counted as blanks, must be right. The lower half of
    Adler-32 is one more than a sum of bytes, modulo 65521: more than a block of ASCII can reach.
    """
    found = _HEADER.match(piece, place)
    device = _NO_DEVICE.get(piece[place + _DEVICE : place + _BLOCK])
    if found is None or device is None:
        return None
    header = piece[place : place + _DEVICE]
    name, size, total = found.groups()
    summed = (adler32(header) & 0xFFFF) - 1 + device + 7 * ord(" ")
    if summed != _with_digits(total) or not header.isascii() or name.endswith(b"/"):
        return None
    return name, int(size, 8)


@lru_cache(1024)
def _with_digits(total: bytes) -> int:
    """The sum of a header, and that of its own digits; many headers have the same."""
    return int(total, 8) + sum(total)


def _any_member(stream: ForwardStream, for_all: dict[str, str], limits: Limits) -> Member:
    """The next member of any kind, its headers read by the library."""
    archive = tarfile.TarFile(
        fileobj=cast(BinaryIO, stream),
        tarinfo=_StrictTarInfo,
        encoding="utf-8",
        errors="surrogateescape",
        pax_headers=for_all,
    )
    info = archive.next()
    if info is None:
        raise tarfile.ReadError("bad header")
    member = Member.named(info.name.encode("utf-8", "surrogateescape"), info.isdir())
    if member.is_wanted and (reason := _objection(info, limits)):
        member = member.left_out(reason)
    elif member.is_wanted:
        stream.seek(info.offset_data)
        member = member.with_data(stream.read(info.size))
    stream.seek(archive.offset)  # fails where the content was cut off
    return member


def _objection(info: tarfile.TarInfo, limits: Limits) -> str | None:
    if info.issym() or info.islnk():
        return "link inside an archive"
    if not info.isreg() or info.issparse():
        return "not a regular file"
    return limits.too_large if info.size > limits.document_bytes else None
