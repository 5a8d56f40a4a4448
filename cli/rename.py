"""textclust rename: a person's own name for a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import output, repeating, results

__all__ = ["command"]


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The --out folder of a run.")],
    cluster: Annotated[int, typer.Argument(metavar="CLUSTER", help="The number of a cluster.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
) -> None:
    """Give a cluster of RUN a name of your own.

    It goes before any name that is computed, in all files of RUN and in runs that go on from it.
    """
    from textclust.errors import InputError
    from textclust.result.model import load

    clustering = load(run)
    summary = run / "clusters.json"
    if clustering.whole is not None or not summary.is_file():
        raise InputError(f"{run}: not the --out folder of a run with labels.csv and clusters.json")
    before = clustering.names[cluster] if 0 <= cluster < clustering.k else ""
    renamed = clustering.renamed({cluster: name})
    with results.again(run) as place:
        if place is not None:
            results.write(
                renamed,
                place,
                texts=_with_texts(run),
                memberships=(run / "memberships.csv").is_file(),
            )
    output.print_line(f"Cluster {cluster}, {before}, is now {renamed.names[cluster]}.")


def _with_texts(run: Path) -> bool:
    """Whether the report of the run has texts."""
    record = repeating.read_record(run)
    return not isinstance(record, dict) or "--no-text" not in record.get("arguments", ())
