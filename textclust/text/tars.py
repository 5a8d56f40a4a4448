"""The members of a .tar archive, plain or compressed, in one pass from front to back.

Headers of ordinary files are read here, many at a time where the native core is there, all
others by the standard library, which takes ten times as long.
"""

from __future__ import annotations

import re
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import BinaryIO, NamedTuple, cast

from textclust import native
from textclust.progress import track
from textclust.text.limits import Limits, Meter
from textclust.text.members import Member
from textclust.text.tape import Tape
from textclust.text.unpacking import unpacked

__all__ = ["tar_members"]

_BLOCK = 512
_EXTRA_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_LONGEST_EXTRA_HEADER = 1 << 16  # they are read whole, before anything can be said of them

_END = bytes(_BLOCK)
_NAME = slice(100)
_NUMBER = rb"(?:[0-7]{7}[\0 ]|[0-7]{6} \0)"
_AFTER_NAME = re.compile(
    _NUMBER * 3  # mode, owner, group
    + rb"(?P<size>[0-7]{11})[\0 ]"
    + rb"[0-7]{11}[\0 ]"  # time
    + rb"(?P<sum>[0-7]{6})\0 "
    + rb"[0\0]"  # a regular file
    + rb".{172}"  # link, format, owner, group
    + rb"(?:\0{8}|%b){2}" % _NUMBER  # device
    + rb"\0",  # no prefix to the name
    re.DOTALL,
)


class _Header(NamedTuple):
    """A member, and where on the tape its content and the next header are."""

    member: Member
    begin: int
    size: int
    end: int


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
    with open(path, "rb") as file, closing(unpacked(file)) as stream:
        pieces = meter.follow(stream)
        yield from track(_each(Tape(pieces), meter.limits), "reading")
        for _ in pieces:  # only the end of the stream proves it whole
            pass


def _each(tape: Tape, limits: Limits) -> Iterator[Member]:
    for_all: dict[str, str] = {}  # what extra headers say of all members to come
    core = native.module("plain")
    many = core and partial(core.ordinary_files, most=limits.document_bytes)
    while True:
        if many and not for_all:
            yield from Member.all_named(tape.take(many))
        if (block := tape.peek(_BLOCK)) == _END:
            return
        ordinary = None if for_all else _ordinary(block, tape.tell())
        member, begin, size, end = ordinary or _extraordinary(tape, for_all)
        if not member.is_wanted:
            yield member
        elif size > limits.document_bytes:
            yield member.left_out(limits.too_large)
        else:
            tape.seek(begin)
            yield member.with_data(tape.read(size))
        tape.seek(end)  # fails where the content was cut off


def _ordinary(block: bytes, position: int) -> _Header | None:
    """The header of a regular file where it is plain ASCII and all is in its place."""
    found = _AFTER_NAME.match(block, _NAME.stop) if block.isascii() else None
    name = block[_NAME].partition(b"\0")[0]
    if not found or name.endswith(b"/") or int(found["sum"], 8) != _ascii_sum(block):
        return None
    begin, size = position + _BLOCK, int(found["size"], 8)
    return _Header(Member.named(name), begin, size, begin + size + -size % _BLOCK)


def _ascii_sum(block: bytes) -> int:
    """The sum of a header's bytes, its own eight counted as blanks.

    The lower half of Adler-32 is one more than the sum of the bytes, modulo 65521: more
    than a block of ASCII can reach.
    """
    return (zlib.adler32(block) & 0xFFFF) - 1 - sum(block[148:156]) + 8 * ord(" ")


def _extraordinary(tape: Tape, for_all: dict[str, str]) -> _Header:
    """The next header of any kind, and those that belong to it, as the library reads them."""
    archive = tarfile.TarFile(
        fileobj=cast(BinaryIO, tape),
        tarinfo=_StrictTarInfo,
        encoding="utf-8",
        errors="surrogateescape",
        pax_headers=for_all,
    )
    info = archive.next()
    if info is None:
        raise tarfile.ReadError("bad header")
    member = Member.named(info.name.encode("utf-8", "surrogateescape"), info.isdir())
    if member.is_wanted and (reason := _objection(info)):
        member = member.left_out(reason)
    return _Header(member, info.offset_data, info.size, archive.offset)


def _objection(info: tarfile.TarInfo) -> str | None:
    if info.issym() or info.islnk():
        return "link inside an archive"
    if not info.isreg() or info.issparse():
        return "not a regular file"
    return None
