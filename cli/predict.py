"""textclust predict: new documents into the clusters of a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options, output
from .options import Clean

__all__ = ["command"]


def command(
    model: options.Model,
    path: options.Source,
    vectors: options.Vectors = None,
    out: Annotated[
        Path | None, typer.Option(help="A CSV file to write instead of printing.")
    ] = None,
    json: options.Json = False,
    text_column: options.TextColumn = "text",
    id_column: options.IdColumn = "id",
    label_column: options.LabelColumn = "label",
    date_column: options.DateColumn = "date",
    headers: options.Headers = Clean.AUTO,
    signatures: options.Signatures = Clean.AUTO,
    quotes: options.Quotes = Clean.AUTO,
    html: options.Html = Clean.AUTO,
) -> None:
    """Place the documents of PATH in the clusters of MODEL; prints id,cluster,name,score."""
    with output.showing_progress():
        from textclust.answer.model import load

        clustering = load(model)
        documents = options.read_source(
            path,
            text_column=text_column,
            id_column=id_column,
            label_column=label_column,
            date_column=date_column,
            headers=headers,
            signatures=signatures,
            quotes=quotes,
            html=html,
        )
        array = options.load_vectors(vectors)
        placement = clustering.predict(documents.texts if array is None else None, array)
    rows = [
        (name, int(h), clustering.names[h], round(float(score), 4))
        for name, h, score in zip(documents.ids, placement.labels, placement.scores, strict=True)
    ]
    header = ("id", "cluster", "name", "score")
    if json:
        output.print_json({"labels": [dict(zip(header, row, strict=True)) for row in rows]})
    elif out is None:
        print(output.csv_text(header, rows), end="")
    if out is not None:
        from textclust.writing import write_whole

        write_whole(out, output.csv_text(header, rows))
        output.note(f"written to {out}")
