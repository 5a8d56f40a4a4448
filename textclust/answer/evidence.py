"""What was said beforehand about some of the documents, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

__all__ = ["Evidence", "Link", "Push"]


@dataclass(frozen=True)
class Link:
    """Two documents, by row, that were said to belong together or not, and what breaking it costs.

    A price of None is none that can be paid.
    """

    left: int
    right: int
    kind: str  # "must-link" or "cannot-link"
    price: float | None

    def broken(self, labels: Sequence[int]) -> bool:
        """Whether these labels break it."""
        return (labels[self.left] == labels[self.right]) != (self.kind == "must-link")


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
    classes: tuple[str, ...] = ()  # by number; class h seeded cluster h

    def violations(self, labels: Sequence[int]) -> list[Link]:
        """The links that these labels break."""
        return [link for link in self.links if link.broken(labels)]

    def kept_seeds(self, labels: Sequence[int]) -> int:
        """How many seeds are in the cluster of their class."""
        return sum(labels[row] == cluster for row, cluster in self.seeds.items())

    def pushes(self, row: int, labels: Sequence[int], ids: Sequence[str]) -> list[Push]:
        """What the links of one document say about it."""
        found = []
        for link in self._of_row.get(row, []):
            other = link.right if link.left == row else link.left
            kept = not link.broken(labels)
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
        }

    @classmethod
    def from_dict(cls, told: dict[str, Any], n: int) -> Self:
        """The same from plain data about n documents; ValueError where it does not fit them."""
        links = tuple(Link(*link) for link in told["links"])
        seeds = {int(row): int(number) for row, number in told["seeds"]}
        rows = [*(link.left for link in links), *(link.right for link in links), *seeds]
        if any(not isinstance(row, int) or not 0 <= row < n for row in rows):
            raise ValueError("what was said beforehand is about other documents")
        return cls(links, seeds, tuple(map(str, told["classes"])))
