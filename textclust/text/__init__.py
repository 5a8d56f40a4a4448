"""From a path, a table or texts to a stream of documents, then a CSR matrix and its vocabulary.

documents, reading        documents with their texts; the same as a stream
folders, archives, tables what a stream is read from; members, tars, zips; rows, delimited, parquet,
                          sheets, mailboxes
limits, streams,          how much is read, in pieces, from compressed files
  decompression
contents                  the text of a file, from its bytes: decoding, cleaning, messages, mime,
                          markup, entities, latex; word_files, pdf_files, and packages, the zip
                          files that some are
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

    A table has rows: its place is a function of path, name in messages and columns, and of the
    limits too where it is `limited`. An archive has members, files of a folder: the place is a
    function of path and meter. A document is one text, a page one in HTML.

    Among the files of a folder each of them is a document. Where that is more than decoding, `text`
    is a function of its bytes and the limits; it says None where they are of another kind, and
    raises `UnreadableError`. Where such a file holds several, `members` is a function of its bytes.
    """

    kind: str  # "table", "archive", "document" or "page"
    place: str = ""
    text: str = ""
    members: str = ""
    limited: bool = False


_TAR = Reader("archive", "textclust.text.tars:tar_members")
_PAGE = Reader("page")
READERS = Registry(
    "reader",
    {
        ".csv": Reader("table", "textclust.text.delimited:comma_rows"),
        ".tsv": Reader("table", "textclust.text.delimited:tab_rows"),
        ".jsonl": Reader("table", "textclust.text.rows:jsonl_file_rows"),
        ".parquet": Reader("table", "textclust.text.parquet:parquet_rows"),
        ".xlsx": Reader(
            "table",
            "textclust.text.sheets:sheet_rows",
            text="textclust.text.sheets:text_of_sheets",
            limited=True,
        ),
        ".mbox": Reader(
            "table",
            "textclust.text.mailboxes:message_rows",
            members="textclust.text.mailboxes:messages_of",
            limited=True,
        ),
        ".txt": Reader("table", "textclust.text.rows:line_rows"),
        ".zip": Reader("archive", "textclust.text.zips:zip_members"),
        ".tar": _TAR,
        ".tar.gz": _TAR,
        ".tgz": _TAR,
        ".tar.bz2": _TAR,
        ".tbz2": _TAR,
        ".tar.xz": _TAR,
        ".txz": _TAR,
        ".docx": Reader("document", text="textclust.text.word_files:text_of_docx"),
        ".pdf": Reader("document", text="textclust.text.pdf_files:text_of_pdf"),
        ".eml": Reader("document"),
        ".html": _PAGE,
        ".htm": _PAGE,
        ".xhtml": _PAGE,
    },
)


def reader_of(path: str) -> Reader | None:
    """The reader of a file, by its name; None where it is of no kind that can be read."""
    ends = [end for end in READERS if path.lower().endswith(end)]
    return READERS[max(ends, key=len)] if ends else None
