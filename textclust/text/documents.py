"""Documents, and how to read them from a folder, an archive or a table."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import BinaryIO

from textclust.errors import InputError
from textclust.text.catalogue import Catalogue, Skipped, Source, entry_of, if_any, title_of
from textclust.text.cleaning import AUTO, Cleaning, in_letters
from textclust.text.decoding import encodable
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.reading import Reading, open_documents

__all__ = ["Documents", "Skipped", "read_documents"]


@dataclass(frozen=True)
class Documents:
    """Texts with their ids and, where known, labels, dates and groups; all lists in one order.

    `labels`, `dates` and `groups` are None where no document has one; dates always have a time
    zone. `provenance` says where they were read and how, as plain data.
    """

    ids: list[str]
    texts: list[str]
    labels: list[str | None] | None = None
    dates: list[datetime | None] | None = None
    skipped: list[Skipped] = field(default_factory=list)
    provenance: dict[str, object] = field(default_factory=dict, compare=False)
    groups: list[str | None] | None = None

    def __post_init__(self) -> None:
        for name in ("texts", "labels", "dates", "groups"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.ids):
                raise InputError(f"{len(self.ids)} ids but {len(column)} {name}; give as many")

    @classmethod
    def from_reading(cls, reading: Reading) -> Documents:
        """All documents of a reading, with their texts."""
        arrived = list(reading)
        read = reading.catalogue()
        texts = [arrived[row] for row in read.rows]
        known = read.labels, read.dates, read.skipped, read.provenance
        return cls(read.ids, texts, *known, groups=read.groups)

    @classmethod
    def from_texts(cls, texts: Iterable[str], ids: Iterable[str] | None = None) -> Documents:
        """Documents from strings at hand; without ids they are numbered from 1.

        Tags, entities of HTML and accents of LaTeX in them are read as what they stand for;
        ``Documents(ids, texts)`` takes them as they are.
        """
        if isinstance(texts, str):
            raise InputError("texts is a single string; give a list of strings")
        texts = [in_letters(encodable(text)) if isinstance(text, str) else text for text in texts]
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
        return Documents(
            ids=[self.ids[i] for i in chosen],
            texts=[self.texts[i] for i in chosen],
            labels=if_any([self.labels[i] for i in chosen]) if self.labels else None,
            dates=if_any([self.dates[i] for i in chosen]) if self.dates else None,
            skipped=list(self.skipped),
            provenance=self.provenance,
            groups=if_any([self.groups[i] for i in chosen]) if self.groups else None,
        )

    def title(self, i: int) -> str:
        """The first line of document `i` that says anything, shortened; else its id."""
        return title_of(self.texts[i]) or self.ids[i]

    def reading(self) -> Reading:
        """The documents as a stream, as if they were read once more."""
        return Reading(self._source)

    def _source(self) -> Source:
        yield from self.texts
        dates = self.dates or [None] * len(self)
        return Catalogue(
            ids=self.ids,
            labels=self.labels,
            entries=list(map(entry_of, self.texts, dates)),
            rows=list(range(len(self))),
            skipped=self.skipped,
            provenance=self.provenance,
            groups=None if self.groups is None else if_any(list(map(_group, self.groups))),
        )


def _group(given: object) -> str | None:
    """The name of a group; what is missing in a column of pandas is none."""
    return None if given is None or given != given else encodable(str(given))


def read_documents(
    path: str | os.PathLike[str],
    *,
    cleaning: Cleaning = AUTO,
    text_column: str = "text",
    id_column: str | None = "id",
    label_column: str | None = "label",
    date_column: str | None = "date",
    group_column: str | None = None,
    limits: Limits = STANDARD_LIMITS,
    stream: BinaryIO | None = None,
) -> Documents:
    """Read the documents of a folder, a table or an archive.

    Parameters
    ----------
    path : a folder (each file below it is a document; the first-level folder it lies in is its
        label), a .csv .tsv .jsonl .parquet .xlsx table, an .mbox of messages, a .txt with a
        document in each line, a .zip or .tar(.gz|.bz2|.xz) of such a folder, a single .docx, .pdf,
        .html or .eml, or "-" for JSONL on standard input
    cleaning : what is taken out of each text; see `Cleaning`
    text_column, id_column, label_column, date_column : the table's columns. Only the text is
        required, and any other that is renamed here; without ids rows are numbered from 1
    group_column : of what documents have in common, such as who wrote them; see `textclust.cluster`
    limits : what a document and an archive may weigh; see `Limits`
    stream : read instead of standard input where `path` is "-"

    Files come sorted by id, rows in the order of their table. What was left out is listed in
    `skipped`; what cannot be read at all raises `InputError`.
    """
    return Documents.from_reading(
        open_documents(
            path,
            cleaning=cleaning,
            text_column=text_column,
            id_column=id_column,
            label_column=label_column,
            date_column=date_column,
            group_column=group_column,
            limits=limits,
            stream=stream,
        )
    )
