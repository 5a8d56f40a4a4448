"""A project: the folder of a workbench, with its journal and the tables that follow from it.

The journal is what counts. The tables are written anew after it, each whole or not at all, unless
a person has edited them meanwhile.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Self

from textclust.errors import InputError
from textclust.workbench.journal import Journal
from textclust.workbench.tables import Tables
from textclust.workbench.written_files import WrittenFiles
from textclust.writing import LOCK_PREFIX, recover
from textclust.writing.places import made, sync

__all__ = ["Project", "Tables"]

JOURNAL = "journal.jsonl"
_OF_THE_SYSTEM = {".DS_Store", "Thumbs.db", "desktop.ini"}  # file managers leave them anywhere


class Project:
    """The folder of one workbench, locked as long as this is open."""

    def __init__(
        self,
        folder: Path,
        journal: Journal,
        is_new: bool = False,
        *,
        keep_formulas: bool = False,
    ) -> None:
        """A folder whose journal is open; see `open`."""
        self.folder, self.journal, self._is_new = folder, journal, is_new
        self._keep_formulas = keep_formulas
        self._files = WrittenFiles(folder)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], *, keep_formulas: bool = False) -> Self:
        """Open a project, or make one where nothing is; an InputError for the folder of others.

        `keep_formulas` is of its tables, as in `csv_text`.
        """
        place = Path(folder)
        _refuse_foreign(place)
        is_new = not place.exists()
        with made(place, place):
            journal = Journal.open(place / JOURNAL)
        try:
            if is_new:
                sync(place.parent)
            recover(place)
            return cls(place, journal, is_new, keep_formulas=keep_formulas)
        except BaseException:
            journal.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, tables: Tables) -> None:
        """Write the tables that have changed; an InputError names one that a person edited."""
        self._files.write(tables.files(keep_formulas=self._keep_formulas))

    def close(self) -> None:
        """Let others open it; a new folder in which nothing was begun is removed."""
        is_unused = self._is_new and not len(self.journal)
        with suppress(OSError):
            is_unused = is_unused and _names(self.folder) == {JOURNAL}
            if is_unused:
                (self.folder / JOURNAL).unlink()
        self.journal.close()
        with suppress(OSError):
            if is_unused:
                self.folder.rmdir()


def _names(folder: Path) -> set[str]:
    """What is in a folder, but for a lock."""
    return {name for name in os.listdir(folder) if not name.startswith(LOCK_PREFIX)}


def _refuse_foreign(place: Path) -> None:
    """Raise an InputError for a folder with files but no journal."""
    try:
        found = _names(place) - _OF_THE_SYSTEM
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(
            f"{place}: cannot be opened as a folder ({error.strerror or error}); name another one"
        ) from error
    if found and JOURNAL not in found:
        raise InputError(
            f"{place}: there already, and no project of a workbench because of {min(found)} in it; "
            "name another folder"
        )
