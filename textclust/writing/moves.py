"""Several entries take their places together, or none does: a journal says how to go back.

A stage is a folder inside the one that results go to, and holds the new entries. Beside them are

    .moves/old/           what the new entries replace
    .moves/journal.json   the names, with the inodes of what comes and of what goes

The journal is there from before the first move until the last one is done. As long as it is, the
old entries count, and `go_back` puts them in their places. It goes by what it finds on disk, so it
can be broken off anywhere and begun again, by this process or a later one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from textclust.writing.places import inode, sync

__all__ = ["MOVES", "entries", "go_back", "move_in"]

MOVES = ".moves"
_Inodes = tuple[int | None, int | None]  # of the new entry and of the old one


def entries(stage: Path) -> list[str]:
    """The names of what a stage holds."""
    return sorted(name for name in os.listdir(stage) if name != MOVES)


def move_in(stage: Path, folder: Path, names: Iterable[str]) -> None:
    """Move the entries of these names from the stage to the folder, in the place of old ones.

    An old entry without a new one goes as well. If this fails, or is interrupted, `go_back` has
    to follow; what was replaced stays in the stage.
    """
    moves = {name: (inode(stage / name), inode(folder / name)) for name in names}
    old = stage / MOVES / "old"
    os.makedirs(old)
    _write(stage, moves)
    for name, (comes, goes) in moves.items():
        if goes is not None:
            os.rename(folder / name, old / name)
        if comes is not None:
            os.rename(stage / name, folder / name)
    sync(folder)
    os.unlink(_journal(stage))  # from now on the new entries count
    with suppress(OSError):
        sync(stage / MOVES)


def go_back(stage: Path, folder: Path) -> bool:
    """Undo moves that were not completed; False where something is in the way of an old entry."""
    moves = _read(stage)
    if moves is None:
        return not os.path.lexists(_journal(stage))
    old, complete = stage / MOVES / "old", True
    for name, (comes, goes) in moves.items():
        place, kept = folder / name, goes is not None and inode(old / name) == goes
        if comes is not None and inode(place) == comes and (goes is None or kept):
            os.rename(place, stage / name)
        if kept and not os.path.lexists(place):
            os.rename(old / name, place)
        complete &= goes is None or inode(place) == goes or not os.path.lexists(old / name)
    if complete:
        sync(folder)
        os.unlink(_journal(stage))
    return complete


def _journal(stage: Path) -> Path:
    return stage / MOVES / "journal.json"


def _write(stage: Path, moves: dict[str, _Inodes]) -> None:
    unfinished = _journal(stage).with_suffix(".new")
    with open(unfinished, "w", encoding="ascii") as file:
        json.dump(moves, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, _journal(stage))
    sync(stage / MOVES)


def _read(stage: Path) -> dict[str, _Inodes] | None:
    """The moves of a journal; None where there is none, or it is none of ours."""
    try:
        moves = json.loads(_journal(stage).read_bytes())
        found = {name: (comes, goes) for name, (comes, goes) in moves.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    plain = all(os.path.basename(name) == name and name not in ("", ".", "..") for name in found)
    return found if plain else None
