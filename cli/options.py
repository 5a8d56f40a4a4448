"""Options that several commands share, spelt once."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

__all__ = [
    "Clean",
    "DateColumn",
    "Headers",
    "Html",
    "IdColumn",
    "Json",
    "LabelColumn",
    "Model",
    "Quotes",
    "Signatures",
    "Source",
    "TextColumn",
    "Vectors",
    "load_vectors",
    "read_source",
]


class Clean(enum.StrEnum):
    """Whether a part of a document is taken out."""

    AUTO = "auto"
    STRIP = "strip"
    KEEP = "keep"


Source = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A folder, a .csv .tsv .jsonl .parquet table, a .zip or .tar.gz of a folder, "
        "or - for JSONL on standard input.",
    ),
]
Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="The --out folder of a run, or its model/ folder.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Vectors = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.npy",
        help="Ready-made vectors of the same documents, a row each, in the order of their ids.",
    ),
]
TextColumn = Annotated[str, typer.Option(help="The column of a table that holds the text.")]
IdColumn = Annotated[str, typer.Option(help="The column that holds the id.")]
LabelColumn = Annotated[str, typer.Option(help="The column that holds the known class.")]
DateColumn = Annotated[str, typer.Option(help="The column that holds the date.")]
Headers = Annotated[Clean, typer.Option(help="E-mail and newsgroup headers.")]
Signatures = Annotated[Clean, typer.Option(help="Signatures of messages.")]
Quotes = Annotated[Clean, typer.Option(help="Quoted lines of messages.")]
Html = Annotated[Clean, typer.Option(help="HTML tags.")]

_SWITCH: dict[Clean, Any] = {Clean.AUTO: "auto", Clean.STRIP: True, Clean.KEEP: False}


def read_source(
    path: str,
    *,
    text_column: str,
    id_column: str,
    label_column: str,
    date_column: str,
    headers: Clean,
    signatures: Clean,
    quotes: Clean,
    html: Clean,
) -> Any:
    """The documents of PATH, cleaned as the options say."""
    from textclust.text.cleaning import Cleaning
    from textclust.text.documents import read_documents

    cleaning = Cleaning(
        headers=_SWITCH[headers],
        signatures=_SWITCH[signatures],
        quotes=_SWITCH[quotes],
        html=_SWITCH[html],
    )
    return read_documents(
        path,
        cleaning=cleaning,
        text_column=text_column,
        id_column=id_column,
        label_column=label_column,
        date_column=date_column,
    )


def load_vectors(path: str | None) -> Any:
    """The array of a .npy file, read without unpickling anything."""
    if path is None:
        return None
    import numpy as np

    from textclust.errors import InputError

    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read as a .npy array ({reason})") from error
