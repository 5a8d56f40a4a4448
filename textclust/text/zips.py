"""The members of a .zip archive, in the order of its directory."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterator

from textclust.progress import track
from textclust.text.limits import Meter, joined, pieces
from textclust.text.members import Member

__all__ = ["zip_members"]

_ENCRYPTED = 0x1
_UTF8_NAME = 0x800
_MADE_ON_DOS = 0
# The library unpacks other methods a block at a time, and a block may hold gigabytes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def zip_members(path: str, meter: Meter) -> Iterator[Member]:
    """Each member, read or with the reason why not."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        for info in track(members, "reading", len(members)):
            raw = _raw_name(info)
            is_folder = raw.endswith(b"/") or stat.S_ISDIR(info.external_attr >> 16)
            member = Member.named(raw, is_folder)
            if member.is_wanted and (reason := _objection(info)):
                member = member.left_out(reason)
            if member.is_wanted:
                with archive.open(info) as stream:
                    data = joined(meter.follow(pieces(stream)), meter.limits.document_bytes)
                if data is None:
                    member = member.left_out(meter.limits.too_large)
                else:
                    member = member.with_data(data)
            yield member


def _objection(info: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "link inside an archive"
    if kind not in (0, stat.S_IFREG):
        return "not a regular file"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    if info.compress_type not in _METHODS:
        return "unusual compression"
    return None


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    """The name's bytes: UTF-8 even where the flag for it was forgotten, as on macOS."""
    name = info.filename
    if info.create_system == _MADE_ON_DOS and "/" not in name:
        name = name.replace("\\", "/")
    if info.flag_bits & _UTF8_NAME:
        return name.encode("utf-8", "surrogateescape")
    try:
        raw = name.encode("cp437")
        raw.decode("utf-8")
    except UnicodeError:
        return name.encode("utf-8", "surrogateescape")
    return raw
