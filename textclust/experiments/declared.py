"""What an experiment is: declared data, and one function for an independent part of its work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

__all__ = ["Case", "Experiment", "Place", "Row", "Unit", "Value", "grid", "key_of"]

Case = Mapping[str, Any]
Row = Mapping[str, Any]  # of axes and measures
Value = str | float  # of an axis
Place = tuple[Value, ...]  # on all axes
Unit = Callable[[Case, int], Iterable[Row]]


@dataclass(frozen=True)
class Experiment:
    """A table or figure that can be made again.

    `unit(case, run)` does one independent part of the work: it is a function of the top level of
    its module, and what it returns depends on nothing but the case and the number of the run. Its
    rows are mappings from axes and measures to values; entries of the case need not be repeated.
    Rows at the same place on every axis are samples of the same thing: of each run, each fold.

    Parameters
    ----------
    name : str
        What `textclust reproduce` knows it by, and `also` what else.
    title, source : str
        What is measured, and where it was printed; "" for an experiment of our own.
    unit, cases, runs
        The work: each case in so many runs. A case may hold "runs", at most so many for it.
    axes : tuple of str
        The columns that say what was measured, in the order of the table. `x` is the one along
        the bottom of the picture, `lines` the one with a line for each value; the others have a
        panel for each. `across` is spread over the columns of the table, `x` unless it is given.
    measures : tuple of str
        The columns that are measured; `shown` are those of the table and the picture, or all.
    paper : mapping
        Numbers that the source prints, by the values of the axes.
    gain_over : tuple of str and value, optional
        A place on an axis; the gain over it, in the same run and fold, is in the summary, and in
        the table for the lines that `gain_of` names.
    baseline : value, optional
        The line that all others are compared with, run by run, in a paired t-test; the first one
        unless it is given.
    notes : tuple of str
        What to know about the variants; printed below the table.
    says, differs : str
        What the source says, and in a sentence how our figures stand to it; for the results page.
    """

    name: str
    title: str
    source: str
    unit: Unit
    cases: tuple[Case, ...]
    runs: int
    axes: tuple[str, ...]
    x: str
    lines: str
    across: str = ""
    measures: tuple[str, ...] = ("NMI",)
    shown: tuple[str, ...] = ()
    paper: Mapping[Place, float] = field(default_factory=dict)
    gain_over: tuple[str, Value] | None = None
    gain_of: tuple[str, ...] = ()
    baseline: Value | None = None
    notes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    says: str = ""
    differs: str = ""

    def units(self, runs: int) -> list[tuple[Case, int]]:
        """Every part of the work, in order."""
        return [
            (case, run) for case in self.cases for run in range(min(runs, case.get("runs", runs)))
        ]

    def does_the_work_of(self, other: Experiment) -> bool:
        """True where a unit done for the one is a unit done for the other."""
        return (self.unit, self.axes, self.measures) == (other.unit, other.axes, other.measures)


def grid(**axes: Iterable[object]) -> tuple[Case, ...]:
    """A case for every combination of values."""
    return tuple(dict(zip(axes, values, strict=True)) for values in product(*axes.values()))


def key_of(case: Case) -> str:
    """A case in words, as the file of runs names it."""
    return "; ".join(f"{name}={case[name]}" for name in sorted(case))
