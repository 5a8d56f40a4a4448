"""What many runs say: mean and spread of every cell, beside the number of the paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean, stdev

from textclust.experiments.declared import Experiment, Place, Row, Value
from textclust.experiments.ledger import Done
from textclust.experiments.paired import LEVEL, Paired, paired
from textclust.experiments.table import Table

__all__ = ["MARKED", "Cell", "as_rows", "as_table", "summary"]

MARKED = "* differs from "  # how the note about marks begins

_FIELDS = ("mean", "sd", "se", "n", "difference", "t", "p", "gain", "gain_se", "paper")


@dataclass(frozen=True)
class Cell:
    """Mean, standard deviation and standard error of n samples; NaN where there are too few.

    The difference from the baseline of the experiment in the same runs comes with the t and p of
    a paired t-test, NaN for the baseline itself.
    """

    at: Place
    measure: str
    mean: float
    sd: float
    se: float
    n: int
    difference: float
    t: float
    p: float
    gain: float
    gain_se: float
    paper: float


def summary(experiment: Experiment, done: Done) -> list[Cell]:
    """The cells of an experiment in the order of its units, then those of the paper alone."""
    samples = _samples(experiment, done)
    printed = {
        (place, measure): number
        for place, number in experiment.paper.items()
        for measure in (experiment.shown or experiment.measures)[:1]
    }
    cells = [
        _cell(experiment, samples, place, measure, printed.pop((place, measure), math.nan))
        for place, measure in samples
    ]
    for (place, measure), number in printed.items():
        cells.append(_cell(experiment, samples, place, measure, number))
    return cells


Samples = dict[tuple[Place, str], dict[tuple[int, int], float]]  # by run, and place in its unit


def _samples(experiment: Experiment, done: Done) -> Samples:
    found: Samples = {}
    for (_, run), rows in done.items():
        for row in rows:
            place = tuple(row.get(axis, "") for axis in experiment.axes)
            for measure in experiment.shown or experiment.measures:
                if measure in row:
                    cell = found.setdefault((place, measure), {})
                    fold = sum(1 for other, _ in cell if other == run)
                    cell[run, fold] = float(row[measure])
    return found


def _cell(
    experiment: Experiment, samples: Samples, place: Place, measure: str, paper: float
) -> Cell:
    own = samples.get((place, measure), {})
    gain = gain_se = math.nan
    if experiment.gain_over is not None:
        there = _moved(experiment, place, *experiment.gain_over)
        other = samples.get((there, measure), {})
        gain, _, gain_se = _spread([own[i] - other[i] for i in own if i in other])
    mean, sd, se = _spread(list(own.values()))
    compared = _compared(experiment, samples, place, measure)
    return Cell(place, measure, mean, sd, se, len(own), *compared, gain, gain_se, paper)


def _compared(experiment: Experiment, samples: Samples, place: Place, measure: str) -> Paired:
    """Against the baseline at the same place on the other axes."""
    there = _moved(experiment, place, experiment.lines, _baseline(experiment, samples))
    if there == place:
        return Paired()
    return paired(samples.get((place, measure), {}), samples.get((there, measure), {}))


def _baseline(experiment: Experiment, at: Iterable[tuple[Place, str]]) -> Value:
    """The line to compare with: the one declared, or the first."""
    if experiment.baseline is not None:
        return experiment.baseline
    line = experiment.axes.index(experiment.lines)
    return next((place[line] for place, _ in at), "")


def _moved(experiment: Experiment, place: Place, axis: str, value: Value) -> Place:
    """The same place but for one axis."""
    return tuple(value if n == axis else v for n, v in zip(experiment.axes, place, strict=True))


def _spread(values: list[float]) -> tuple[float, float, float]:
    if not values:
        return math.nan, math.nan, math.nan
    sd = stdev(values) if len(values) > 1 else math.nan
    return fmean(values), sd, sd / math.sqrt(len(values))


def as_rows(experiment: Experiment, cells: Iterable[Cell]) -> list[Row]:
    """The lines of summary.csv; "" where there is no number."""
    return [
        {
            **dict(zip(experiment.axes, cell.at, strict=True)),
            "measure": cell.measure,
            **{name: _or_nothing(getattr(cell, name)) for name in _FIELDS},
        }
        for cell in cells
    ]


def _or_nothing(number: float) -> float | str:
    return "" if math.isnan(number) else number


def as_table(experiment: Experiment, cells: list[Cell]) -> Table:
    """The cells with one axis spread over the columns, and the paper's numbers below ours."""
    spread = experiment.axes.index(experiment.across or experiment.x)
    columns = list(dict.fromkeys(cell.at[spread] for cell in cells))
    several = len({cell.measure for cell in cells}) > 1
    lines: dict[Place, dict[Value, Cell]] = {}
    for cell in cells:
        left = tuple(v for i, v in enumerate(cell.at) if i != spread)
        lines.setdefault((*left, cell.measure), {})[cell.at[spread]] = cell
    down = [axis for i, axis in enumerate(experiment.axes) if i != spread]
    rows: list[Place] = []
    marked: set[tuple[int, int]] = set()
    for head, line in lines.items():
        at, shown = dict(zip(down, head, strict=False)), head if several else head[:-1]
        found = [line.get(column) for column in columns]
        if any(cell and cell.n for cell in found):
            far = (j for j, cell in enumerate(found, len(shown)) if cell and cell.p < LEVEL)
            marked |= {(len(rows), j) for j in far}
            rows.append((*shown, *(_number(cell.mean) if cell else "" for cell in found)))
        rows += _below(experiment, at, shown, found)
    header = (*down, *(["measure"] if several else []), *map(str, columns))
    notes = (*experiment.notes, *_about_spread(cells), *_about_marks(experiment, cells))
    return Table(experiment.title, header, rows, notes, tuple(sorted(marked)))


def _below(
    experiment: Experiment,
    at: Mapping[str, Value],
    head: Place,
    found: list[Cell | None],
) -> Iterable[Place]:
    """The gain where it is wanted, and the numbers of the paper, where there are any."""
    name = at.get(experiment.lines)
    if experiment.gain_over and name in experiment.gain_of:
        marked = tuple(f"{v}, gain" if v == name else v for v in head)
        gains = (f"{c.gain:+.3f} ± {c.gain_se:.3f}" if c else "" for c in found)
        yield (*marked, *gains)
    if any(cell and not math.isnan(cell.paper) for cell in found):
        printed = ("" if c is None or math.isnan(c.paper) else f"{c.paper:g}" for c in found)
        yield (f"{head[0]}, the paper", *head[1:], *printed)


def _number(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}"


def _about_spread(cells: list[Cell]) -> list[str]:
    errors = [cell for cell in cells if not math.isnan(cell.se) and cell.mean]
    if not errors:
        return []
    worst = max(errors, key=lambda cell: cell.se / abs(cell.mean))
    return [f"means; the largest standard error for its mean is {worst.se:.3f} of {worst.mean:.3f}"]


def _about_marks(experiment: Experiment, cells: list[Cell]) -> list[str]:
    if all(math.isnan(cell.p) for cell in cells):
        return []
    base = _baseline(experiment, ((cell.at, cell.measure) for cell in cells))
    return [f"{MARKED}{base} in the same runs: two-tailed paired t-test, p < {LEVEL}"]
