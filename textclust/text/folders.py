"""A folder as a corpus: every file below it is a document.

Links to files are followed, links to folders too unless they lead back above
themselves; every real folder is read once, so that the walk always ends.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from textclust.progress import track
from textclust.text.catalogue import Source
from textclust.text.cleaning import Cleaning
from textclust.text.gathering import Gathering
from textclust.text.limits import Limits, joined, pieces
from textclust.text.members import Member
from textclust.text.names import hidden_part, readable

__all__ = ["read_folder"]


@dataclass(frozen=True)
class _Place:
    """A file or folder: how to open it, and its name below the corpus."""

    path: str
    name: str

    def below(self, entry: os.DirEntry[str]) -> _Place:
        own = readable(os.fsencode(entry.name))
        return _Place(entry.path, f"{self.name}/{own}" if self.name else own)


def read_folder(
    folder: str,
    cleaning: Cleaning,
    limits: Limits,
    leave_out: Callable[[list[str]], tuple[str, ...]] | None = None,
) -> Source:
    """The documents below `folder`, whatever order the file system lists them in."""
    gathering = Gathering(cleaning)
    files = _walk(folder, gathering)
    if leave_out is not None:
        unwanted = leave_out([file.name for file in files])
        files = [file for file in files if not file.name.startswith(unwanted)]
        gathering.forget(unwanted)
    yield from gathering.texts(_read(file, limits) for file in track(files, "reading", len(files)))
    return gathering.catalogue()


def _walk(folder: str, gathering: Gathering) -> list[_Place]:
    """All files below `folder`: real folders first, then those only links lead to."""
    files: list[_Place] = []
    folders, links = deque([_Place(folder, "")]), deque[_Place]()
    seen: set[str] = set()
    while folders or links:
        place = folders.popleft() if folders else links.popleft()
        real = os.path.realpath(place.path)
        if _leads_back(place, real):
            gathering.skip(place.name, "link loop")
            continue
        if real in seen:
            gathering.skip(place.name, "link to a folder that is read already")
            continue
        seen.add(real)
        for entry in _entries(place, gathering):
            below = place.below(entry)
            if hidden_part(below.name):
                gathering.skip(below.name, "hidden")
            elif not _is_folder(entry):
                files.append(below)
            else:
                (links if entry.is_symlink() else folders).append(below)
    return files


def _entries(place: _Place, gathering: Gathering) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place.path) as entries:
            return sorted(entries, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        if not place.name:
            raise
        gathering.skip(place.name, _reason(error, place.path))
        return []


def _leads_back(place: _Place, real: str) -> bool:
    """Whether a link to a folder leads to one it lies in itself."""
    if not place.name or not os.path.islink(place.path):
        return False
    home = os.path.realpath(os.path.dirname(place.path))
    return home == real or home.startswith(os.path.join(real, ""))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself: reading it will tell
        return False


def _read(file: _Place, limits: Limits) -> Member:
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
