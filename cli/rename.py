"""textclust rename: a person's own name for a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from . import options, output, repeating, results
from .declared import Argument

__all__ = ["command"]


def command(
    run: Annotated[Path, Argument(metavar="RUN", help="The --out folder of a run.")],
    cluster: Annotated[int, Argument(metavar="CLUSTER", help="The number of a cluster.")],
    name: Annotated[str, Argument(metavar="NAME", help="What to call it.")],
    keep: options.Keep = False,
) -> None:
    """Give a cluster of RUN a name of your own.

    It takes the place of the computed name, in all files of RUN and in runs that go on from it.
    """
    from textclust.errors import InputError
    from textclust.result.model import load

    clustering = load(run)
    summary = run / "clusters.json"
    if clustering.whole is not None or not summary.is_file():
        raise InputError(f"{run}: not the --out folder of a run with labels.csv and clusters.json")
    before = clustering.names[cluster] if 0 <= cluster < clustering.k else ""
    renamed = clustering.renamed({cluster: name})
    with results.again(run, keep=keep) as place:
        if place is not None:
            results.write(
                renamed,
                place,
                texts=not repeating.has_option(run, "--no-text"),
                memberships=(run / "memberships.csv").is_file(),
                keep_formulas=repeating.has_option(run, "--csv-formulas", "keep"),
            )
    output.print_line(f"Cluster {cluster}, {before}, is now {renamed.names[cluster]}.")
    if place is not None and place.kept is not None:
        place.note_replaced()
