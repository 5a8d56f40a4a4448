"""Files become documents; their texts are yielded, not kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textclust.registry import load
from textclust.text import READERS
from textclust.text.catalogue import (
    Catalogue,
    Entry,
    Skipped,
    UnreadableError,
    entry_of,
    if_any,
)
from textclust.text.cleaning import Cleaning
from textclust.text.contents import named_file_reader
from textclust.text.limits import STANDARD_LIMITS, Limits
from textclust.text.members import Member
from textclust.text.names import folder_of

__all__ = ["Collector"]

_BATCH = 1 << 17  # bytes


class Collector:
    """Takes files in any order; its catalogue is sorted by id."""

    def __init__(
        self, cleaning: Cleaning, limits: Limits = STANDARD_LIMITS, as_named: bool = False
    ) -> None:
        self._read = named_file_reader(cleaning, limits, as_named)
        self._arrived = 0
        self._documents: dict[str, tuple[int, Entry]] = {}
        self._skipped: dict[Skipped, None] = {}

    def texts(self, members: Iterable[Member]) -> Iterator[str]:
        """The texts of those members that are documents.

        Of two with the same name the later counts, as in unpacking.
        """
        for batch in _batches(_opened(members)):
            yield from [text for member in batch if (text := self._text(member)) is not None]

    def skip(self, name: str, reason: str) -> None:
        """Record that `name` is left out."""
        self._replace(name)
        self._skipped[Skipped(name, reason)] = None

    def catalogue(self, below: str = "") -> Catalogue:
        """The documents so far; ids and labels are those below the folder `below`."""
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

    def _text(self, member: Member) -> str | None:
        name, data = member.name, member.data
        try:
            read = None if data is None else self._read(name, data)
            reason = "binary" if data else member.reason
        except UnreadableError as error:
            read, reason = None, str(error)
        if read is None:
            if reason:
                self.skip(name, reason)
            return None
        text, sent = read
        if name in self._documents:
            self._replace(name)
        self._documents[name] = self._arrived, entry_of(text, sent)
        self._arrived += 1
        return text

    def _replace(self, name: str) -> None:
        if self._documents.pop(name, None) is not None:
            self._skipped[Skipped(name, "replaced by a later file of the same name")] = None


def _opened(members: Iterable[Member]) -> Iterator[Member]:
    """The same members; one that has several documents is a folder of them, numbered from 1."""
    several = {end: READERS[end].members for end in READERS if READERS[end].members}
    for member in members:
        name, inner = member.name, None
        found = several.get(name[name.rfind(".") :].lower())
        if found and member.data:
            inner = load(found)(member.data)
        if inner is None:
            yield member
        else:
            yield from (Member(f"{name}/{i}", data) for i, data in enumerate(inner, start=1))


def _batches(members: Iterable[Member]) -> Iterator[list[Member]]:
    """Some members at a time: one step for many in a row is quicker than all steps for each."""
    batch: list[Member] = []
    weight = 0
    for member in members:
        batch.append(member)
        weight += len(member.data or b"")
        if weight > _BATCH:
            yield batch
            batch, weight = [], 0
    yield batch
