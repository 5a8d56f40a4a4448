"""What a part of the benchmarks hands to the page: headlines and tables, dated and kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.measuring import Result
from textclust.experiments.table import Table

__all__ = [
    "Column",
    "Headline",
    "Scale",
    "Section",
    "agree",
    "comparison",
    "headline",
    "ratio",
    "yes_or_no",
]

Column = Callable[[Result], str]


@dataclass(frozen=True)
class Scale:
    """How much to measure."""

    repeats: int = 5
    quick: bool = False


@dataclass(frozen=True)
class Headline:
    """One comparison in a line."""

    what: str
    peer: str
    ratio: str
    remark: str = ""


@dataclass(frozen=True)
class Section:
    """A part of the page."""

    name: str
    headlines: Sequence[Headline]
    tables: Sequence[Table]
    measured: str = ""

    def save(self, folder: Path) -> None:
        """Keep it with today's date."""
        folder.mkdir(parents=True, exist_ok=True)
        kept = {**asdict(self), "measured": date.today().isoformat()}
        (folder / f"{self.name}.json").write_text(json.dumps(kept, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, name: str) -> Section | None:
        """What was kept under that name, if anything."""
        file = folder / f"{name}.json"
        if not file.exists():
            return None
        kept = json.loads(file.read_text(encoding="utf-8"))
        kept["headlines"] = [Headline(**line) for line in kept["headlines"]]
        kept["tables"] = [Table(**table) for table in kept["tables"]]
        return cls(**kept)


def comparison(
    title: str,
    results: Sequence[Result],
    columns: Mapping[str, Column],
    notes: Sequence[str] = (),
) -> Table:
    """One row a contestant, the first of which all others are measured against."""
    first = results[0]
    shown: dict[str, Column] = {
        "": lambda result: result.name,
        "given": lambda result: result.given,
        "runs": lambda result: str(len(result.runs)),
        "seconds": lambda result: f"{result.seconds:.3f}",
        "times as long": lambda result: ratio(result, first),
        **columns,
    }
    if not any(result.given for result in results):
        del shown["given"]
    rows = [tuple(_cells(result, shown)) for result in results]
    failures = tuple(
        f"{result.name}: {result.failure.rstrip('.')}." for result in results if result.failure
    )
    return Table(title, tuple(shown), rows, (*notes, *failures))


def _cells(result: Result, columns: Mapping[str, Column]) -> list[str]:
    always = ("", "given", "runs")
    return [
        show(result) if result.runs or name in always else "–" for name, show in columns.items()
    ]


def ratio(result: Result, first: Result) -> str:
    """Of the medians, and between which values the single rounds lay."""
    if result is first or not first.runs:
        return "1" if first.runs else "–"
    middle, low, high = result.ratio_to(first)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def headline(what: str, results: Sequence[Result], peer: str, remark: str = "") -> Headline:
    """How many times as long as the first contestant one of the others takes."""
    theirs = next(result for result in results if result.name == peer)
    shown = ratio(theirs, results[0]) if theirs.runs else theirs.failure
    return Headline(what, peer, shown, remark)


def agree(results: Sequence[Result], names: Sequence[str], key: str = "digest") -> str:
    """Yes where the results of these contestants are identical."""
    found: list[Any] = [
        result.verdict[key] if result.runs else None for result in results if result.name in names
    ]
    return yes_or_no(None not in found and len(set(found)) == 1)


def yes_or_no(holds: bool) -> str:
    """A check, printed."""
    return "yes" if holds else "**no**"
