"""Documents from whatever is given: a path, a table, documents, or texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from textclust.errors import InputError
from textclust.text.documents import Documents
from textclust.text.frames import is_table, listed_columns
from textclust.text.reading import Reading, open_documents

__all__ = ["SourceLike", "reading_of_source"]

# The last of these is a DataFrame, of which there are several kinds.
SourceLike = str | os.PathLike[str] | Documents | Reading | Iterable[str | None] | Any


def reading_of_source(source: SourceLike, columns: Mapping[str, str]) -> Reading:
    """The documents of a source; `columns` says where a table has their parts."""
    if isinstance(source, str | os.PathLike):
        named = {f"{name}_column": column for name, column in columns.items()}
        return open_documents(source, **named)  # type: ignore[arg-type]
    if is_table(source):
        return _documents_of(source, columns).reading()
    if columns:
        name = next(iter(columns))
        raise InputError(
            f"{name}= names a column, and there are none in what is given; leave it out"
        )
    if isinstance(source, Reading):
        return source
    documents = source if isinstance(source, Documents) else Documents.from_texts(source)
    return documents.reading()


def _documents_of(df: Any, columns: Mapping[str, str]) -> Documents:
    if "text" not in columns:
        raise InputError(
            f"say with text= which column of the DataFrame has the texts: {listed_columns(df)}"
        )
    return Documents.from_frame(df, **columns)
