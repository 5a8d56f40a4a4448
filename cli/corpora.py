"""textclust corpora: the collections that textclust knows by name."""

from __future__ import annotations

from typing import Annotated

import typer

from . import options, output

__all__ = ["app"]

app = typer.Typer(
    help="List, locate or fetch collections.", no_args_is_help=True, rich_markup_mode=None
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name from the list.")]


@app.command("list")
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


@app.command("path")
def path_of_corpus(name: Name) -> None:
    """Where a collection lies on this machine."""
    from textclust.corpora import path

    print(path(name))


@app.command("fetch")
def fetch_corpus(
    name: Name,
    source: Annotated[
        str | None, typer.Option("--from", help="Another address, or a file, to take it from.")
    ] = None,
) -> None:
    """Download a collection once; prints where it lies."""
    from textclust.corpora import fetch

    with output.showing_progress():
        place = fetch(name, source)
    print(place)
