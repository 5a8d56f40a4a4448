"""Things by name: one entry each, from which everything that lists or finds them follows.

Importing a registry imports none of the things in it, so that the command line can list methods,
distortions, readers and strategies without numpy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

from textclust.errors import InputError

__all__ = ["Places", "Registry", "load"]

Entry = TypeVar("Entry")


class Registry(Mapping[str, Entry]):
    """Entries by name, in the order in which they were added.

    >>> colours = Registry("colour", {"red": 1})
    >>> colours.add("blue", 2)
    >>> list(colours), colours.find("blue")
    (['red', 'blue'], 2)
    """

    def __init__(self, noun: str, entries: Mapping[str, Entry] | None = None) -> None:
        self.noun = noun
        self._entries = dict(entries or {})

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, name: str, entry: Entry) -> None:
        """Add an entry; a name that is taken is an error."""
        if name in self._entries:
            raise ValueError(f"there is a {self.noun} {name!r} already")
        self._entries[name] = entry

    def find(self, name: str) -> Entry:
        """The entry of this name, or an InputError that lists all names."""
        if name not in self._entries:
            raise InputError(f"no {self.noun} {name!r}; there is {', '.join(self._entries)}")
        return self._entries[name]


class Places(Registry[Any]):
    """Things by name, each imported from its place when it is looked up.

    >>> Places("function", {"root": "math:sqrt"})["root"](9.0)
    3.0
    """

    def __getitem__(self, name: str) -> Any:
        return load(super().__getitem__(name))

    def __contains__(self, name: object) -> bool:
        return name in self._entries


def load(place: str) -> Any:
    """What is at a place such as "textclust.methods.kmeans:KMeansSolver"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
