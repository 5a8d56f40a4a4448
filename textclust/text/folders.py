"""A folder as a corpus: every file below it is a document.

Links to files are followed, links to folders too unless they lead back above
themselves; every real folder is read once, so that the walk always ends.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from textclust.errors import InputError
from textclust.progress import track
from textclust.text.catalogue import Skipped, Source
from textclust.text.cleaning import Cleaning
from textclust.text.collector import Collector
from textclust.text.limits import Limits, joined, pieces
from textclust.text.members import Member
from textclust.text.names import hidden_part, readable

__all__ = ["LeaveOut", "Place", "files_below", "read_document", "read_files", "read_folder"]

# Given the names of all files, the beginnings of the names of those that are no documents.
LeaveOut = Callable[[list[str]], tuple[str, ...]]


class Place(NamedTuple):
    """A file or folder: how to open it, and its name below the corpus."""

    path: str
    name: str

    def below(self, entry: os.DirEntry[str]) -> Place:
        own = readable(os.fsencode(entry.name))
        return Place(entry.path, f"{self.name}/{own}" if self.name else own)


def read_folder(
    folder: str, cleaning: Cleaning, limits: Limits, leave_out: LeaveOut | None = None
) -> Source:
    """The documents below `folder`, whatever order the file system lists them in."""
    found = files_below(folder, leave_out)
    return (yield from read_files(found, cleaning, limits))


def files_below(folder: str, leave_out: LeaveOut | None = None) -> list[Place | Skipped]:
    """The files of a folder that may be documents, and those that are none."""
    found = list(_walk(folder))
    if leave_out is None:
        return found
    unwanted = leave_out([item.name for item in found if isinstance(item, Place)])
    return [item for item in found if not f"{item.name}/".startswith(unwanted)]


def read_files(found: Sequence[Place | Skipped], cleaning: Cleaning, limits: Limits) -> Source:
    """The documents among these files."""
    collector = Collector(cleaning, limits)
    for item in found:
        if isinstance(item, Skipped):
            collector.skip(item.name, item.reason)
    files = [item for item in found if isinstance(item, Place)]
    yield from collector.texts(_read(file, limits) for file in track(files, "reading", len(files)))
    return collector.catalogue()


def read_document(path: str, where: str, cleaning: Cleaning, limits: Limits) -> Source:
    """The one document of a file; an InputError that names it where it cannot be read."""
    collector = Collector(cleaning, limits, as_named=True)
    file = Place(path, readable(os.fsencode(os.path.basename(path))))
    yield from collector.texts([_read(file, limits)])
    catalogue = collector.catalogue()
    for skipped in catalogue.skipped:
        raise InputError(f"{where}: {skipped.reason}")
    return catalogue


def _walk(folder: str) -> Iterator[Place | Skipped]:
    """All files below `folder`: in real folders first, then in those only links lead to."""
    folders, links = deque([Place(folder, "")]), deque[Place]()
    seen: set[str] = set()
    while folders or links:
        place = folders.popleft() if folders else links.popleft()
        real = os.path.realpath(place.path)
        if _leads_back(place, real):
            yield Skipped(place.name, "link loop")
            continue
        if real in seen:
            yield Skipped(place.name, "link to a folder that is read already")
            continue
        seen.add(real)
        try:
            entries = _entries(place.path)
        except OSError as error:
            if not place.name:
                raise
            yield Skipped(place.name, _reason(error, place.path))
            continue
        for entry in entries:
            below = place.below(entry)
            if hidden_part(below.name):
                yield Skipped(below.name, "hidden")
            elif not _is_folder(entry):
                yield below
            else:
                (links if entry.is_symlink() else folders).append(below)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: os.fsencode(entry.name))


def _leads_back(place: Place, real: str) -> bool:
    """Whether a link to a folder leads to one it lies in itself."""
    if not place.name or not os.path.islink(place.path):
        return False
    home = os.path.realpath(os.path.dirname(place.path))
    return home == real or home.startswith(os.path.join(real, ""))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, which reading it will report
        return False


def _read(file: Place, limits: Limits) -> Member:
    """A file with its content, or why it is left out; nothing but a regular file is opened."""
    member = Member(file.name)
    try:
        if not stat.S_ISREG(os.stat(file.path).st_mode):
            return member.left_out("not a regular file")
        with open(file.path, "rb", buffering=0) as stream:
            data = joined(pieces(stream), limits.document_bytes)
    except OSError as error:
        return member.left_out(_reason(error, file.path))
    return member.left_out(limits.too_large) if data is None else member.with_data(data)


def _reason(error: OSError, path: str) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if error.errno == errno.ELOOP:
        return "link loop"
    if isinstance(error, FileNotFoundError):
        return "broken link" if os.path.islink(path) else "vanished while reading"
    return error.strerror or str(error)
