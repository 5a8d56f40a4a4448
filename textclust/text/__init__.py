"""From a path, a table or texts to a stream of documents, then a CSR matrix and its vocabulary.

documents, reading        documents with their texts; the same as a stream
folders, archives, tables what a stream is read from; members, tars, zips and rows are parts of it
limits, streams,          how much is read, in pieces, from compressed files
  decompression
contents                  the text of a file, from its bytes: decoding, cleaning, messages, mime,
                          markup, entities, latex
collector, catalogue      what is kept of each document instead of its text; names, dates
termspace                 texts to weighted rows: stopwords, analysis, counting, term_counts,
                          native_counting, choosing, weighting
labels                    labels by document id, from a CSV table

`READERS` is the one list of the kinds of file that can be read, by the end of their names.
"""

from __future__ import annotations

from dataclasses import dataclass

from textclust.registry import Registry

__all__ = ["READERS", "Reader", "reader_of"]


@dataclass(frozen=True)
class Reader:
    """How files of a kind are read.

    A table has rows: the place is a function of path, name in messages and columns. An archive has
    members, files of a folder: the place is a function of path and meter.
    """

    kind: str  # "table" or "archive"
    place: str


_TAR = Reader("archive", "textclust.text.tars:tar_members")
READERS = Registry(
    "reader",
    {
        ".csv": Reader("table", "textclust.text.rows:comma_rows"),
        ".tsv": Reader("table", "textclust.text.rows:tab_rows"),
        ".jsonl": Reader("table", "textclust.text.rows:jsonl_file_rows"),
        ".parquet": Reader("table", "textclust.text.rows:parquet_rows"),
        ".zip": Reader("archive", "textclust.text.zips:zip_members"),
        ".tar": _TAR,
        ".tar.gz": _TAR,
        ".tgz": _TAR,
        ".tar.bz2": _TAR,
        ".tbz2": _TAR,
        ".tar.xz": _TAR,
        ".txz": _TAR,
    },
)


def reader_of(path: str) -> Reader | None:
    """The reader of a file, by its name; None where it is of no kind that can be read."""
    ends = [end for end in READERS if path.lower().endswith(end)]
    return READERS[max(ends, key=len)] if ends else None
