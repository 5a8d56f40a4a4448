"""textclust refit: the documents of a run once more, those that were added to it too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from . import options, output, results
from .declared import Option
from .interruption import first_keeps_the_best
from .rewriting import rewriting

__all__ = ["command"]


def command(
    model: options.Model,
    out: Annotated[
        Path | None,
        Option(help="A folder for the results; MODEL stays as it is."),
    ] = None,
    keep: options.Keep = False,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    terms: options.Terms = 6,
) -> None:
    """Cluster the documents of MODEL anew, those that were added to it too.

    It goes on from what is there: clusters keep their names, order and identities as far as they
    are still the same, and what became of each is said. No text is read again.
    """
    with output.showing_progress(), rewriting(model, out, keep=keep) as target:
        from textclust.refitting import refit
        from textclust.result.model import load

        clustering = load(model)
        with first_keeps_the_best():
            found = refit(clustering, random_state)
        target.write_anew(found)
    if json:
        output.print_json(results.as_json(found))
    else:
        results.show(found, terms)
    target.note()
