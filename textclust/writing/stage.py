"""Several entries of a folder: written in a stage, and moved into the folder together."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from textclust.errors import OutputError
from textclust.writing.guard import Inputs, claim
from textclust.writing.interrupts import interruptions_held
from textclust.writing.kept import claim_history, free_name
from textclust.writing.leftovers import is_staged, recover, under_way
from textclust.writing.marks import is_ours
from textclust.writing.moves import MOVES, entries, go_back, move_in, planned
from textclust.writing.places import made, sync, writing_to
from textclust.writing.standing import about_to_write

__all__ = ["staged_folder"]


@contextmanager
def staged_folder(
    folder: str | os.PathLike[str],
    names: Iterable[str],
    *,
    inputs: Inputs = (),
    retired: Iterable[str] = (),
    replaces: Callable[[Path], bool] = is_ours,
    keep: bool = False,
) -> Iterator[Path]:
    """An empty folder inside `folder`; at the end of the block its entries move up into it.

    `names` are those of the entries. What `replaces` says is ours has its place taken; anything
    else of these names, an input of the run above all, is an error on entering, as is a folder
    that cannot be written: long work is not done in vain. What came there meanwhile is an error at
    the end. Entries of an earlier run that this one does not write go with the others, those
    named in `retired` too; all else in the folder stays. With `keep` what goes is kept, in the
    history of the folder.

    If the block fails, or is interrupted, nothing has changed and nothing is left behind. If the
    process is killed, the next one that comes to the folder restores what was there.
    """
    folder, names, inputs = Path(folder), tuple(names), tuple(inputs)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise OutputError(f"{folder}: a file is in the way; name another folder")
    if is_staged(folder):  # part of what moves later
        with made(folder, folder):
            yield folder
            with writing_to(folder):
                sync(folder)
        return
    for place in (folder, *(folder / name for name in names)):
        recover(place)
    for name in names:
        claim(folder / name, inputs, replaces)
    if keep:
        claim_history(folder)
    with made(folder, folder), ExitStack() as stack:
        with writing_to(folder):
            settle = partial(_settle, folder)
            stage = stack.enter_context(under_way(folder, partial(os.mkdir, mode=0o700), settle))
        yield stage
        with writing_to(folder), interruptions_held():
            new = entries(stage)
            without = [name for name in (*names, *retired) if name not in new]
            moves = planned(stage, folder, (*new, *without))
            for name in new:
                claim(folder / name, inputs, replaces)
                about_to_write(folder, folder / name, stage / name)
            old = [name for name in without if replaces(folder / name)]
            moves = {name: moves[name] for name in (*new, *old)}
            gone = [name for name, (_, goes) in moves.items() if goes is not None]
            kept = None
            if keep and gone:
                claim_history(folder)
                kept = free_name(folder, gone)
            move_in(stage, folder, moves, kept)


def _settle(folder: Path, stage: Path) -> None:
    """Remove a stage, after putting back what was moved if not all was."""
    with interruptions_held():
        try:
            complete, reason = go_back(stage, folder), "other files are in their places"
        except OSError as error:
            complete, reason = False, error.strerror or str(error)
        if not complete:
            raise OutputError(
                f"{folder}: the earlier results cannot be put back ({reason}); they are in "
                f"{stage / MOVES / 'old'}, and the next run that writes to the folder tries again"
            )
        shutil.rmtree(stage, ignore_errors=True)
