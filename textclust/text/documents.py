"""Documents, and how to read them from a folder, an archive or a table."""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO

from textclust.display import Displayed, Sheet
from textclust.errors import InputError
from textclust.extras import imported
from textclust.plain import count
from textclust.text.catalogue import Catalogue, Skipped, Source, entry_of, if_any, title_of
from textclust.text.cleaning import AUTO, Cleaning, in_letters
from textclust.text.decoding import encodable
from textclust.text.frames import (
    Keys,
    column,
    date_of,
    id_of,
    index_of,
    is_missing,
    label_of,
    values_of,
)
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.reading import Reading, open_documents

__all__ = ["Documents", "Skipped", "read_documents"]


@dataclass(frozen=True, repr=False)
class Documents(Displayed):
    """Texts with their ids and, where known, labels, dates and groups; all lists in one order.

    `labels`, `dates` and `groups` are None where no document has one; dates always have a time
    zone. `provenance` says where they were read and how, as plain data. `ids` are texts; `keys`
    has them as they were given, where they were numbers or an index.
    """

    ids: list[str]
    texts: list[str]
    labels: list[str | None] | None = None
    dates: list[datetime | None] | None = None
    skipped: list[Skipped] = field(default_factory=list)
    provenance: dict[str, object] = field(default_factory=dict, compare=False)
    groups: list[str | None] | None = None
    keys: Keys | None = field(default=None, compare=False)

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
        return cls(read.ids, texts, *known, groups=read.groups, keys=read.keys)

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str | None],
        ids: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        dates: Iterable[object] | None = None,
        groups: Iterable[object] | None = None,
    ) -> Documents:
        """Documents from texts at hand, such as a list or a column of a DataFrame.

        Tags, entities of HTML and accents of LaTeX in them are read as what they stand for;
        ``Documents(ids, texts)`` takes them as they are.

        Parameters
        ----------
        texts : iterable of str
            One that is missing (None, NaN) counts as an empty document, and a warning says so.
        ids : iterable or None
            All different. None takes the index of a Series; without one the documents are
            numbered from 1.
        labels : iterable or None
            The known class of each; what is missing is not known.
        dates : iterable or None
            datetime, date, Timestamp, a year, or text as 2024-05-31.
        groups : iterable or None
            What documents have in common, such as who wrote them.

        Examples
        --------
        >>> import textclust as tc
        >>> tc.Documents.from_texts(["red", "blue"], dates=["2024-05-31", None]).dates[0].year
        2024
        """
        if isinstance(texts, str | bytes):
            raise InputError("texts is a single string; give a list of strings")
        if isinstance(texts, Mapping):
            raise InputError("texts is a dict; give its values, and its keys as ids=")
        index = index_of(texts)
        values = values_of(texts)
        if ids is None and index is None:
            names, keys = [str(number) for number in range(1, len(values) + 1)], None
        else:
            given = values_of(index if ids is None else ids)
            names = [id_of(value) for value in given]
            _refuse_repeated(names, of_index=ids is None)
            as_text = index is None and all(isinstance(value, str) for value in given)
            keys = None if as_text else Keys(given, index)
        _refuse_other_lengths(len(values), ids=names, labels=labels, dates=dates, groups=groups)
        absent = [name for name, value in zip(names, values, strict=True) if is_missing(value)]
        if absent:
            warnings.warn(
                f"{len(absent)} of {len(values)} texts are missing and count as empty documents; "
                f"the first is that of {absent[0][:80]!r}",
                stacklevel=2,
            )
        return cls(
            ids=names,
            texts=[_text(name, value) for name, value in zip(names, values, strict=True)],
            labels=None if labels is None else if_any([label_of(v) for v in values_of(labels)]),
            dates=None if dates is None else if_any(list(map(date_of, values_of(dates), names))),
            groups=None if groups is None else if_any([label_of(v) for v in values_of(groups)]),
            provenance={"missing_texts": len(absent)} if absent else {},
            keys=keys,
        )

    @classmethod
    def from_frame(
        cls,
        df: Any,
        text: str = "text",
        id: str | None = None,  # noqa: A002 - as the column is called everywhere
        label: str | None = None,
        date: str | None = None,
        group: str | None = None,
    ) -> Documents:
        """Documents from the columns of a DataFrame of pandas, polars or pyarrow.

        The parameters are the names of columns; without `id` the documents are called as the
        index has them, and numbered from 1 where there is no index.
        """
        named = {"ids": id, "labels": label, "dates": date, "groups": group}
        texts = column(df, text, "text")
        others = {
            name: column(df, chosen, name.removesuffix("s"))
            for name, chosen in named.items()
            if chosen is not None
        }
        return cls.from_texts(texts, **others)

    def to_frame(self) -> Any:
        """A pandas DataFrame of the texts, and of the labels, groups and dates there are, by id."""
        pandas = imported("pandas", "pandas", "a DataFrame")
        columns = {
            "text": self.texts,
            **({} if self.labels is None else {"label": self.labels}),
            **({} if self.groups is None else {"group": self.groups}),
            **({} if self.dates is None else {"date": pandas.to_datetime(self.dates, utc=True)}),
        }
        index = None if self.keys is None else self.keys.index
        if index is None:
            given = self.ids if self.keys is None else self.keys.ids
            index = pandas.Index(given, name="id")
        return pandas.DataFrame(columns, index=index)

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
            keys=None if self.keys is None else self.keys.select(chosen),
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
            groups=None if self.groups is None else if_any(list(map(label_of, self.groups))),
            keys=self.keys,
        )

    def _sheet(self) -> Sheet:
        columns: dict[str, Any] = {"label": self.labels, "date": self.dates}
        known = {name: values for name, values in columns.items() if values is not None}
        shown = range(min(len(self), 5))
        return Sheet(
            title=f"Documents: {count(len(self), 'text')}",
            head=["id", *known, "title"],
            rows=[
                [self.ids[i], *(values[i] for values in known.values()), self.title(i)]
                for i in shown
            ],
            total=len(self),
            note=f"{count(len(self.skipped), 'file')} left out" if self.skipped else "",
        )


def _refuse_repeated(names: Sequence[str], of_index: bool) -> None:
    repeated = [name for name, many in Counter(names).items() if many > 1]
    if not repeated:
        return
    name = repr(repeated[0][:80])
    if not of_index:
        raise InputError(f"id {name} is given twice; ids must differ")
    raise InputError(
        f"{name} is twice in the index; ids must differ: reset_index(drop=True) numbers the rows "
        "anew, and id= names a column of ids"
    )


def _refuse_other_lengths(n: int, **columns: Any) -> None:
    for name, given in columns.items():
        if given is not None and hasattr(given, "__len__") and len(given) != n:
            raise InputError(f"{len(given)} {name} but {n} texts; give as many")


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return in_letters(encodable(value))
    if is_missing(value):
        return ""
    kind = type(value).__name__
    raise InputError(f"the text of {name[:80]!r} is not text but {kind}; give strings")


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
