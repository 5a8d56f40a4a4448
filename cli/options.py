"""Options that several commands share, spelt once."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from functools import partial
from inspect import Parameter
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from .added_options import WithOptions, typed_parameters
from .declared import Argument, Option

if TYPE_CHECKING:
    from textclust.geometry.affine import Array
    from textclust.result.clustering import Clustering
    from textclust.text.cleaning import Cleaning, Switch
    from textclust.text.folders import LeaveOut
    from textclust.text.limits import Limits
    from textclust.text.reading import Reading
    from textclust.text.splitting import ReadingSettings
    from textclust.text.termspace import TermSpace

__all__ = [
    "Background",
    "Clean",
    "CsvFormulas",
    "Decode",
    "Embed",
    "EmbedWeight",
    "Formulas",
    "Json",
    "Keep",
    "Model",
    "Out",
    "RandomState",
    "Read",
    "Seeds",
    "Source",
    "TermWeighting",
    "Terms",
    "Vectors",
    "Weighting",
    "Words",
    "are_kept",
    "choices",
    "cleaned_like",
    "counting",
    "load_vectors",
    "reading",
    "reading_settings",
    "share",
    "term_space",
    "weighting_of",
]


class Clean(enum.StrEnum):
    """Whether a part of a document is taken out."""

    AUTO = "auto"
    STRIP = "strip"
    KEEP = "keep"


class Decode(enum.StrEnum):
    """Whether letters that are spelt out are read as what they stand for."""

    AUTO = "auto"
    DECODE = "decode"
    KEEP = "keep"


class Formulas(enum.StrEnum):
    """What becomes of cells in CSV that a spreadsheet would run."""

    QUOTE = "quote"
    KEEP = "keep"


class Weighting(enum.StrEnum):
    """How often a term occurs in a document, f, as its weight before IDF."""

    LOG = "log"
    TF = "tf"
    BINARY = "binary"


Source = Annotated[
    str,
    Argument(
        metavar="PATH",
        help="A folder, a .csv .tsv .jsonl .parquet .xlsx table, an .mbox, a .txt with a document "
        "in each line, a .zip or .tar.gz of a folder, or - for JSONL on standard input.",
    ),
]
Model = Annotated[
    str, Argument(metavar="MODEL", help="The --out folder of a run, or its model/ folder.")
]
Seeds = Annotated[
    Path | None, Option(help="A CSV table id,label of documents whose class is known.")
]
Background = Annotated[
    Path | None,
    Option(
        help="Older documents whose classes are known: folders, a labelled table, or the "
        "--out folder of an earlier run."
    ),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")]
Vectors = Annotated[
    str | None,
    Option(
        metavar="FILE.npy",
        help="Ready-made vectors, a row for each document: files in the order of their ids, rows "
        "of a table in theirs.",
    ),
]
Embed = Annotated[
    str,
    Option(
        metavar="off|auto|MODEL",
        help="Dense vectors beside the terms, for short texts: auto is the model of "
        "textclust[embed], or --vectors; MODEL is the folder of a static model, or "
        "st:NAME-OR-FOLDER of sentence-transformers.",
    ),
]
EmbedWeight = Annotated[
    str,
    Option(
        metavar="auto|SHARE",
        help="How much the vectors count, from 0 (terms alone) to 1 (vectors alone); auto chooses "
        "by evidence.",
    ),
]
Out = Annotated[
    Path | None,
    Option(
        help="A folder for labels.csv, clusters.json, model/, report.html and run.json; "
        "or a .csv file, for the labels alone. Only results of an earlier run are replaced."
    ),
]
Keep = Annotated[
    bool,
    Option(
        "--keep",
        help="Keep the results that are replaced, in history/ beside the new ones; "
        "textclust history lists them.",
    ),
]
CsvFormulas = Annotated[
    Formulas,
    Option(
        "--csv-formulas",
        help="What to do with ids and names that a spreadsheet would run, because they begin with "
        "= + - or @: quote puts a ' before them, keep leaves them as they are. "
        "textclust reads both.",
    ),
]
RandomState = Annotated[int, Option(min=0, max=2**32 - 1, help="Makes runs repeatable.")]
Terms = Annotated[int, Option(min=1, help="How many terms to show.")]
Language = Annotated[
    str, Option(help="The language of the texts, for stop words and stems, or none.")
]
StopWords = Annotated[
    str | None,
    Option(
        metavar="FILE|LANGUAGE|none",
        help="Words to leave out: a file with one in a line, a language, or none; by default those "
        "of --language.",
    ),
]
Stem = Annotated[
    bool,
    Option("--stem", help="Count words by their stems, so that cluster and clusters are one term."),
]
Ngrams = Annotated[int, Option(min=1, help="Count runs of up to so many words.")]
MinDf = Annotated[
    int | None, Option(min=1, help="Leave out terms that are in fewer documents than this.")
]
MaxDf = Annotated[
    float,
    Option(
        min=0.0, max=1.0, help="Leave out terms that are in more than this share of the documents."
    ),
]
MaxFeatures = Annotated[
    int | None, Option(min=1, help="Keep at most so many terms: those in the most documents.")
]
Numbers = Annotated[
    bool, Option("--numbers/--no-numbers", help="Whether digits alone can be a term.")
]
TokenPattern = Annotated[
    str | None,
    Option(metavar="REGEX", help="What counts as a word; if it has a group, the group does."),
]
TermWeighting = Annotated[
    Weighting | None,
    Option(
        "--weighting",
        help="What a term weighs that occurs f times in a document: 1 + log2 f (log), f as in Basu "
        "2005 (tf), or 1 (binary).",
    ),
]
TextColumn = Annotated[str, Option(help="The column of a table that holds the text.")]
IdColumn = Annotated[str, Option(help="The column that holds the id.")]
LabelColumn = Annotated[str, Option(help="The column that holds the known class.")]
DateColumn = Annotated[str, Option(help="The column that holds the date.")]
LargestDocument = Annotated[
    float, Option(metavar="MIB", help="Leave out documents larger than this.")
]
Expansion = Annotated[
    int, Option(min=1, help="Refuse an archive that unpacks to more than so many times its size.")
]
NameLength = Annotated[
    int, Option(min=1, help="Refuse a table with an id or label longer than so many characters.")
]
Headers = Annotated[Clean, Option(help="What to do with headers of mail and news.")]
Signatures = Annotated[Clean, Option(help="What to do with signatures of messages.")]
Quotes = Annotated[Clean, Option(help="What to do with quoted lines of messages.")]
Html = Annotated[Clean, Option(help="What to do with HTML tags.")]

Entities = Annotated[Decode, Option(help="What to do with characters spelt as entities of HTML.")]
Latex = Annotated[
    Decode, Option(help="What to do with accents spelt as in LaTeX, such as Poincar\\'e.")
]

_SWITCH: dict[str, Switch] = {"auto": "auto", "strip": True, "decode": True, "keep": False}
_SWITCHES = {
    **dict.fromkeys(("headers", "signatures", "quotes", "html"), Clean),
    **dict.fromkeys(("entities", "latex"), Decode),
}


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
    entities: Entities = Decode.AUTO,
    latex: Latex = Decode.AUTO,
    largest_document: LargestDocument = 64,
    expansion: Expansion = 100,
    name_length: NameLength = 10_000,
) -> Reading:
    """The documents of PATH, cleaned as the options say."""
    from textclust.text.reading import open_documents

    return open_documents(
        path,
        cleaning=_cleaning(headers, signatures, quotes, html, entities, latex),
        text_column=text_column,
        id_column=id_column,
        label_column=label_column,
        date_column=date_column,
        limits=_limits(largest_document, expansion, name_length),
        leave_out=leave_out,
        group_column=group_column,
    )


def _limits(largest_document: float, expansion: int, name_length: int) -> Limits:
    """What a document and an archive may weigh."""
    from textclust.errors import InputError
    from textclust.text.limits import MIB, Limits

    if not 0 < largest_document < inf:
        raise InputError(f"--largest-document must be more than 0; got {largest_document:g}")
    return Limits(int(largest_document * MIB), name_length, expansion)


def _cleaning(*choices: str) -> Cleaning:
    """The switches by the options, in their order."""
    from textclust.text.cleaning import Cleaning

    return Cleaning(**{name: _SWITCH[each] for name, each in zip(_SWITCHES, choices, strict=True)})


def reading_settings(read: Read) -> ReadingSettings:
    """The options of `read_source`, for pieces that are read elsewhere."""
    from textclust.text.rows import Columns
    from textclust.text.splitting import ReadingSettings

    given = read.keywords
    switches = (given[name] for name in _SWITCHES)
    columns = (given[f"{name}_column"] for name in ("text", "id", "label", "date"))
    limits = (given[name] for name in ("largest_document", "expansion", "name_length"))
    return ReadingSettings(_cleaning(*switches), Columns(*columns), _limits(*limits))


def term_space(
    *,
    language: Language = "english",
    stop_words: StopWords = None,
    stem: Stem = False,
    ngrams: Ngrams = 1,
    min_df: MinDf = None,
    max_df: MaxDf = 0.95,
    max_features: MaxFeatures = None,
    numbers: Numbers = True,
    token_pattern: TokenPattern = None,
    weighting: Weighting = Weighting.LOG,
    use_idf: bool = True,
) -> TermSpace:
    """The vectorizer that the options describe; the last two come from the command."""
    from textclust.errors import InputError
    from textclust.text.analysis import TOKEN_PATTERN
    from textclust.text.termspace import TermSpace

    if stem and language == "none":
        raise InputError("--stem needs a language; name it with --language")
    stopped = language if stop_words is None else stop_words
    return TermSpace(
        stop_words=None if stopped == "none" else stopped,
        stem=(True if stop_words is None else language) if stem else None,
        ngram_range=(1, ngrams),
        min_df="auto" if min_df is None else min_df,
        max_df=max_df,
        max_features=max_features,
        numbers=numbers,
        token_pattern=TOKEN_PATTERN if token_pattern is None else token_pattern,
        sublinear_tf=weighting is Weighting.LOG,
        binary=weighting is Weighting.BINARY,
        use_idf=use_idf,
    )


def are_kept(formulas: Formulas) -> bool:
    """Whether cells that a spreadsheet would run are written as they are."""
    return formulas is Formulas.KEEP


def weighting_of(given: Weighting | None, as_published: bool) -> Weighting:
    """How terms are weighted where that is not said."""
    return given or (Weighting.TF if as_published else Weighting.LOG)


Read = partial["Reading"]
Words = partial["TermSpace"]


def reading(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of `read_source`, and hand it `read`, which knows their values."""
    return WithOptions(command, "read", _of_reading, lambda values: partial(read_source, **values))


