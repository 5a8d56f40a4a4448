"""Files become documents, one at a time; only the cleaned text is kept."""

from __future__ import annotations

from textclust.text.cleaning import Cleaned, Cleaning, clean
from textclust.text.decoding import decode, looks_binary
from textclust.text.documents import Documents, Skipped
from textclust.text.names import folder_of

__all__ = ["Gathering"]


class Gathering:
    """Collects named files in any order and hands them on as `Documents`, sorted by id."""

    def __init__(self, cleaning: Cleaning) -> None:
        self._cleaning = cleaning
        self._cleaned: dict[str, Cleaned] = {}
        self._skipped: dict[Skipped, None] = {}

    def add(self, name: str, data: bytes) -> None:
        """Take in one file; of two with the same name the later counts, as in unpacking."""
        if looks_binary(data):
            self.skip(name, "binary")
            return
        self._replace(name)
        self._cleaned[name] = clean(decode(data), self._cleaning)

    def skip(self, name: str, reason: str) -> None:
        """Record that `name` is left out."""
        self._replace(name)
        self._skipped[Skipped(name, reason)] = None

    def documents(self, below: str = "") -> Documents:
        """Everything gathered; ids and labels are those below the folder `below`."""
        names = sorted(self._cleaned)
        cleaned = [self._cleaned[name] for name in names]
        ids = [name.removeprefix(below) for name in names]
        skipped = [Skipped(s.name.removeprefix(below), s.reason) for s in self._skipped]
        return Documents.from_columns(
            ids=ids,
            texts=[c.text for c in cleaned],
            labels=[folder_of(name) or None for name in ids],
            dates=[c.date for c in cleaned],
            skipped=sorted(skipped, key=lambda s: (s.name, s.reason)),
        )

    def _replace(self, name: str) -> None:
        if self._cleaned.pop(name, None) is not None:
            self._skipped[Skipped(name, "replaced by a later file of the same name")] = None
