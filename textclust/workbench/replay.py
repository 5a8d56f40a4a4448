"""A journal from the command line: the clustering that the workbench ended with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textclust.errors import InputError
from textclust.result.clustering import Clustering
from textclust.workbench.collection import Collection
from textclust.workbench.history import replayed
from textclust.workbench.opening import first_state, require_same
from textclust.workbench.refitting import refit, refitted
from textclust.workbench.state import State
from textclust.workbench.view import View

__all__ = ["clustering_by_journal"]


def clustering_by_journal(
    collection: Collection, lines: Sequence[Mapping[str, object]], where: str
) -> Clustering:
    """Replay the lines of a journal, all refits included, to the same labels."""
    if not lines:
        raise InputError(f"{where}: an empty journal; nothing was opened")

    def anew(state: State) -> State:
        return refitted(state, refit(collection, state))

    require_same(collection, lines[0], where)
    first = first_state(collection, lines[0])
    history = replayed(first, lines[1:], collection.rows, lambda place: anew)
    return View.after(collection, history.state).clustering
