"""An archive of a folder, read in place: the same documents as the folder itself.

Nothing is written to disk and nothing inside is trusted: neither names, nor links,
nor declared sizes.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

from textclust.errors import InputError
from textclust.registry import load
from textclust.text import reader_of
from textclust.text.catalogue import Source
from textclust.text.cleaning import Cleaning
from textclust.text.collector import Collector
from textclust.text.limits import Limits, Meter
from textclust.text.members import Member
from textclust.text.names import folder_of, hidden_part

__all__ = ["read_archive"]


def read_archive(path: str, where: str, cleaning: Cleaning, limits: Limits) -> Source:
    """The documents of a .zip or .tar archive; `where` names it in messages."""
    collector = Collector(cleaning, limits)
    tops: set[str] = set()
    meter = Meter(where, os.path.getsize(path), limits)
    reader = reader_of(path)
    assert reader is not None
    members = _undamaged(load(reader.place)(path, meter), where)
    yield from collector.texts(_noting_tops(members, tops))
    only = tops.pop() if len(tops) == 1 else ""
    return collector.catalogue(below=f"{only}/" if only else "")


def _noting_tops(members: Iterator[Member], tops: set[str]) -> Iterator[Member]:
    noted = "/"  # how names begin that lie in the folder noted last; none does yet
    for member in members:
        if member.relative or not member.name.startswith(noted):
            folder = folder_of(member.name)
            if member.relative or folder not in tops:
                tops.update(_top(member))
            noted = f"{folder}/" if folder in tops else "/"
        yield member


def _top(member: Member) -> set[str]:
    """The top-level folder a member lies in; an empty name for a member that lies in none."""
    if member.outside:
        return set()
    if member.relative:
        return {""}
    top = member.name if member.is_folder and "/" not in member.name else folder_of(member.name)
    return set() if hidden_part(top or member.name) else {top}


def _undamaged(members: Iterator[Member], where: str) -> Iterator[Member]:
    """The same members; any error that a damaged archive causes becomes an InputError."""
    try:
        yield from members
    except InputError:
        raise
    except Exception as error:
        if not _is_damage(error):
            raise
        why = " ".join(str(error).split())[:100] or type(error).__name__
        raise InputError(
            f"{where}: archive is truncated or damaged ({why}); download it again"
        ) from error


def _is_damage(error: Exception) -> bool:
    """Whether the archive itself is damaged, rather than the file unreadable."""
    import lzma
    import struct
    import tarfile
    import zipfile
    import zlib

    if isinstance(error, OSError):
        return error.errno in (None, errno.EINVAL)
    damaged = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error)
    return isinstance(error, (*damaged, EOFError, ValueError, LookupError, RuntimeError))
