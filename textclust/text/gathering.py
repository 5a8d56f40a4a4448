"""Files become documents, one at a time; their texts are handed on, not kept."""

from __future__ import annotations

from textclust.text.catalogue import Catalogue, Entry, Skipped, entry_of, if_any
from textclust.text.cleaning import Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.names import folder_of

__all__ = ["Gathering"]


class Gathering:
    """Takes in named files in any order and catalogues them, sorted by id."""

    def __init__(self, cleaning: Cleaning) -> None:
        self._cleaning = cleaning
        self._arrived = 0
        self._documents: dict[str, tuple[int, Entry]] = {}
        self._skipped: dict[Skipped, None] = {}

    def add(self, name: str, data: bytes) -> str | None:
        """The text of a file, or None where it has none.

        Of two files with the same name the later counts, as in unpacking.
        """
        if looks_binary(data):
            self.skip(name, "binary")
            return None
        self._replace(name)
        text, sent = clean(decode(data), self._cleaning)
        self._documents[name] = self._arrived, entry_of(text, sent)
        self._arrived += 1
        return text

    def skip(self, name: str, reason: str) -> None:
        """Record that `name` is left out."""
        self._replace(name)
        self._skipped[Skipped(name, reason)] = None

    def forget(self, beginnings: tuple[str, ...]) -> None:
        """Record nothing of what was left out under names that begin so."""
        told = [item for item in self._skipped if f"{item.name}/".startswith(beginnings)]
        for item in told:
            del self._skipped[item]

    def catalogue(self, below: str = "") -> Catalogue:
        """Everything gathered; ids and labels are those below the folder `below`."""
        names = sorted(self._documents)
        ids = [name.removeprefix(below) for name in names]
        skipped = [Skipped(s.name.removeprefix(below), s.reason) for s in self._skipped]
        return Catalogue(
            ids=ids,
            labels=if_any([folder_of(name) or None for name in ids]),
            entries=[self._documents[name][1] for name in names],
            rows=[self._documents[name][0] for name in names],
            skipped=sorted(skipped, key=lambda s: (s.name, s.reason)),
        )

    def _replace(self, name: str) -> None:
        if self._documents.pop(name, None) is not None:
            self._skipped[Skipped(name, "replaced by a later file of the same name")] = None
