"""The members of a .tar archive, plain or compressed, in one pass from front to back."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import BinaryIO, cast

from textclust.progress import track
from textclust.text.limits import ByteStream, Meter
from textclust.text.members import Member

__all__ = ["tar_members"]

_BLOCK = 512
_CHUNK = 1 << 16
_EXTRA_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_LONGEST_EXTRA_HEADER = 1 << 16  # they are read whole, before anything can be said of them


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
    with open(path, "rb") as file:
        plain = meter.follow(_unpacked(file))
        with tarfile.open(
            fileobj=cast(BinaryIO, plain),
            mode="r|",
            tarinfo=_StrictTarInfo,
            encoding="utf-8",
            errors="surrogateescape",
        ) as archive:
            yield from track(_each(archive, meter), "reading")
        while plain.read(_CHUNK):  # only the end of the stream proves it whole
            pass


def _each(archive: tarfile.TarFile, meter: Meter) -> Iterator[Member]:
    while (info := archive.next()) is not None:
        raw = info.name.encode("utf-8", "surrogateescape")
        member = Member.named(raw, is_folder=info.isdir())
        if member.is_wanted and (reason := _objection(info)):
            member = member.left_out(reason)
        if member.is_wanted and (stream := archive.extractfile(info)):
            member = member.read(stream, meter)
        yield member
        archive.members.clear()  # type: ignore[attr-defined]  # it would remember every header


def _objection(info: tarfile.TarInfo) -> str | None:
    if info.issym() or info.islnk():
        return "link inside an archive"
    if not info.isreg() or info.issparse():
        return "not a regular file"
    return None


def _unpacked(file: BinaryIO) -> ByteStream:
    """The tar stream inside, whatever the file's name says of its compression."""
    beginning = file.read(6)
    file.seek(0)
    if beginning.startswith(b"\x1f\x8b"):
        import gzip

        return gzip.GzipFile(fileobj=file)
    if beginning.startswith(b"BZh"):
        import bz2

        return bz2.BZ2File(file)
    if beginning.startswith(b"\xfd7zXZ\0"):
        import lzma

        return lzma.LZMAFile(file)
    return file
