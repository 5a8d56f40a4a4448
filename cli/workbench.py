"""textclust open: the workbench, a page in the browser to sort a collection by."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import cluster, options, output
from .declared import Option

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering
    from textclust.text.termspace import TermSpace
    from textclust.workbench.collection import Collection

__all__ = ["command"]


@options.reading
@options.counting
def command(
    path: options.Source,
    k: Annotated[
        str,
        Option(
            "--k", "-k", help="How many clusters to begin with; auto is what select-k recommends."
        ),
    ] = "auto",
    project: Annotated[
        Path | None,
        Option(
            metavar="DIR",
            help="The folder for the journal and all that follows from it; PATH with .textclust "
            "in this folder if left out. Work that is there is continued.",
        ),
    ] = None,
    seeds: options.Seeds = None,
    constraints: Annotated[
        Path | None,
        Option(help="A CSV table left,right,kind[,weight], such as the answers that ask has kept."),
    ] = None,
    background: options.Background = None,
    port: Annotated[
        int, Option(min=0, max=65535, help="The port to serve on; 0 is any free one.")
    ] = 0,
    no_browser: Annotated[
        bool,
        Option("--no-browser", help="Open no browser; the first line printed is the address."),
    ] = False,
    max_body: Annotated[
        int,
        Option(metavar="MIB", min=1, help="Refuse larger requests, such as of a program."),
    ] = 8,
    csv_formulas: options.CsvFormulas = options.Formulas.QUOTE,
    random_state: options.RandomState = 0,
    *,
    words: options.Words,
    read: options.Read,
) -> None:
    """Sort the documents of PATH in the browser: look, edit clusters, answer questions, refit."""
    import secrets

    from textclust.errors import InputError

    try:
        from textclust.workbench.server import serve
    except ImportError as error:
        missing = error.name or "starlette"
        raise InputError(
            f"the workbench needs {missing}, which is not installed; "
            "install it with: pip install 'textclust[workbench]'"
        ) from None
    from textclust.sources import SupervisionSource
    from textclust.workbench.project import Project
    from textclust.workbench.workbench import Workbench

    folder, number = project or _beside(path), cluster.count(k)
    given = SupervisionSource.read(seeds, constraints)
    keep = options.are_kept(csv_formulas)
    with output.showing_progress(), Project.open(folder, keep_formulas=keep) as opened:
        vectorizer = words()
        if len(opened.journal) and (k != "auto" or seeds or constraints):
            output.note(
                f"Continuing the work in {folder}: --k, --seeds and --constraints count at the "
                "beginning alone."
            )
        earlier, source = _earlier(path)
        collection = collected(source, background, vectorizer, read, folder)
        bench = Workbench(
            collection,
            opened,
            number,
            random_state,
            seeds=given.seeds,
            links=given.links,
            earlier=earlier,
        )
        token = secrets.token_urlsafe(32)
        ready = partial(_ready, folder=folder, no_browser=no_browser)
        serve(bench, port, token, ready, max_body=max_body << 20)
    output.note(f"Closed. Everything is in {folder}; the same command continues.")


def collected(
    path: str,
    background: Path | None,
    vectorizer: TermSpace,
    read: options.Read,
    *places: Path | None,
) -> Collection:
    """The documents of PATH with their texts, counted, beside older ones."""
    from textclust.sources import SupervisionSource
    from textclust.text.documents import Documents
    from textclust.workbench.collection import Collection

    from . import results

    reading = read(path, results.leave_out(path, *places))
    older = SupervisionSource.read(
        background=cluster.background_of(background, read), vectorizer=vectorizer
    ).background
    return Collection.read(Documents.from_reading(reading), vectorizer, older)


def _earlier(path: str) -> tuple[Clustering | None, str]:
    """The clustering where PATH is the --out folder of a run, and the documents it was made of."""
    from textclust.errors import InputError
    from textclust.knowledge import is_model

    if not is_model(path):
        return None, path
    from textclust.result.model import load

    clustering = load(path)
    source = clustering.settings["collection"].get("source")
    if not isinstance(source, str) or not os.path.exists(source):
        raise InputError(
            f"{path}: its documents were read from {source}, which is not there; "
            "open the documents themselves"
        )
    return clustering, source


def _beside(path: str) -> Path:
    """The project of a collection where none is named: its name with .textclust, here."""
    from textclust.errors import InputError

    name = os.path.basename(os.path.normpath(path))
    if path == "-" or not name or name in (os.curdir, os.pardir):
        raise InputError(
            "the project cannot be named after PATH; name its folder with --project DIR"
        )
    return Path(f"{name}.textclust")


def _ready(address: str, folder: Path, no_browser: bool) -> None:
    """Print where it is, and open a browser there."""
    output.print_line(address, at_once=True)
    output.note(f"The work is kept in {folder}. Ctrl-C ends it; nothing is lost.")
    if not no_browser:
        import webbrowser

        webbrowser.open(address)
