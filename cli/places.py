"""Where a command writes its results to: checked before the work is done, and again after it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedRandom
from pathlib import Path

from . import output

__all__ = ["OutFile", "OutFolder", "given", "named", "out_file", "out_folder"]


@dataclass
class _Out:
    """Where results go, whether there are some of an earlier run, and what is gone of them."""

    out: Path
    replaced: bool
    removed: list[str] = field(default_factory=list, kw_only=True)

    def note_replaced(self) -> None:
        """Say so if results of an earlier run were replaced, or removed."""
        gone = f"; removed {' and '.join(self.removed)}" if self.removed else ""
        if self.replaced:
            output.note(f"replaced the results of an earlier run in {self.out}{gone}")


@dataclass
class OutFile(_Out):
    """One file to write; it is in its place when the block that it was opened for has ended."""

    file: BufferedRandom

    def write(self, content: str | bytes) -> None:
        """Write all of it."""
        from textclust.writing import writing_to

        with writing_to(self.out):
            self.file.write(content.encode("utf-8") if isinstance(content, str) else content)

    def note(self) -> None:
        """Say where the file is."""
        output.note(f"written to {self.out}")
        self.note_replaced()


@dataclass
class OutFolder(_Out):
    """Entries of a folder; they are in it when the block that it was opened for has ended."""

    stage: Path
    inputs: tuple[object, ...] = ()  # what the command was given to read
    kept: Path | None = None  # the folder that what was replaced is in

    def note(self, *names: str) -> None:
        """Say where they are."""
        output.note(f"written to {self.out}: {', '.join(names)}")
        self.note_replaced()

    def note_replaced(self) -> None:
        """Say so if results of an earlier run were replaced, and where they are if kept."""
        if self.kept is None:
            super().note_replaced()
        else:
            output.note(f"kept the results of an earlier run in {self.kept}")


@contextmanager
def out_file(out: Path | None, inputs: Iterable[object] = ()) -> Iterator[OutFile | None]:
    """A file, or None where none is wanted."""
    if out is None:
        yield None
        return
    from textclust.writing import reserved_file

    replaced = os.path.lexists(os.path.realpath(out))
    with reserved_file(out, inputs=given(*inputs)) as file:
        yield OutFile(out, replaced, file)


@contextmanager
def out_folder(
    out: Path | None,
    names: Iterable[str],
    inputs: Iterable[object] = (),
    retired: Iterable[str] = (),
    *,
    keep: bool = False,
) -> Iterator[OutFolder | None]:
    """A folder for entries of these names, or None where none is wanted.

    With `keep` what they replace is kept in the history of the folder.
    """
    if out is None:
        yield None
        return
    from textclust.writing import kept_runs, staged_folder

    names, retired, inputs = tuple(names), tuple(retired), tuple(inputs)
    there = [name for name in (*names, *retired) if os.path.lexists(out / name)]
    before = kept_runs(out) if keep else []
    staged = staged_folder(out, names, inputs=given(*inputs), retired=retired, keep=keep)
    with staged as stage:
        place = OutFolder(out, any(name in names for name in there), stage, inputs)
        yield place
    place.kept = next((run for run in kept_runs(out) if run not in before), None) if keep else None
    place.removed += [name for name in there if not os.path.lexists(out / name)]


def named(*inputs: object) -> list[str]:
    """The files and folders among what a command was given to read, as they were given."""
    return [os.fspath(each) for each in inputs if isinstance(each, str | os.PathLike) and each]


def given(*inputs: object) -> list[str]:
    """The files and folders among what a command was given to read; of results, their model."""
    found = named(*inputs)
    models = [os.path.join(each, "model") for each in found]
    return [*found, *models]
