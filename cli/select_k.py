"""textclust select-k: how many clusters, with the evidence for each number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import options, output, results
from .places import out_file

if TYPE_CHECKING:
    from textclust.selection.choice import Selection

__all__ = ["command"]

_TITLES = {
    "k": "k",
    "stability": "stability",
    "links_kept": "links kept",
    "bic": "BIC",
    "mdl": "MDL",
    "mml": "MML",
    "gap": "gap",
    "smallest": "smallest cluster",
}

_MOST = 12  # clusters, unless told


@options.reading
def command(
    path: options.Source,
    first: Annotated[int, typer.Option("--from", min=1, help="The fewest clusters.")] = 2,
    last: Annotated[
        int | None,
        typer.Option("--to", min=1, help="The most clusters; 12, or one for each document."),
    ] = None,
    constraints: Annotated[
        Path | None,
        typer.Option(help="A CSV table left,right,kind: links that the clusters should keep."),
    ] = None,
    vectors: options.Vectors = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A .png, .svg or .pdf to draw to.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A .csv file for the table.")] = None,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    language: options.Language = "english",
    *,
    read: options.Read,
) -> None:
    """Look for the number of clusters in PATH; say which, and what speaks for each."""
    from textclust.errors import InputError

    if last is not None and first > last:
        raise InputError(f"--from {first} is more than --to {last}; turn them round")
    if plot is not None:
        from textclust.selection.plot import check_place
        from textclust.writing import is_same

        check_place(plot)
        if out is not None and is_same(plot, out):
            raise InputError(f"{plot} cannot be both the picture and the table; name two files")
    inputs = (path, constraints, vectors)
    with (
        output.showing_progress(),
        out_file(plot, inputs) as picture_file,
        out_file(out, inputs) as table_file,
    ):
        places = [place for place in (plot, out) if place is not None]
        reading = read(path, results.leave_out(path, *places))
        from textclust.hints import Hints
        from textclust.pipeline import vectorised
        from textclust.selection.choice import select_k
        from textclust.text.termspace import TermSpace

        told = Hints.read(None, constraints)
        vectorizer = TermSpace(
            stop_words=None if language == "none" else language, sublinear_tf=True
        )
        X, documents = vectorised(reading, vectorizer, last or first)
        last = last or max(first, min(_MOST, len(documents)))
        links = told.matched(documents.ids, last).constraints
        if vectors is not None:
            X = options.load_vectors(vectors, len(documents))
        selection = select_k(X, range(first, last + 1), links, random_state=random_state)
        if picture_file is not None:
            from textclust.selection.plot import picture

            picture_file.write(picture(selection, picture_file.out))
        if table_file is not None:
            table_file.write(_table(selection))
    output.note_skipped(documents.skipped)
    if json:
        output.print_json({"documents": len(documents), **selection.to_dict()})
    else:
        _show(selection, len(documents))
    for file in (picture_file, table_file):
        if file is not None:
            file.note()


def _show(selection: Selection, n: int) -> None:
    names = _columns(selection)
    rows = [[_rounded(getattr(row, name)) for name in names] for row in selection.table]
    header = [_TITLES[name] for name in names]
    output.print_table(header, rows, f"{n} documents, the evidence for each number of clusters")
    alone = ", ".join(f"{name} {k}" for name, k in selection.picks.items())
    output.print_line(f"Each by itself would choose: {alone}")
    output.print_line(f"Recommended: {selection.reason}.")


def _table(selection: Selection) -> str:
    from dataclasses import astuple, fields

    header = [field.name for field in fields(selection.table[0])]
    rows = [["" if v is None else v for v in astuple(row)] for row in selection.table]
    return output.csv_text(header, rows)


def _columns(selection: Selection) -> list[str]:
    """Links only where some were given."""
    without = selection.table[0].links_kept is None
    return [name for name in _TITLES if not (without and name == "links_kept")]


def _rounded(value: Any) -> Any:
    """Few digits: of large numbers only differences matter."""
    if isinstance(value, int):
        return value
    return round(value, 3) if abs(value) < 100 else round(value)
