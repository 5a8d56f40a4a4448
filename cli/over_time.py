"""textclust over-time: the course of the clusters of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from textclust.result.periods import FREQUENCIES

from . import options, output
from .declared import Option
from .places import out_file

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering
    from textclust.result.over_time import OverTime

    Period = str
else:
    Period = options.choices("Period", FREQUENCIES)

__all__ = ["Period", "command", "show_trends", "table"]


def command(
    model: options.Model,
    freq: Annotated[
        Period | None,
        Option("--by", help="The periods; by default the finest that give no more than 31."),
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            metavar="FILE.csv", help="Write the numbers and terms of each cluster in each period."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Show which clusters of MODEL rise, fall, are new or have vanished.

    Only what is more than chance explains is reported. Nothing is clustered again.
    """
    from textclust.errors import InputError
    from textclust.result.course_tables import course_as_data
    from textclust.result.model import load
    from textclust.result.over_time import over_time

    with out_file(out, (model,)) as place:
        clustering = load(model)
        if clustering.dates is None:
            raise InputError(
                f"{model}: its documents have no dates; cluster them again, with the column that "
                "has them as --date-column"
            )
        asked = freq or clustering.settings.get("by")
        found = over_time(clustering, "auto" if asked is None else str(asked))
        if place is not None:
            place.write(table(clustering, found.freq))
    if json:
        output.print_json(course_as_data(clustering, found.freq))
    else:
        _show(clustering, found.shown)
    if place is not None:
        place.note()


def table(clustering: Clustering, freq: str, keep_formulas: bool = False) -> str:
    """The content of over_time.csv."""
    from textclust.result.course_tables import course_rows
    from textclust.writing import COURSE, csv_text

    return csv_text(COURSE, course_rows(clustering, freq), keep_formulas=keep_formulas)


def show_trends(clustering: Clustering, freq: str) -> None:
    """Which clusters rise, fall, are new or have vanished, a line for each."""
    from textclust.result.over_time import over_time
    from textclust.result.trends import KINDS

    found = over_time(clustering, freq).shown
    output.print_line(_heading(found))
    for trend in sorted(found.trends, key=lambda each: KINDS.index(each.kind)):
        name = f"{trend.cluster} {clustering.names[trend.cluster]}"
        output.print_line(f"  {name}: {trend.in_words(found.freq)}")
    if not found.trends:
        output.print_line("  no cluster rises, falls, is new or has vanished beyond chance")


def _show(clustering: Clustering, found: OverTime) -> None:
    said = {trend.cluster: trend.in_words(found.freq) for trend in found.trends}
    rows = []
    for h, sizes in enumerate(found.sizes):
        rising = next((terms for terms in reversed(found.rising[h]) if terms), ())
        rows.append((h, clustering.names[h], int(sizes.sum()), said.get(h, ""), ", ".join(rising)))
    output.print_table(
        ("cluster", "name", "documents", "beyond chance", "terms that rose last"),
        rows,
        _heading(found),
    )


def _heading(found: OverTime) -> str:
    """The periods, their halves, and what has no place in them."""
    from textclust.result.periods import named

    first, last = (named(found.periods[place], found.freq) for place in (0, -1))
    parts = [f"By {found.freq}, from {first} to {last}"]
    if found.middle is not None:
        parts.append(f"shares before {named(found.middle, found.freq)} and from then on")
    if found.undated:
        parts.append(f"{output.counted(found.undated, 'document')} without a date")
    if found.outside:
        parts.append(f"{output.counted(found.outside, 'document')} of other dates")
    return "; ".join(parts) + ":"