def counting(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `term_space`, and hand it `words`, which knows their values."""
    return WithOptions(command, "words", _of_words, lambda values: partial(term_space, **values))


def _of_reading() -> list[Parameter]:
    """The options of `read_source`."""
    return [each for each in typed_parameters(read_source) if each.kind is each.KEYWORD_ONLY]


def _of_words() -> list[Parameter]:
    """The options of `term_space`."""
    own = ("weighting", "use_idf")
    return [each for each in typed_parameters(term_space) if each.name not in own]


def cleaned_like(clustering: Clustering, read: Read) -> Read:
    """`read`, with every switch that is left on auto as it was for the clustered documents."""
    used = clustering.settings.get("collection", {}).get("cleaning", {})
    open_ones = [name for name in used if read.keywords[name] == Clean.AUTO]
    return partial(read, **{name: _choice(_SWITCHES[name], used[name]) for name in open_ones})


def _choice(kind: type[enum.StrEnum], value: Switch) -> enum.StrEnum:
    """The choice that stands for a value."""
    return next(each for each in kind if _SWITCH[each] == value)


def load_vectors(path: str, n: int) -> Array:
    """The n rows of numbers in a .npy file, read without unpickling anything."""
    import numpy as np

    from textclust.array_files import array_in
    from textclust.errors import InputError
    from textclust.regular_files import open_regular

    try:
        with open_regular(path) as file:
            array = array_in(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read as a .npy array ({reason})") from error
    if array.ndim != 2 or array.dtype.kind not in "fiu":
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


def share(given: str) -> float | str:
    """The number that --embed-weight stands for."""
    from textclust.errors import InputError

    if given == "auto":
        return given
    try:
        return float(given)
    except ValueError:
        raise InputError(f"--embed-weight must be auto or a number; got {given}") from None


def choices(name: str, names: Iterable[str]) -> Any:
    """A type for an option that is one of the names in a registry."""
    return enum.StrEnum(name, {each.upper().replace("-", "_"): each for each in names})
