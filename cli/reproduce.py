"""textclust reproduce: the tables and figures of the papers, and the documentation's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import options, output
from .declared import Argument, Option

if TYPE_CHECKING:
    from textclust.experiments.runner import Reproduction

__all__ = ["command"]


def command(
    name: Annotated[
        str | None, Argument(metavar="NAME", help="An experiment; none lists them.")
    ] = None,
    listed: Annotated[
        bool, Option("--list", help="List the experiments: source, what, how many runs.")
    ] = False,
    runs: Annotated[int | None, Option(min=1, help="How many runs to average.")] = None,
    jobs: Annotated[int, Option(min=1, help="How many processes work at it.")] = 1,
    out: Annotated[
        Path,
        Option(
            help="A folder for NAME/runs.csv, summary.csv and plot.png; what is there already is "
            "not run again."
        ),
    ] = Path("reproduced"),
    json: options.Json = False,
) -> None:
    """Run an experiment on real collections: every run, mean and spread, a picture."""
    from textclust.experiments import reproduce

    if name is None or listed:
        _print_list(json)
        return
    with output.showing_progress():
        result = reproduce(name, runs, jobs, out)
    if json:
        output.print_json(_as_json(result))
    else:
        _show(result)
    if result.replaced:
        names = " and ".join(result.replaced)
        output.note(f"replaced {names} of an earlier run in {result.folder}")


def _print_list(json: bool) -> None:
    from textclust.experiments import experiments

    every = experiments().values()
    if json:
        about = {e.name: {"source": e.source, "about": e.title, "runs": e.runs} for e in every}
        output.print_json(about)
        return
    rows = [(", ".join((e.name, *e.also)), e.source or "our own", e.title, e.runs) for e in every]
    output.print_table(("experiment", "source", "what", "runs"), rows)


def _show(result: Reproduction) -> None:
    table = result.table()
    output.print_table(table.header, table.with_marks(), table.title)
    for line in table.notes:
        output.print_line(line)
    output.note(_whereabouts(result))


def _as_json(result: Reproduction) -> dict[str, object]:
    table = result.table()
    return {
        "name": result.experiment.name,
        "title": table.title,
        "rows": [dict(zip(table.header, row, strict=True)) for row in table.rows],
        "summary": result.rows(),
        "folder": str(result.folder),
    }


def _whereabouts(result: Reproduction) -> str:
    from textclust.experiments.picture import can_draw

    if can_draw():
        return f"every run, the summary and a picture: {result.folder}"
    return (
        f"every run and the summary: {result.folder}; "
        "for a picture: pip install 'textclust[plot]', then the same command"
    )
