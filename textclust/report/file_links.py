"""Which documents of the page are files, and how a link leads to them from where the page lies."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

from textclust.report.elements import Markup, data
from textclust.result.clustering import Clustering
from textclust.text.names import points_outside
from textclust.writing import final_place

__all__ = ["FileLinks", "file_links"]

# What a browser or a desktop would run or follow: no document is trusted so far.
_RUN = {"htm", "html", "shtml", "xht", "xhtml", "mht", "mhtml", "svg", "svgz", "xml", "xsl", "xslt"}
_RUN |= {"js", "mjs", "hta", "swf", "url", "website", "webloc", "desktop", "lnk"}


@dataclass(frozen=True)
class FileLinks:
    """The folder of the documents as an address relative to the page, and those without a file."""

    folder: str
    without: list[int]  # places in the table

    @property
    def data(self) -> Markup:
        """What the script reads."""
        return data({"folder": self.folder, "without": self.without})


def file_links(
    clustering: Clustering, page: str | os.PathLike[str], rows: Sequence[int], ids: Sequence[str]
) -> FileLinks | None:
    """Where the documents of these rows, which are shown with these ids, can be opened.

    None where they did not come from a folder, or none of their files is there. A document is
    linked where its id, shown as it is, is the path of a file that is there now.
    """
    source = (clustering.settings.get("collection") or {}).get("source")
    if not isinstance(source, str) or not os.path.isdir(source):
        return None
    folder = _relative(source, final_place(page).parent)
    if folder is None:
        return None
    names = cache(lambda inside: frozenset(_linkable(source, inside)))
    cards, fitted = clustering.cards, clustering.n_fitted
    without = []
    for place, (row, shown) in enumerate(zip(rows, ids, strict=True)):
        inside, _, name = shown.rpartition("/")
        if row >= fitted or name not in names(inside) or cards[row].id != shown:
            without.append(place)  # of those that were added, the folder is another one
    return FileLinks(folder, without) if len(without) < len(rows) else None


def _linkable(source: str, inside: str) -> Iterator[str]:
    """The files in a folder of the source that can be opened without harm."""
    if points_outside(f"{inside}/"):
        return
    with suppress(OSError, ValueError), os.scandir(os.path.join(source, inside)) as entries:
        for entry in entries:
            if entry.name.rpartition(".")[2].lower() not in _RUN and entry.is_file():
                yield entry.name


def _relative(source: str, place: Path) -> str | None:
    """A folder as an address seen from another one, which begins with a dot; None without."""
    try:
        found = os.path.relpath(source, place)
    except ValueError:  # on another drive
        return None
    return "./" + quote(os.fsencode(found.replace(os.sep, "/"))) + "/"
