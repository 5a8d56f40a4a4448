"""Several entries take their places together, or none does: a journal says how to go back.

A stage is a folder inside the one that results go to, and holds the new entries. Beside them are

    .moves/old/           what the new entries replace
    .moves/journal.json   the names, with what identifies the new entries and the old ones

The journal is there from before the first move until the last one is done. As long as it is, the
old entries count, and `go_back` puts them in their places. It goes by what it finds on disk, so it
can be broken off anywhere and begun again, by this process or a later one.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from textclust.writing.marks import is_ours
from textclust.writing.places import move_to_free, sync

__all__ = ["MOVES", "Moves", "entries", "go_back", "move_in", "planned"]

MOVES = ".moves"
Identity = list[int] | None  # None where there is nothing
Moves = dict[str, tuple[Identity, Identity]]  # of the new entry and of the old one


def entries(stage: Path) -> list[str]:
    """The names of what a stage holds."""
    return sorted(name for name in os.listdir(stage) if name != MOVES)


def planned(stage: Path, folder: Path, names: Iterable[str]) -> Moves:
    """What would move in and out under these names, as it is now."""
    return {name: (_identity(stage / name), _identity(folder / name)) for name in names}


def move_in(stage: Path, folder: Path, moves: Moves) -> None:
    """Move entries from the stage to the folder, in the place of old ones.

    An old entry without a new one goes as well. What came to a place after the moves were planned
    is an error. If this fails, or is interrupted, `go_back` has to follow; what was replaced stays
    in the stage.
    """
    old = stage / MOVES / "old"
    os.makedirs(old)
    _write(stage, moves)
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
    sync(folder)
    os.unlink(_journal(stage))  # from now on the new entries count
    with suppress(OSError):
        sync(stage / MOVES)


def go_back(stage: Path, folder: Path) -> bool:
    """Undo moves that were not completed; False where something is in the way of an old entry."""
    moves = _read(stage)
    if moves is None:
        return not os.path.lexists(_journal(stage))
    complete = True
    for name, (comes, goes) in moves.items():
        place, old = folder / name, stage / MOVES / "old" / name
        if (goes is None or os.path.lexists(old)) and _is_still(place, comes):
            _withdraw(place, stage / name)
        if os.path.lexists(old) and not os.path.lexists(place):
            move_to_free(old, place)
        complete &= _identity(old) in (None, _identity(place))
    if complete:
        sync(folder)
        os.unlink(_journal(stage))
    return complete


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
    return stage / MOVES / "journal.json"


def _write(stage: Path, moves: Moves) -> None:
    unfinished = _journal(stage).with_suffix(".new")
    with open(unfinished, "w", encoding="ascii") as file:
        json.dump(moves, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, _journal(stage))
    sync(stage / MOVES)


def _read(stage: Path) -> Moves | None:
    """The moves of a journal; None where there is none, or it is none of ours."""
    try:
        moves = json.loads(_journal(stage).read_bytes())
        found = {name: (comes, goes) for name, (comes, goes) in moves.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    plain = all(os.path.basename(name) == name and name not in ("", ".", "..") for name in found)
    return found if plain else None
