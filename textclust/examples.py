"""Folders that somebody made, as examples of how to sort the rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.text.catalogue import Catalogue, Source, if_any
from textclust.text.documents import Documents
from textclust.text.names import readable
from textclust.text.reading import Reading, open_documents

__all__ = ["Examples", "ExamplesLike"]

_LISTED = 5  # classes named to whoever asked for another

Belongs = Callable[[str, str | None], bool]  # by the id of a document and its class
Example = str | os.PathLike[str] | Documents | Reading | Iterable[str]
ExamplesLike: TypeAlias = (
    "str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Mapping[str, Example] | Examples"
)


@dataclass(frozen=True)
class Examples:
    """Example clusters by name: which documents belong to each, and folders to be added."""

    belongs: Mapping[str, Belongs]
    added: Mapping[str, Reading]

    @classmethod
    def read(
        cls,
        given: ExamplesLike,
        source: object = None,
        read: Callable[[str], Reading] = open_documents,
    ) -> Examples:
        """Examples as names, or as what belongs to each name.

        A name is a folder below `source`, a folder elsewhere, whose documents are added, or a
        class of the documents. In a mapping a name has ids of documents, or the path or
        `Documents` of more.
        """
        if isinstance(given, Examples):
            return given
        if isinstance(given, str | os.PathLike):
            given = [given]
        if not isinstance(given, Iterable):
            raise InputError("examples must be names of folders, or a dict of ids by name")
        belongs: dict[str, Belongs] = {}
        added: dict[str, Reading] = {}
        pairs = given.items() if isinstance(given, Mapping) else ((None, each) for each in given)
        for name, what in pairs:
            own, test, reading = _example(name, what, source, read)
            if own in belongs:
                raise InputError(f"two examples are called {own!r}; rename or leave out one")
            belongs[own] = test
            if reading is not None:
                added[own] = reading
        if not belongs:
            raise InputError("no examples are given; name at least one folder")
        return cls(belongs, added)

    def joined(self, reading: Reading) -> Reading:
        """The documents of a collection, and those of the folders elsewhere."""
        if not self.added:
            return reading
        return Reading(lambda: _joined(reading, self.added))

    def rows(self, documents: Catalogue) -> list[Labels]:
        """The rows of each example among the documents."""
        labels = documents.labels or [None] * len(documents)
        y = np.full(len(documents), -1)
        for number, (name, belongs) in enumerate(self.belongs.items()):
            pairs = zip(documents.ids, labels, strict=True)
            rows = [row for row, (own, label) in enumerate(pairs) if belongs(own, label)]
            if not rows:
                raise InputError(f"no document belongs to the example {name!r}{_known(labels)}")
            taken = [row for row in rows if y[row] >= 0]
            if taken:
                other = list(self.belongs)[y[taken[0]]]
                raise InputError(
                    f"{documents.ids[taken[0]]}: in two examples, {other!r} and {name!r}; "
                    "leave one out"
                )
            y[rows] = number
        if (y >= 0).all():
            raise InputError("every document is in an example; no document is left to cluster")
        return [np.flatnonzero(y == number) for number in range(len(self.belongs))]


def _example(
    name: object, what: Example, source: object, read: Callable[[str], Reading]
) -> tuple[str, Belongs, Reading | None]:
    """The name of an example, which documents belong to it, and those it brings with it."""
    if isinstance(what, Documents):
        what = what.reading()
    if isinstance(what, str | os.PathLike):
        path = os.fspath(what)
        below = _below(path, source)
        if below is not None:
            return str(name or below), _under(below), None
        if not os.path.isdir(path):
            return str(name or path), _of_class(path), None
        name = name or readable(os.fsencode(os.path.basename(os.path.realpath(path))))
        what = read(path)
    if isinstance(what, Reading):
        return str(name), _under(str(name)), what
    if name is None or not isinstance(what, Iterable):
        raise InputError(f"an example is the name of a folder or a list of ids; got {what!r}")
    return str(name), _one_of(frozenset(map(str, what))), None


def _below(path: str, source: object) -> str | None:
    """The name that a folder has below the folder `source`, if it is one."""
    if not isinstance(source, str | os.PathLike) or not os.path.isdir(source):
        return None
    home = os.path.realpath(source)
    for place in (os.path.realpath(path), os.path.realpath(os.path.join(home, path))):
        if os.path.isdir(place) and place.startswith(os.path.join(home, "")):
            return readable(os.fsencode(os.path.relpath(place, home))).replace(os.sep, "/")
    return None


def _under(folder: str) -> Belongs:
    return lambda own, label: own.startswith(f"{folder}/")


def _of_class(name: str) -> Belongs:
    return lambda own, label: label == name


def _one_of(ids: frozenset[str]) -> Belongs:
    return lambda own, label: own in ids


def _known(labels: Iterable[str | None]) -> str:
    names = sorted({label for label in labels if label is not None})
    if not names:
        return "; name a folder, as the documents have no classes"
    more = ", ..." if len(names) > _LISTED else ""
    return f"; there is no such folder, and the classes are {', '.join(names[:_LISTED])}{more}"


def _joined(reading: Reading, added: Mapping[str, Reading]) -> Source:
    """The texts of all readings one after the other, and one catalogue for them."""
    whole = yield from _streamed(reading)
    for name, more in added.items():
        other = yield from _streamed(more)
        ids = [f"{name}/{own}" for own in other.ids]
        twice = set(whole.ids) & set(ids)
        if twice:
            raise InputError(f"{min(twice)}: in the collection already; rename the folder {name}")
        labels = [*(whole.labels or [None] * len(whole)), *([name] * len(other))]
        begin = max(whole.rows, default=-1) + 1
        whole = replace(
            whole,
            ids=whole.ids + ids,
            labels=if_any(labels),
            entries=whole.entries + other.entries,
            rows=whole.rows + [begin + row for row in other.rows],
            skipped=whole.skipped + other.skipped,
            keys=None,  # the ids of those that are added are none of them
            groups=whole.groups and [*whole.groups, *[None] * len(other)],
        )
    return whole


def _streamed(reading: Reading) -> Source:
    """The texts of a reading that count, in the order of its catalogue, which is returned."""
    documents = Documents.from_reading(reading)
    yield from documents.texts
    return replace(reading.catalogue(), rows=list(range(len(documents))))
