"""What became of the clusters of an earlier run, as plain data that goes with a clustering."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Self

__all__ = ["Changes", "Fate", "Kind", "Nowhere", "Part", "note_on_shared"]


class Kind(enum.StrEnum):
    """What became of a cluster."""

    KEPT = "kept"
    GREW = "grew"
    SHRANK = "shrank"
    SPLIT = "split"
    MERGED = "merged"
    ABSORBED = "absorbed"  # by one that was merged
    PART = "part"
    NEW = "new"
    GONE = "gone"


@dataclass(frozen=True)
class Part:
    """Documents that two clusters share."""

    cluster: int
    documents: int


@dataclass(frozen=True)
class Fate:
    """An old cluster and the new one that it became; either may be missing.

    `into` are the new clusters that an old one was split into, the one that it was merged into, or
    the one that has most of what is gone; `of` the old ones that a new one was merged of, the one
    that it is a part of, or the one that it has most from. The largest come first.
    """

    kind: Kind
    old: int | None
    new: int | None
    shared: int = 0
    into: tuple[Part, ...] = ()
    of: tuple[Part, ...] = ()

    def in_words(self, into: str, of: str) -> str:
        """What became of the cluster, given the parts in words."""
        said = {
            Kind.SPLIT: f"split into {into}",
            Kind.MERGED: f"merged of {of}",
            Kind.ABSORBED: f"merged into {into}",
            Kind.PART: f"part of {of}",
            Kind.GONE: f"gone, most of it to {into}" if into else "gone",
            Kind.NEW: f"new, most of it from {of}" if of else "new",
        }
        return said.get(self.kind, self.kind.value)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """What `dataclasses.asdict` gave."""
        into, of = (tuple(Part(**part) for part in content[each]) for each in ("into", "of"))
        kind = Kind(content["kind"])
        return cls(kind, content["old"], content["new"], content["shared"], into, of)


@dataclass(frozen=True)
class Nowhere:
    """How many documents fitted nowhere before, how many do now, and how many both times."""

    old: int = 0
    new: int = 0
    both: int = 0

    def __bool__(self) -> bool:
        return bool(self.old or self.new)


@dataclass(frozen=True)
class Changes:
    """How the clusters of an earlier run and those of this one are related.

    Parameters
    ----------
    names, sizes, numbers : of the earlier clusters; the numbers are those for life
    table : for each earlier cluster, how many documents it shares with each of this run
    fates : what became of each cluster, the earlier ones in their order, then the new ones
    shared, moved : documents that both runs have, and those that did not go with their cluster
    agreement : of both on the shared documents, where there are two at least
    nowhere : documents that fit nowhere
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    numbers: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]
    fates: tuple[Fate, ...]
    shared: int
    moved: int
    agreement: Mapping[str, float] | None = None
    nowhere: Nowhere = Nowhere()

    def __str__(self) -> str:
        said = {"part": "part of a split", "absorbed": "merged into another"}
        return ", ".join(f"{n} {said.get(kind, kind)}" for kind, n in self.counted().items())

    @property
    def documents(self) -> int:
        """How many documents the earlier run had."""
        return sum(self.sizes) + self.nowhere.old

    @cached_property
    def became(self) -> dict[int, int]:
        """The cluster that each earlier one became, of those that became one."""
        return {
            fate.old: fate.new
            for fate in self.fates
            if fate.old is not None and fate.new is not None
        }

    def counted(self) -> dict[str, int]:
        """How many clusters were kept, grew, and so on; nothing of what did not happen."""
        counts = {kind.value: sum(fate.kind is kind for fate in self.fates) for kind in Kind}
        return {kind: count for kind, count in counts.items() if count}

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], k: int) -> Self:
        """What `to_dict` gave, beside k clusters; a ValueError where it cannot be."""
        names, sizes = tuple(map(str, content["names"])), tuple(map(int, content["sizes"]))
        table = tuple(tuple(map(int, row)) for row in content["table"])
        fates = tuple(map(Fate.from_dict, content["fates"]))
        numbers = tuple(map(int, content["numbers"]))
        if not len(names) == len(sizes) == len(numbers) == len(table):
            raise ValueError("names, sizes and numbers of the earlier clusters differ")
        if any(len(row) != k for row in table):
            raise ValueError("the flow does not fit the clusters")
        if not all(_is_of_clusters(fate, len(names), k) for fate in fates):
            raise ValueError("a fate is of no cluster")
        counts = int(content["shared"]), int(content["moved"])
        nowhere = Nowhere(**content.get("nowhere", {}))
        return cls(names, sizes, numbers, table, fates, *counts, content.get("agreement"), nowhere)


def note_on_shared(placed: bool) -> str:
    """What the column of shared documents counts; `placed` says whether some were placed."""
    counted = "Shared are the documents that are in both clusters of a row"
    if not placed:
        return f"{counted}."
    return f"{counted}; one that only one run has is placed in the other where it fits."


def _is_of_clusters(fate: Fate, old: int, new: int) -> bool:
    """Whether a fate and its parts are of clusters that are there."""
    before = [fate.old, *(part.cluster for part in fate.of)]
    after = [fate.new, *(part.cluster for part in fate.into)]
    return all(_is_there(h, old) for h in before) and all(_is_there(h, new) for h in after)


def _is_there(cluster: int | None, k: int) -> bool:
    return cluster is None or 0 <= cluster < k
