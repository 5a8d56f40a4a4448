"""Documents, and how to read them from a folder, an archive or a table."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, BinaryIO, TypeVar

from textclust.errors import InputError
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.decoding import encodable
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.names import readable

__all__ = ["Documents", "Skipped", "read_documents"]

T = TypeVar("T")

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_ACCEPTED = (
    "give a folder, a table (.csv, .tsv, .jsonl, .parquet), an archive of a folder"
    " (.zip, .tar, .tar.gz, .tar.bz2, .tar.xz), or - for JSONL on standard input"
)
_TITLE_LENGTH = 80


@dataclass(frozen=True)
class Skipped:
    """A file that was left out, and why."""

    name: str
    reason: str


@dataclass(frozen=True)
class Documents:
    """Texts with their ids and, where known, labels and dates; all lists in one order.

    `labels` and `dates` are None where no document has one; dates always have a time zone.
    `provenance` says where they were read and how, as plain data.
    """

    ids: list[str]
    texts: list[str]
    labels: list[str | None] | None = None
    dates: list[datetime | None] | None = None
    skipped: list[Skipped] = field(default_factory=list)
    provenance: dict[str, Any] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        for name in ("texts", "labels", "dates"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.ids):
                raise InputError(f"{len(self.ids)} ids but {len(column)} {name}; give as many")

    @classmethod
    def from_columns(
        cls,
        ids: list[str],
        texts: list[str],
        labels: list[str | None],
        dates: list[datetime | None],
        skipped: list[Skipped],
    ) -> Documents:
        """Documents whose labels or dates are None altogether where each of them is."""
        return cls(ids, texts, _if_any(labels), _if_any(dates), skipped)

    @classmethod
    def from_texts(cls, texts: Iterable[str], ids: Iterable[str] | None = None) -> Documents:
        """Documents from strings at hand; without ids they are numbered from 1."""
        if isinstance(texts, str):
            raise InputError("texts is a single string; give a list of strings")
        texts = [encodable(text) if isinstance(text, str) else text for text in texts]
        ids = [str(i) for i in range(1, len(texts) + 1)] if ids is None else list(ids)
        repeated = [name for name, count in Counter(ids).items() if count > 1]
        if repeated:
            raise InputError(f"id {repeated[0]!r} is given twice; ids must differ")
        return cls(ids, texts)

    def __len__(self) -> int:
        return len(self.ids)

    def select(self, indices: Iterable[int]) -> Documents:
        """The documents at `indices`, in that order."""
        chosen = list(indices)
        selected = Documents.from_columns(
            ids=[self.ids[i] for i in chosen],
            texts=[self.texts[i] for i in chosen],
            labels=[self.labels[i] for i in chosen] if self.labels else [],
            dates=[self.dates[i] for i in chosen] if self.dates else [],
            skipped=list(self.skipped),
        )
        return replace(selected, provenance=self.provenance)

    def title(self, i: int) -> str:
        """The first line of document `i` that says anything, shortened; else its id."""
        line = self.texts[i].lstrip().partition("\n")[0]
        return _shortened(" ".join(line.split())) or self.ids[i]


def read_documents(
    path: str | os.PathLike[str],
    *,
    cleaning: Cleaning = AUTO,
    text_column: str = "text",
    id_column: str | None = "id",
    label_column: str | None = "label",
    date_column: str | None = "date",
    limits: Limits = STANDARD_LIMITS,
    stream: BinaryIO | None = None,
) -> Documents:
    """Read the documents of a folder, a table or an archive.

    Parameters
    ----------
    path : a folder (each file below it is a document; the first-level folder it lies in is its
        label), a .csv .tsv .jsonl .parquet table, a .zip or .tar(.gz|.bz2|.xz) of such a folder,
        or "-" for JSONL on standard input
    cleaning : what is taken out of each text; see `Cleaning`
    text_column, id_column, label_column, date_column : the table's columns. Only the text is
        required, and any other that is renamed here; without ids rows are numbered from 1
    limits : what a document and an archive may weigh; see `Limits`
    stream : read instead of standard input where `path` is "-"

    Files come sorted by id, rows in the order of their table. What was left out is told in
    `skipped`; what cannot be read at all raises `InputError`.
    """
    from textclust.text.tables import Columns, read_standard_input, read_table

    columns = Columns(text_column, id_column, label_column, date_column)
    where = readable(os.fsencode(path))
    try:
        if where == "-":
            where = "standard input"
            documents = read_standard_input(stream, columns, cleaning)
        elif _is_folder(path, where):
            from textclust.text.folders import read_folder

            documents = read_folder(os.fspath(path), cleaning, limits)
        elif where.lower().endswith(_TABLES):
            documents = read_table(os.fspath(path), where, columns, cleaning)
        else:
            from textclust.text.archives import read_archive

            documents = read_archive(os.fspath(path), where, cleaning, limits)
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror or error})") from error
    how = {"source": where, "cleaning": asdict(cleaning), "columns": asdict(columns)}
    return replace(_some(documents, where), provenance=how)


def _is_folder(path: str | os.PathLike[str], where: str) -> bool:
    """Whether `path` is a folder; an error unless it is one or a file we can read."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"{where}: no such file or folder; check the path") from None
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise InputError(f"{where}: neither a file nor a folder; {_ACCEPTED}")
    if stat.S_ISREG(mode) and not where.lower().endswith(_TABLES + _ARCHIVES):
        raise InputError(f"{where}: not a kind of file that can be read; {_ACCEPTED}")
    return stat.S_ISDIR(mode)


def _some(documents: Documents, where: str) -> Documents:
    if documents.ids:
        return documents
    reasons = Counter(skipped.reason for skipped in documents.skipped).most_common()
    told = ", ".join(f"{count} {reason}" for reason, count in reasons)
    left_out = f"; {len(documents.skipped)} left out ({told})" if told else ""
    raise InputError(f"{where}: no documents found{left_out}; check that this is the right path")


def _if_any(values: Sequence[T | None]) -> list[T | None] | None:
    return list(values) if any(value is not None for value in values) else None


def _shortened(line: str) -> str:
    if len(line) <= _TITLE_LENGTH:
        return line
    cut = line[: _TITLE_LENGTH - 1]
    return (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip() + "…"
