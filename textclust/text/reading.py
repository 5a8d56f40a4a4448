"""A collection as a stream: its texts are read one at a time and need not be kept."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

from textclust.errors import InputError
from textclust.text import READERS, reader_of
from textclust.text.archives import read_archive
from textclust.text.catalogue import Catalogue, Source
from textclust.text.cleaning import AUTO, Cleaning
from textclust.text.folders import LeaveOut, read_document, read_folder
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.names import readable
from textclust.text.rows import Columns
from textclust.text.tables import read_standard_input, read_table

__all__ = ["NothingToReadError", "Reading", "open_documents", "reading_of"]


class NothingToReadError(InputError):
    """A path can be read, and there is no document in it."""


class Reading:
    """The texts of a collection, each once and in the order they arrive.

    `catalogue` has everything else about them, once they have all been read.
    """

    def __init__(self, open_source: Callable[[], Source], where: str = "documents") -> None:
        self._open_source, self._where = open_source, where
        self._catalogue: Catalogue | None = None
        self._texts: Iterator[str] = self._noting(open_source())

    def __iter__(self) -> Iterator[str]:
        return self._texts

    def __repr__(self) -> str:
        return f"<Reading of {self._where}: its texts, one at a time>"

    def begun(self) -> Reading:
        """The same with the first text read: what is packed is unpacked ahead from now on."""
        self._texts = chain(list(islice(self._texts, 1)), self._texts)
        return self

    def catalogue(self) -> Catalogue:
        """Everything but the texts; those that have not been read yet are read and dropped."""
        for _ in self._texts:
            pass
        if self._catalogue is None:
            raise InputError("the reading was broken off; open the documents again")
        return self._catalogue

    def without_replaced(self) -> Reading:
        """The same once more, without the texts of files that a later one replaced."""
        catalogue = self.catalogue()
        return Reading(lambda: _kept(self._open_source(), catalogue), self._where)

    def _noting(self, source: Source) -> Iterator[str]:
        self._catalogue = yield from source


def open_documents(
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
    leave_out: LeaveOut | None = None,
) -> Reading:
    """Read the documents of a folder, a table or an archive one at a time, keeping no text.

    Parameters
    ----------
    leave_out : given the names of all files below a folder, the beginnings of the names of those
        that are none of its documents

    The other parameters are those of `read_documents`. What cannot be read raises `InputError`, at
    once or when the reading comes to it.

    Examples
    --------
    >>> import textclust as tc
    >>> reading = tc.open_documents(tc.corpora.path("newsgroups"))
    >>> max(len(text) for text in reading)
    1236
    >>> reading.catalogue().ids[0]
    'rec.bicycles/10204'
    """
    columns = Columns(text_column, id_column, label_column, date_column, group_column)
    where = readable(os.fsencode(path))
    source: Callable[[], Source]
    with _naming(where):
        if where == "-":
            where = "standard input"
            source = partial(read_standard_input, stream, columns, cleaning, limits)
        elif _is_folder(path, where):
            if group_column is not None:
                raise InputError(
                    f"{where}: a folder has no columns; leave group_column out, or give a table"
                )
            source = partial(read_folder, os.fspath(path), cleaning, limits, leave_out)
        elif _kind(where) == "table":
            source = partial(read_table, os.fspath(path), where, columns, cleaning, limits)
        elif _kind(where) == "archive":
            source = partial(read_archive, os.fspath(path), where, cleaning, limits)
        else:
            source = partial(read_document, os.fspath(path), where, cleaning, limits)
    return reading_of(source, where, cleaning, columns)


def reading_of(
    source: Callable[[], Source], where: str, cleaning: Cleaning, columns: Columns
) -> Reading:
    """A source as a reading; its catalogue says how it was read."""
    settings = {"cleaning": asdict(cleaning), "columns": asdict(columns)}
    return Reading(lambda: _recorded(source(), where, settings), where)


def _recorded(source: Source, where: str, settings: Mapping[str, object]) -> Source:
    """The same source, its catalogue with a record of how it was read."""
    with _naming(where):
        catalogue = yield from source
    if not catalogue.ids:
        raise NothingToReadError(_nothing(catalogue, where))
    return replace(catalogue, provenance={"source": where, **settings})


def _kept(source: Source, catalogue: Catalogue) -> Source:
    """Of all that arrive only the texts in the catalogue."""
    kept = sorted(catalogue.rows)
    place = {row: i for i, row in enumerate(kept)}
    for row, text in enumerate(source):
        if row in place:
            yield text
    return replace(catalogue, rows=[place[row] for row in catalogue.rows])


@contextmanager
def _naming(where: str) -> Iterator[None]:
    """An error of the system is an InputError that names what could not be read."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{where}: cannot be read ({error.strerror or error})") from error


def _is_folder(path: str | os.PathLike[str], where: str) -> bool:
    """Whether `path` is a folder; an error unless it is one or a file we can read."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"{where}: no such file or folder; check the path") from None
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise InputError(f"{where}: neither a file nor a folder; {_accepted()}")
    if stat.S_ISREG(mode) and _kind(where) is None:
        raise InputError(f"{where}: not a kind of file that can be read; {_accepted()}")
    return stat.S_ISDIR(mode)


def _kind(where: str) -> str | None:
    reader = reader_of(where)
    return None if reader is None else reader.kind


def _accepted() -> str:
    """What can be read, for a message."""
    tables, archives, documents = (
        ", ".join(end for end in READERS if READERS[end].kind in kinds)
        for kinds in (("table",), ("archive",), ("document", "page"))
    )
    return (
        f"give a folder, a table ({tables}), an archive of a folder ({archives}), a document "
        f"({documents}), or - for JSONL on standard input"
    )


def _nothing(catalogue: Catalogue, where: str) -> str:
    reasons = Counter(skipped.reason for skipped in catalogue.skipped).most_common()
    listed = ", ".join(f"{count} {reason}" for reason, count in reasons)
    left_out = f"; {len(catalogue.skipped)} left out ({listed})" if listed else ""
    return f"{where}: no documents found{left_out}; check that this is the right path"
