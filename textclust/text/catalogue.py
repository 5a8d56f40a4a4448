"""What is kept of a collection once its texts have been counted: ids, labels, dates, titles."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple, TypeVar

from textclust.errors import TextclustError
from textclust.plain import count
from textclust.text.dates import message_date
from textclust.text.frames import Keys

__all__ = [
    "Catalogue",
    "Entry",
    "Skipped",
    "Source",
    "UnreadableError",
    "damage_is_a_reason",
    "digest_of",
    "entry_of",
    "if_any",
    "moment",
    "title_of",
]

T = TypeVar("T")

_EXCERPT = 400  # characters
_TITLE_LENGTH = 80


@dataclass(frozen=True)
class Skipped:
    """A file that was left out, and why."""

    name: str
    reason: str


class UnreadableError(Exception):
    """A file has no text that can be read; its message is the reason."""


@contextmanager
def damage_is_a_reason() -> Iterator[None]:
    """Whatever a library raises in the block over a damaged file is an `UnreadableError`."""
    try:
        yield
    except (TextclustError, UnreadableError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise UnreadableError("damaged") from error


class Entry(NamedTuple):
    """What is kept of a document instead of its text."""

    title: str  # empty where the text says nothing
    excerpt: str
    digest: bytes
    date: datetime | str | None  # a header's as it was written: understanding it takes time


def entry_of(text: str, date: datetime | str | None = None) -> Entry:
    """What to keep of a text."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return Entry(title_of(text), text[:_EXCERPT], digest, date)


@dataclass(frozen=True, repr=False)
class Catalogue:
    """The documents of a collection without their texts; all lists in one order.

    `rows` says where the text of each came among all that arrived.
    """

    ids: list[str]
    labels: list[str | None] | None
    entries: list[Entry]
    rows: list[int]
    skipped: list[Skipped] = field(default_factory=list)
    provenance: dict[str, object] = field(default_factory=dict)
    groups: list[str | None] | None = None  # such as who wrote them
    keys: Keys | None = None  # what the documents were called where they came from

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Catalogue({count(len(self), 'document')})"

    @cached_property
    def dates(self) -> list[datetime | None] | None:
        """The date of each document; None where no document has one."""
        return if_any([moment(entry.date) for entry in self.entries])

    @property
    def titles(self) -> list[str]:
        """A title for each document: its first words, or its id."""
        return [e.title or name for e, name in zip(self.entries, self.ids, strict=True)]

    @property
    def excerpts(self) -> list[str]:
        """The beginning of each text."""
        return [entry.excerpt for entry in self.entries]

    @property
    def digests(self) -> list[bytes]:
        """The SHA-256 of each text."""
        return [entry.digest for entry in self.entries]

    def sha256(self) -> str:
        """A digest of all ids and texts."""
        return digest_of(self.ids, self.digests)


def digest_of(ids: Iterable[str], digests: Iterable[bytes]) -> str:
    """A digest of the ids and texts of a collection."""
    whole = hashlib.sha256()
    for name, digest in zip(ids, digests, strict=True):
        data = name.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "little") + data + digest)
    return whole.hexdigest()


Source = Generator[str, None, Catalogue]  # yields each text, then returns all the rest


def moment(date: datetime | str | None) -> datetime | None:
    """A date as a moment, also where it is still as a header has it."""
    return message_date(date) if isinstance(date, str) else date


def title_of(text: str) -> str:
    """The first line of a text that says anything, shortened."""
    text = text.lstrip()
    end = text.find("\n")
    line = " ".join((text if end < 0 else text[:end]).split())
    if len(line) <= _TITLE_LENGTH:
        return line
    cut = line[: _TITLE_LENGTH - 1]
    return (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip() + "…"


def if_any(values: Sequence[T | None]) -> list[T | None] | None:
    """The values as a list, or None where each of them is."""
    return list(values) if any(value is not None for value in values) else None
