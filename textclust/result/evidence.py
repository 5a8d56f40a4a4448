"""The supervision that a clustering was made with: seeds and links, by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

__all__ = ["Evidence", "Link", "Push"]

_KINDS = ("must-link", "cannot-link")
_DEAREST = float("inf")


@dataclass(frozen=True)
class Link:
    """Two documents, by row, that were said to belong together or not, and what breaking it costs.

    A price of None is none that can be paid.
    """

    left: int
    right: int
    kind: str  # "must-link" or "cannot-link"
    price: float | None

    def broken(self, clusters: Sequence[set[int]]) -> bool:
        """Whether it is broken where each document is in these clusters."""
        shared = not clusters[self.left].isdisjoint(clusters[self.right])
        return shared != (self.kind == "must-link")


@dataclass(frozen=True)
class Push:
    """What a link says about one of its documents: to the cluster of the other, or away."""

    other: str
    kind: str
    cluster: int  # of the other
    price: float | None
    kept: bool


@dataclass(frozen=True)
class Evidence:
    """Links between documents, and seeds: rows with the number of their class."""

    links: tuple[Link, ...] = ()
    seeds: dict[int, int] = field(default_factory=dict)
    classes: tuple[str, ...] = ()  # by number
    numbered: bool = True  # class h is cluster h; else it is the cluster most of its seeds are in
    moved: int | None = None  # documents that are elsewhere without all of this

    @cached_property
    def mentioned(self) -> set[int]:
        """The rows that a seed or a link names."""
        ends = ((link.left, link.right) for link in self.links)
        return {*self.seeds, *(row for pair in ends for row in pair)}

    def clusters_of_classes(self, labels: Sequence[int]) -> list[int]:
        """The cluster of each class."""
        if self.numbered:
            return list(range(len(self.classes)))
        found = [Counter[int]() for _ in self.classes]
        for row, number in self.seeds.items():
            found[number][int(labels[row])] += 1
        return [clusters.most_common(1)[0][0] for clusters in found]

    def names(self, k: int, labels: Sequence[int]) -> list[str | None]:
        """The class that each cluster has its name of; None where it has none."""
        found: list[list[str]] = [[] for _ in range(k)]
        for name, cluster in zip(self.classes, self.clusters_of_classes(labels), strict=True):
            found[cluster].append(name)
        return [" + ".join(names) or None for names in found]

    def class_of(self, row: int) -> str | None:
        """The class that a document was said to be of, if it was."""
        return self.classes[self.seeds[row]] if row in self.seeds else None

    def pushes(
        self,
        row: int,
        labels: Sequence[int],
        clusters: Sequence[set[int]],
        ids: Sequence[str],
    ) -> list[Push]:
        """What the links of one document say about it, given all the clusters of each."""
        found = []
        for link in self._of_row.get(row, []):
            other = link.right if link.left == row else link.left
            kept = not link.broken(clusters)
            found.append(Push(ids[other], link.kind, int(labels[other]), link.price, kept))
        return found

    @cached_property
    def _of_row(self) -> dict[int, list[Link]]:
        found: dict[int, list[Link]] = {}
        for link in self.links:
            for row in {link.left, link.right}:
                found.setdefault(row, []).append(link)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for a model file."""
        return {
            "links": [list(asdict(link).values()) for link in self.links],
            "seeds": [list(seed) for seed in self.seeds.items()],
            "classes": list(self.classes),
            "numbered": self.numbered,
            "moved": self.moved,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any], n: int) -> Self:
        """The same from plain data about n documents; ValueError where it does not fit them."""
        links = tuple(Link(*link) for link in data["links"])
        seeds, classes = dict(data["seeds"]), tuple(data["classes"])
        rows = [*(link.left for link in links), *(link.right for link in links), *seeds]
        sound = (
            all(_is_number(row, n) for row in rows)
            and all(_is_number(number, len(classes)) for number in seeds.values())
            and all(link.kind in _KINDS and _is_price(link.price) for link in links)
            and all(isinstance(name, str) for name in classes)
        )
        if not sound:
            raise ValueError("what was said beforehand does not fit the documents")
        moved = data.get("moved")
        if moved is not None and not _is_number(moved, n + 1):
            raise ValueError("what was said beforehand does not fit the documents")
        return cls(links, seeds, classes, bool(data.get("numbered", True)), moved)


def _is_number(value: Any, below: int) -> bool:
    return type(value) is int and 0 <= value < below


def _is_price(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and 0 <= value < _DEAREST)
