"""Options that several commands share, spelt once."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .added_options import WithOptions, typed_parameters

if TYPE_CHECKING:
    from textclust.geometry.affine import Array
    from textclust.result.clustering import Clustering
    from textclust.text.cleaning import Cleaning, Switch
    from textclust.text.folders import LeaveOut
    from textclust.text.reading import Reading
    from textclust.text.splitting import ReadingSettings
    from textclust.text.termspace import TermSpace

__all__ = [
    "Background",
    "Clean",
    "Json",
    "Language",
    "MaxDf",
    "MinDf",
    "Model",
    "Ngrams",
    "Out",
    "RandomState",
    "Read",
    "Seeds",
    "Source",
    "Stem",
    "TermWeighting",
    "Terms",
    "Vectors",
    "Weighting",
    "choices",
    "cleaned_like",
    "load_vectors",
    "reading",
    "reading_settings",
    "term_space",
]


class Clean(enum.StrEnum):
    """Whether a part of a document is taken out."""

    AUTO = "auto"
    STRIP = "strip"
    KEEP = "keep"


class Weighting(enum.StrEnum):
    """How often a term occurs in a document, f, as its weight before IDF."""

    LOG = "log"
    TF = "tf"


Source = Annotated[
    str,
    typer.Argument(
        metavar="PATH",
        help="A folder, a .csv .tsv .jsonl .parquet .xlsx table, an .mbox, a .txt with a document "
        "in each line, a .zip or .tar.gz of a folder, or - for JSONL on standard input.",
    ),
]
Model = Annotated[
    str, typer.Argument(metavar="MODEL", help="The --out folder of a run, or its model/ folder.")
]
Seeds = Annotated[
    Path | None, typer.Option(help="A CSV table id,label of documents whose class is known.")
]
Background = Annotated[
    Path | None,
    typer.Option(
        help="Older documents whose classes are known: folders, a labelled table, or the "
        "--out folder of an earlier run."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Vectors = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.npy",
        help="Ready-made vectors of the documents: a row each, files by id, table rows in order.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="A folder for labels.csv, clusters.json, model/, report.html and run.json; "
        "or a .csv file, for the labels alone. Only results of an earlier run are replaced."
    ),
]
RandomState = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Makes runs repeatable.")]
Terms = Annotated[int, typer.Option(min=1, help="How many terms to show.")]
Language = Annotated[str, typer.Option(help="The language of the stop words, or none.")]
Stem = Annotated[bool, typer.Option("--stem", help="Count words by their stems.")]
Ngrams = Annotated[int, typer.Option(min=1, help="The longest run of words to count.")]
MinDf = Annotated[int | None, typer.Option(min=1, help="Leave out terms in fewer documents.")]
MaxDf = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="Leave out terms in a larger share of them.")
]
TermWeighting = Annotated[
    Weighting | None,
    typer.Option("--weighting", help="Term frequencies: 1 + log2 f, or f itself as in Basu 2005."),
]
TextColumn = Annotated[str, typer.Option(help="The column of a table that holds the text.")]
IdColumn = Annotated[str, typer.Option(help="The column that holds the id.")]
LabelColumn = Annotated[str, typer.Option(help="The column that holds the known class.")]
DateColumn = Annotated[str, typer.Option(help="The column that holds the date.")]
Headers = Annotated[Clean, typer.Option(help="E-mail and newsgroup headers.")]
Signatures = Annotated[Clean, typer.Option(help="Signatures of messages.")]
Quotes = Annotated[Clean, typer.Option(help="Quoted lines of messages.")]
Html = Annotated[Clean, typer.Option(help="HTML tags.")]

_SWITCH: dict[Clean, Switch] = {Clean.AUTO: "auto", Clean.STRIP: True, Clean.KEEP: False}


def read_source(
    path: str,
    leave_out: LeaveOut | None = None,
    group_column: str | None = None,
    *,
    text_column: TextColumn = "text",
    id_column: IdColumn = "id",
    label_column: LabelColumn = "label",
    date_column: DateColumn = "date",
    headers: Headers = Clean.AUTO,
    signatures: Signatures = Clean.AUTO,
    quotes: Quotes = Clean.AUTO,
    html: Html = Clean.AUTO,
) -> Reading:
    """The documents of PATH, cleaned as the options say."""
    from textclust.text.reading import open_documents

    return open_documents(
        path,
        cleaning=_cleaning(headers, signatures, quotes, html),
        text_column=text_column,
        id_column=id_column,
        label_column=label_column,
        date_column=date_column,
        leave_out=leave_out,
        group_column=group_column,
    )


def _cleaning(headers: Clean, signatures: Clean, quotes: Clean, html: Clean) -> Cleaning:
    from textclust.text.cleaning import Cleaning

    return Cleaning(*(_SWITCH[switch] for switch in (headers, signatures, quotes, html)))


def reading_settings(read: Read) -> ReadingSettings:
    """The options of `read_source`, for pieces that are read elsewhere."""
    from textclust.text.rows import Columns
    from textclust.text.splitting import ReadingSettings

    given = read.keywords
    switches = (given[name] for name in ("headers", "signatures", "quotes", "html"))
    columns = (given[f"{name}_column"] for name in ("text", "id", "label", "date"))
    return ReadingSettings(_cleaning(*switches), Columns(*columns))


def term_space(
    language: str,
    stem: bool,
    ngrams: int,
    min_df: int | None,
    max_df: float,
    plain_tf: bool = False,
    use_idf: bool = True,
) -> TermSpace:
    """The vectorizer that the options describe."""
    from textclust.errors import InputError
    from textclust.text.termspace import TermSpace

    if stem and language == "none":
        raise InputError("--stem needs a language; name it with --language")
    return TermSpace(
        stop_words=None if language == "none" else language,
        stem=True if stem else None,
        ngram_range=(1, ngrams),
        min_df="auto" if min_df is None else min_df,
        max_df=max_df,
        sublinear_tf=not plain_tf,
        use_idf=use_idf,
    )


Read = partial["Reading"]


def reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of `read_source`, and hand it `read`, which knows their values."""
    return WithOptions(command, "read", _of_reading, lambda values: partial(read_source, **values))


def _of_reading() -> list[Parameter]:
    """The options of `read_source`."""
    return [each for each in typed_parameters(read_source) if each.kind is each.KEYWORD_ONLY]


def cleaned_like(clustering: Clustering, read: Read) -> Read:
    """`read`, with every switch that is left on auto as it was for the clustered documents."""
    used = clustering.settings.get("collection", {}).get("cleaning", {})
    choices = {value: choice for choice, value in _SWITCH.items()}
    open_ones = [name for name in used if read.keywords[name] is Clean.AUTO]
    return partial(read, **{name: choices[used[name]] for name in open_ones})


def load_vectors(path: str, n: int) -> Array:
    """The n rows of numbers in a .npy file, read without unpickling anything."""
    import numpy as np

    from textclust.errors import InputError

    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read as a .npy array ({reason})") from error
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(f"{path}: not a table of numbers; save one array of a row per document")
    if len(array) != n or not array.shape[1]:
        raise InputError(
            f"{path}: {array.shape[0]} rows of {array.shape[1]} numbers for {n} documents; "
            "give a row for each, in their order"
        )
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise InputError(
            f"{path}: row {row + 1} has a value that is not a finite number; correct it"
        )
    return array


def choices(name: str, names: Iterable[str]) -> Any:
    """A type for an option that is one of the names in a registry."""
    return enum.StrEnum(name, {each.upper().replace("-", "_"): each for each in names})
