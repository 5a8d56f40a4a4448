"""The results of a run, or a model alone, written once more: in their place, or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import output, repeating, results
from .places import OutFile, OutFolder

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["Rewriting", "rewriting", "run_of"]


@dataclass(frozen=True)
class Rewriting:
    """Where a clustering goes that was made of the one of a model."""

    model: Path
    run: Path | None  # the folder of the results that the model is among
    place: OutFolder | None  # None where there is a model alone
    inputs: tuple[str | None, ...]

    def write(self, clustering: Clustering) -> OutFolder | None:
        """Write it, and say to which folder, where it is one of results."""
        if self.place is None:
            clustering.save(self.model)
        else:
            run = self.run
            results.write(
                clustering,
                self.place,
                texts=run is None or not repeating.has_option(run, "--no-text"),
                keep_formulas=run is not None
                and repeating.has_option(run, "--csv-formulas", "keep"),
            )
        return self.place

    def write_added(self, clustering: Clustering, *, is_new: bool) -> None:
        """Write it; the record of the run goes on with what was added, if anything was."""
        place = self.write(clustering)
        if place is not None:
            inputs = str(self.model), self.inputs
            repeating.write_added(place.stage, self.run, *inputs, is_new=is_new)

    def write_anew(self, clustering: Clustering) -> None:
        """Write it with a record of its own."""
        place = self.write(clustering)
        if place is not None:
            repeating.write_record(place.stage, place.out, (self.model,))

    def note(self) -> None:
        """Say where it is, and where what it replaces was kept."""
        where = self.model if self.place is None else self.place.out
        output.note(f"written to {where}")
        if self.place is not None and self.place.kept is not None:
            self.place.note_replaced()


@contextmanager
def rewriting(
    model: str, out: Path | None, inputs: tuple[str | None, ...] = (), *, keep: bool = False
) -> Iterator[Rewriting]:
    """A place for a clustering made of that of a model, which `out` may leave as it is.

    `inputs` are what else is read, the documents first. With `keep` what is replaced is kept.
    """
    from textclust.errors import InputError
    from textclust.writing import is_same

    if out is not None and out.suffix.lower() == ".csv":
        raise InputError(f"{out}: --out is a folder here; predict writes a table of new documents")
    run = run_of(model)
    if out is not None and is_same(out, run or model):
        out = None
    with _opened(model, run, out, inputs, keep) as place:
        assert not isinstance(place, OutFile)
        yield Rewriting(Path(model), run, place, inputs)


def _opened(
    model: str, run: Path | None, out: Path | None, inputs: tuple[str | None, ...], keep: bool
) -> AbstractContextManager[results.Place]:
    """The place of the results; None within it for a model alone."""
    from textclust.errors import InputError

    if out is not None:
        source, by = (inputs or (model,))[0] or "", run is not None and results.has_course(run)
        return results.prepared(out, source, (model, *inputs[1:]), by=by, keep=keep)
    if run is not None:
        return results.again(run, inputs, keep=keep)
    if keep:
        raise InputError(f"{model}: --keep is for the results of a run, and this is a model alone")
    return nullcontext()


def run_of(model: str) -> Path | None:
    """The --out folder of the run that a model is of; None of a model alone."""
    for folder in (Path(model), Path(model).parent):
        summary, of_run = folder / "clusters.json", folder / "model" / "manifest.json"
        if summary.is_file() and of_run.is_file():
            return folder
    return None
