"""The one runner: units of work in processes, kept as they are finished, summed up at the end."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import active_children, get_context
from pathlib import Path

import numpy as np

from textclust.experiments.declared import Case, Experiment, Row, Unit, key_of
from textclust.experiments.ledger import Done, Ledger, csv_text
from textclust.experiments.picture import can_draw, picture
from textclust.experiments.summary import Cell, as_rows, as_table, summary
from textclust.experiments.table import Table
from textclust.progress import track
from textclust.threads import at_most

__all__ = ["Reproduction", "finished", "perform"]


@dataclass(frozen=True)
class Reproduction:
    """The runs of an experiment, what they say, and which files of earlier ones were replaced."""

    experiment: Experiment
    done: Done
    cells: list[Cell]
    folder: Path | None = None
    replaced: tuple[str, ...] = ()

    def table(self) -> Table:
        """The means, with the paper's numbers."""
        return as_table(self.experiment, self.cells)

    def rows(self) -> list[Row]:
        """Mean and spread of every cell."""
        return as_rows(self.experiment, self.cells)


def perform(
    experiment: Experiment,
    runs: int | None = None,
    jobs: int = 1,
    out: Path | None = None,
    others: tuple[Experiment, ...] = (),
) -> Reproduction:
    """Run what is not done yet, and write OUT/NAME/{runs.csv, summary.csv, plot.png}.

    Figures are the same whatever the number of jobs, and whether they come in one go or in
    several. Units that one of the others left in OUT are taken over where they are the same.
    """
    wanted = experiment.units(experiment.runs if runs is None else runs)
    if out is None:
        done = _sorted(dict(_finished(experiment, wanted, jobs)), wanted)
        return Reproduction(experiment, done, summary(experiment, done))
    ledger = Ledger(experiment, out)
    ledger.claim()
    known = _known(experiment, out, others)
    ledger.write(known)
    left = [unit for unit in wanted if _key(*unit) not in known]
    with suppress(KeyboardInterrupt):
        for key, rows in _finished(experiment, left, jobs):
            ledger.append(*key, rows)
            known[key] = rows
    if any(_key(*unit) not in known for unit in wanted):
        on_disk = ledger.read()  # where a unit may be that the interruption came right after
        kept = sum(_key(*unit) in on_disk for unit in wanted)
        raise KeyboardInterrupt(
            f"interrupted; {kept} of {len(wanted)} units are kept in {ledger.folder}, "
            "and the same command goes on from there"
        )
    done = _sorted(known, wanted)
    ledger.write({**done, **dict(sorted(known.items()))})
    result = Reproduction(experiment, done, summary(experiment, done), ledger.folder)
    files: dict[str, str | bytes] = {"summary.csv": csv_text(result.rows())}
    if can_draw():
        files["plot.png"] = picture(experiment, result.cells)
    replaced = tuple(name for name in files if ledger.put(name, files[name]))
    return replace(result, replaced=replaced)


def finished(experiment: Experiment, out: Path) -> Reproduction | None:
    """What was run already, however many runs of each case; None where a case has none."""
    known = Ledger(experiment, out).read()
    cases = [key_of(case) for case in experiment.cases]
    done = {unit: known[unit] for case in cases for unit in sorted(known) if unit[0] == case}
    if not all(any(unit[0] == case for unit in done) for case in cases):
        return None
    return Reproduction(experiment, done, summary(experiment, done), out / experiment.name)


def _known(experiment: Experiment, out: Path, others: tuple[Experiment, ...]) -> Done:
    """What is there: of this experiment, and of others that do the same work."""
    known = Ledger(experiment, out).read()
    cases = {key_of(case) for case in experiment.cases}
    for other in others:
        if other.name != experiment.name and experiment.does_the_work_of(other):
            found = Ledger(other, out).read()
            known = {**{unit: found[unit] for unit in found if unit[0] in cases}, **known}
    return known


def _sorted(done: Done, wanted: list[tuple[Case, int]]) -> Done:
    return {_key(*unit): done[_key(*unit)] for unit in wanted}


def _key(case: Case, run: int) -> tuple[str, int]:
    return key_of(case), run


def _finished(
    experiment: Experiment, units: list[tuple[Case, int]], jobs: int
) -> Iterator[tuple[tuple[str, int], list[Row]]]:
    """The rows of units, as they are finished."""
    if min(jobs, len(units)) <= 1:
        found = (_work(experiment.unit, *unit) for unit in units)
        yield from track(found, experiment.name, len(units))
        return
    with _workers(min(jobs, len(units))) as workers:
        futures = [workers.submit(_work, experiment.unit, *unit) for unit in units]
        found = (each.result() for each in as_completed(futures))
        yield from track(found, experiment.name, len(units))


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes; after an interruption, or a failure, they end at once."""
    before = set(active_children())
    with ProcessPoolExecutor(count, get_context("spawn"), _leave_interruptions_alone) as pool:
        try:
            yield pool
        except BaseException:
            for worker in set(active_children()) - before:
                worker.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def _leave_interruptions_alone() -> None:
    """They are for the process that keeps the results, which then ends the others."""
    for name in ("SIGINT", "SIGHUP"):  # both go to every process of a terminal
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def _work(unit: Unit, case: Case, run: int) -> tuple[tuple[str, int], list[Row]]:
    """A unit on one thread: its figures must not depend on how many there are."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), at_most(1):
        found = [{**case, **row} for row in unit(case, run)]
    gc.collect()  # the command line lets rings of objects lie, and a unit leaves large ones
    return _key(case, run), [{name: _plain(row[name]) for name in row} for row in found]


def _plain(value: object) -> object:
    """A value as it is read again from the file of runs."""
    value = value.item() if isinstance(value, np.generic) else value
    return str(value) if isinstance(value, bool) else value
