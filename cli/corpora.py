"""textclust corpora: the collections that textclust knows by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from . import options, output
from .commands import InOrder, InPanels
from .declared import Argument, Option

__all__ = ["app"]


def _names() -> Iterable[str]:
    from textclust.corpora import REGISTRY

    return REGISTRY


Name = Annotated[str, Argument(metavar="NAME", help="A name from the list.", names=_names)]


def list_corpora(json: options.Json = False) -> None:
    """The collections there are, and where they lie."""
    from textclust.corpora import REGISTRY, find

    rows = [(corpus, find(name)) for name, corpus in REGISTRY.items()]
    if json:
        output.print_json(
            {
                c.name: {"about": c.about, "documents": c.documents, "path": p and str(p)}
                for c, p in rows
            }
        )
        return
    header = ("name", "documents", "classes", "about", "path")
    table = [(c.name, c.documents, c.classes, c.about, p or "not here yet") for c, p in rows]
    output.print_table(header, table)


def path_of_corpus(name: Name) -> None:
    """Where a collection lies on this machine."""
    from textclust.corpora import path

    output.print_path(path(name))


def fetch_corpus(
    name: Name,
    source: Annotated[
        str | None, Option("--from", help="Another address, or a file, to take it from.")
    ] = None,
) -> None:
    """Download a collection once; prints where it lies."""
    from textclust.corpora import fetch

    with output.showing_progress():
        place = fetch(name, source)
    output.print_path(place)


app = InOrder("corpora", help="List, locate or fetch collections.")
app.add_command(InPanels("list", list_corpora))
app.add_command(InPanels("path", path_of_corpus))
app.add_command(InPanels("fetch", fetch_corpus))
