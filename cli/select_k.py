"""textclust select-k: how many clusters, with the evidence for each number."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from textclust.model_selection import DISTORTIONS

from . import durations, options, output, results
from .declared import Option
from .interruption import first_keeps_the_best
from .places import out_file

if TYPE_CHECKING:
    from textclust.model_selection.choice import Selection

    Distortion = str
else:
    Distortion = options.choices("Distortion", DISTORTIONS)

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


@options.reading
@options.counting
def command(
    path: options.Source,
    first: Annotated[
        int | None,
        Option("--from", min=1, help="The fewest clusters; 2, or one for each class."),
    ] = None,
    last: Annotated[
        int | None,
        Option(
            "--to", min=1, help="The most clusters; 20, or one for each five documents if fewer."
        ),
    ] = None,
    seeds: Annotated[
        Path | None, Option(help="A CSV table id,label of documents whose class is known.")
    ] = None,
    seed_words: Annotated[
        Path | None,
        Option(help="A CSV table label,word: at least one cluster for each label."),
    ] = None,
    constraints: Annotated[
        Path | None,
        Option(help="A CSV table left,right,kind: links that the clusters should keep."),
    ] = None,
    distortion: Annotated[
        Distortion, Option(help="The distance that documents are compared by.")
    ] = "cosine",
    vectors: options.Vectors = None,
    plot: Annotated[
        Path | None, Option(metavar="FILE", help="A .png, .svg or .pdf to draw to.")
    ] = None,
    out: Annotated[Path | None, Option(help="A .csv file for the table.")] = None,
    max_seconds: Annotated[
        str | None,
        Option(
            "--time",
            metavar=durations.METAVAR,
            help="How long the search may take, such as 90, 60s, 2m or 1h30m; no further number "
            "is looked at after that.",
        ),
    ] = None,
    random_state: options.RandomState = 0,
    json: options.Json = False,
    weighting: options.TermWeighting = None,
    *,
    words: options.Words,
    read: options.Read,
) -> None:
    """Choose the number of clusters in PATH, and show the evidence for each number."""
    from textclust.errors import InputError

    if first is not None and last is not None and first > last:
        raise InputError(f"--from {first} is more than --to {last}; swap them")
    if plot is not None:
        from textclust.model_selection.plot import check_place
        from textclust.writing import is_same

        check_place(plot)
        if out is not None and is_same(plot, out):
            raise InputError(f"{plot} cannot be both the picture and the table; name two files")
    limit = None if max_seconds is None else durations.seconds(max_seconds)
    inputs = (path, seeds, seed_words, constraints, vectors)
    with (
        output.showing_progress(),
        out_file(plot, inputs) as picture_file,
        out_file(out, inputs) as table_file,
    ):
        reading = read(path, results.leave_out(path, plot, out))
        from textclust.model_selection.choice import select_k
        from textclust.sources import SupervisionSource
        from textclust.text.corpus import Corpus

        source = SupervisionSource.read(seeds, constraints, seed_words=seed_words)
        vectorizer = words(weighting=options.weighting_of(weighting, as_published=False))
        corpus = Corpus.read(reading, vectorizer, last or first or 1)
        documents = corpus.documents
        known = source.resolve(documents, corpus=corpus)
        given_words = known.seed_words
        X = corpus.X if vectors is None else options.load_vectors(vectors, len(documents))
        with first_keeps_the_best():
            selection = select_k(
                X,
                _range(first, last, len(documents), len(known.classes)),
                known.constraints,
                y=known.seeds,
                seed_words=None if given_words is None else dict.fromkeys(given_words.labels, ()),
                distortion=str(distortion),
                max_seconds=limit,
                random_state=random_state,
            )
        if picture_file is not None:
            from textclust.model_selection.plot import picture

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


def _range(first: int | None, last: int | None, n: int, classes: int) -> range | None:
    """The numbers asked for; None for the default."""
    from textclust.errors import InputError
    from textclust.model_selection.numbers import default_range

    if first is last is None:
        return None
    numbers = default_range(n, classes, first=first, last=last)
    if not numbers:
        raise InputError(
            f"--to {last} is less than {numbers.start}, where it starts by itself; give --from too"
        )
    return numbers


def _show(selection: Selection, n: int) -> None:
    names = _columns(selection)
    rows = [[_rounded(getattr(row, name)) for name in names] for row in selection.table]
    header = [_TITLES[name] for name in names]
    output.print_table(header, rows, f"{n} documents, the evidence for each number of clusters")
    alone = ", ".join(f"{name} {k}" for name, k in selection.picks.items())
    output.print_line(f"Each by itself would choose: {alone}")
    if selection.stopped is not None:
        looked_at = output.counted(len(selection.table), "number")
        output.print_line(f"{selection.stopped}: {looked_at} of clusters looked at.")
    output.print_line(f"Recommended: {selection.reason}.")


def _table(selection: Selection) -> str:
    from dataclasses import astuple, fields

    from textclust.writing import csv_text

    header = [field.name for field in fields(selection.table[0])]
    rows = [["" if v is None else v for v in astuple(row)] for row in selection.table]
    return csv_text(header, rows)


def _columns(selection: Selection) -> list[str]:
    """Links only where some were given."""
    without = selection.table[0].links_kept is None
    return [name for name in _TITLES if not (without and name == "links_kept")]


def _rounded(value: float | None) -> float | str:
    """Few digits: of large numbers only differences matter."""
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    return round(value, 3) if abs(value) < 100 else round(value)
