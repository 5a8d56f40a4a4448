"""textclust predict: new documents into the clusters of a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from . import options, output, results
from .declared import Option
from .places import out_file

if TYPE_CHECKING:
    from textclust.text.catalogue import Catalogue
    from textclust.text.documents import Documents

__all__ = ["command"]


@options.reading
def command(
    model: options.Model,
    path: options.Source,
    vectors: options.Vectors = None,
    out: Annotated[Path | None, Option(help="A CSV file to write instead of printing.")] = None,
    csv_formulas: options.CsvFormulas = options.Formulas.QUOTE,
    json: options.Json = False,
    fits: Annotated[
        bool,
        Option(
            "--fits",
            help="Add a column that says whether the document fits any cluster. The first time can "
            "take some seconds.",
        ),
    ] = False,
    *,
    read: options.Read,
) -> None:
    """Place the documents of PATH in the clusters of MODEL; prints id,cluster,name,score."""
    with output.showing_progress(), out_file(out, (model, path, vectors)) as place:
        from textclust.result.model import load
        from textclust.text.documents import Documents
        from textclust.writing import FITS, LABELS, csv_text

        clustering = load(model)
        reading = options.cleaned_like(clustering, read)(path, results.leave_out(path, out))
        documents: Catalogue | Documents
        if vectors is None:
            placement = clustering.predict(reading)
            documents = reading.catalogue()
            order = documents.rows
        else:
            documents = Documents.from_reading(reading)
            order = list(range(len(documents)))
            array = options.load_vectors(vectors, len(documents))
            placement = clustering.predict(documents.texts, vectors=array)
        labels, scores = placement.labels[order], placement.scores[order]
        rows: list[tuple[object, ...]] = [
            (name, int(h), clustering.name_of(int(h)), round(float(score), 4))
            for name, h, score in zip(documents.ids, labels, scores, strict=True)
        ]
        columns: tuple[str, ...] = LABELS
        if fits:
            columns = (*LABELS, FITS)
            rows = [
                (*row, fit) for row, fit in zip(rows, placement.fits[order].tolist(), strict=True)
            ]
        cells = [[_cell(each) for each in row] for row in rows]
        if place is not None:
            place.write(csv_text(columns, cells, keep_formulas=options.are_kept(csv_formulas)))
    output.note_skipped(documents.skipped)
    if json:
        output.print_json({"labels": [dict(zip(columns, row, strict=True)) for row in rows]})
    elif place is None:
        output.print_csv(columns, cells, keep_formulas=options.are_kept(csv_formulas))
    if place is not None:
        place.note()


def _cell(value: object) -> object:
    """As CSV has it: true or false in small letters, all else as it is."""
    return str(value).lower() if isinstance(value, bool) else value
