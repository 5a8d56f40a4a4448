"""textclust reproduce: the experiments behind the documentation's claims."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options, output

__all__ = ["command"]


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="An experiment; none lists them.")
    ] = None,
    runs: Annotated[int | None, typer.Option(min=1, help="How many runs to average.")] = None,
    out: Annotated[Path | None, typer.Option(help="A CSV file to write as well.")] = None,
    json: options.Json = False,
) -> None:
    """Run an experiment on real collections and print its table."""
    from textclust.experiments import EXPERIMENTS, reproduce

    if name is None:
        about = {key: experiment.about for key, experiment in EXPERIMENTS.items()}
        if json:
            output.print_json(about)
        else:
            output.print_table(("experiment", "what it shows"), list(about.items()))
        return
    with output.showing_progress():
        table = reproduce(name, runs)
    if out is not None:
        from textclust.writing import write_whole

        write_whole(out, output.csv_text(table.header, table.rows))
    if json:
        output.print_json({"title": table.title, "rows": _records(table.header, table.rows)})
        return
    output.print_table(table.header, table.rows, table.title)
    for line in table.notes:
        print(line)


def _records(header: tuple[str, ...], rows: list[tuple[object, ...]]) -> list[dict[str, object]]:
    return [dict(zip(header, row, strict=True)) for row in rows]
