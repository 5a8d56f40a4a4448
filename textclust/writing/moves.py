"""Several entries take their places together, or none does: a journal says how to go back.

A stage is a folder inside the one that results go to, and holds the new entries. Beside them are

    .moves/old/           what the new entries replace
    .moves/journal.json   the names, with what identifies the new entries and the old ones
    .moves/kept.json      the folder in history/ that `old` becomes at the end, where it is kept

The journal is on the disk from before the first move until after the last one. As long as it is,
the old entries count, and `go_back` puts them in their places. It goes by what it finds on disk, so
it can be broken off anywhere and begun again, by this process or a later one.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from textclust.regular_files import parsed_json, read_regular
from textclust.writing.kept import HISTORY, is_kept_name
from textclust.writing.marks import is_ours
from textclust.writing.places import move_to_free, sync

__all__ = ["MOVES", "Moves", "entries", "go_back", "move_in", "planned"]

MOVES = ".moves"
_JOURNAL, _KEPT = "journal.json", "kept.json"
Identity = list[int] | None  # None where there is nothing
Moves = dict[str, tuple[Identity, Identity]]  # of the new entry and of the old one


def entries(stage: Path) -> list[str]:
    """The names of what a stage holds."""
    return sorted(name for name in os.listdir(stage) if name != MOVES)


def planned(stage: Path, folder: Path, names: Iterable[str]) -> Moves:
    """What would move in and out under these names, as it is now."""
    return {name: (_identity(stage / name), _identity(folder / name)) for name in names}


def move_in(stage: Path, folder: Path, moves: Moves, kept: str | None = None) -> None:
    """Move entries from the stage to the folder, in the place of old ones.

    These stay in the stage, or under the name `kept` in the history of the folder.

    An old entry without a new one goes as well. What came to a place after the moves were planned
    is an error. If this fails, or is interrupted, `go_back` has to follow; what was replaced stays
    in the stage.
    """
    old = stage / MOVES / "old"
    os.makedirs(old)
    if kept is not None:
        is_new = not os.path.lexists(folder / HISTORY)
        _write(stage, _KEPT, {"name": kept, "new": is_new})
    _write(stage, _JOURNAL, moves)
    for name, (comes, goes) in moves.items():
        try:
            if goes is not None:
                os.rename(folder / name, old / name)
                if not _is_still(old / name, goes):
                    raise FileExistsError
            if comes is not None:
                move_to_free(stage / name, folder / name)
        except FileExistsError:
            raise FileExistsError(errno.EEXIST, f"{name} came or changed meanwhile") from None
    sync(old)
    if kept is not None:
        os.makedirs(folder / HISTORY, exist_ok=True)
        os.rename(old, folder / HISTORY / kept)  # fails where something came there meanwhile
        sync(folder / HISTORY)
    sync(folder)
    os.unlink(_journal(stage))  # from now on the new entries count
    with suppress(OSError):
        sync(stage / MOVES)


def go_back(stage: Path, folder: Path) -> bool:
    """Undo moves that were not completed; False where something is in the way of an old entry."""
    moves = _read(stage)
    if moves is None:
        return not os.path.lexists(_journal(stage))
    complete, kept = True, _Kept.read(stage, folder)
    aside = stage / MOVES / "old"
    if kept is not None and not os.path.lexists(aside):
        aside = kept.place
    if any(map(os.path.islink, (stage / MOVES, aside, aside.parent))):
        return False  # we make no links: this leads out of the folder
    for name, (comes, goes) in moves.items():
        place, old = folder / name, aside / name
        if kept is not None and os.path.lexists(old) and not _is_still(old, goes):
            complete = False  # a person has edited it there
            continue
        if (goes is None or os.path.lexists(old)) and _is_still(place, comes):
            _withdraw(place, stage / name)
        if os.path.lexists(old) and not os.path.lexists(place):
            move_to_free(old, place)
        if _identity(old) is not None and _identity(old) == _identity(place):
            os.unlink(old)  # both are links to one file
        complete &= not os.path.lexists(old)
    if complete:
        if kept is not None:
            kept.clear()
        sync(folder)
        os.unlink(_journal(stage))
    return complete


@dataclass(frozen=True)
class _Kept:
    """The folder in the history that old entries may be in already, and whether that is new."""

    place: Path
    is_new: bool

    @classmethod
    def read(cls, stage: Path, folder: Path) -> _Kept | None:
        try:
            content = parsed_json(read_regular(stage / MOVES / _KEPT))
            name, is_new = content["name"], content["new"]
        except (OSError, ValueError, TypeError, LookupError):
            return None
        known = isinstance(name, str) and is_kept_name(name)
        return cls(folder / HISTORY / name, is_new is True) if known else None

    def clear(self) -> None:
        """Remove it, unless something of the user's is in it."""
        with suppress(OSError):
            os.rmdir(self.place)
        if self.is_new:
            with suppress(OSError):
                os.rmdir(self.place.parent)


def _is_still(place: Path, expected: Identity) -> bool:
    """Whether an entry is the one that was planned to move, and not one of the user's.

    File systems give an inode to a new file when the old one is gone. So files must be of the same
    age as well, which a move leaves as it is, and folders must be models, with nothing added.
    """
    found = _identity(place)
    return found is not None and found == expected and (len(found) > 1 or is_ours(place))


def _withdraw(place: Path, staged: Path) -> None:
    if os.path.lexists(staged):  # both are links to one file
        os.unlink(place)
    else:
        os.rename(place, staged)


def _identity(place: Path) -> Identity:
    """What stays the same when a file or folder is moved, and differs between two of them."""
    try:
        found = os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if stat.S_ISDIR(found.st_mode):
        return [found.st_ino]
    return [found.st_ino, found.st_size, found.st_mtime_ns]


def _journal(stage: Path) -> Path:
    return stage / MOVES / _JOURNAL


def _write(stage: Path, name: str, content: object) -> None:
    place = stage / MOVES / name
    unfinished = place.with_suffix(".new")
    with open(unfinished, "w", encoding="ascii") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, place)
    for folder in (stage / MOVES, stage, stage.parent):  # what was written, and the way to it
        sync(folder)


def _read(stage: Path) -> Moves | None:
    """The moves of a journal; None where there is none, or it is none of ours."""
    try:
        moves = parsed_json(read_regular(_journal(stage)))
        found = {name: (comes, goes) for name, (comes, goes) in moves.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    plain = all(os.path.basename(name) == name and name not in ("", ".", "..") for name in found)
    return found if plain else None
