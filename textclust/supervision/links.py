"""A link: two documents that belong together or do not. `Links` are many of them as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CANNOT_LINK",
    "KINDS",
    "MUST_LINK",
    "QUESTION",
    "SEED",
    "Flags",
    "Link",
    "Links",
    "Origin",
    "Rows",
    "Weights",
]

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]
Weights = NDArray[np.float64]

KINDS = MUST_LINK, CANNOT_LINK = "must-link", "cannot-link"

Document = TypeVar("Document", int, str)


@dataclass(frozen=True)
class Origin:
    """Where a link came from: a file and its line, an answer, or the classes of seeds."""

    source: str
    line: int | None = None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}: line {self.line}"


QUESTION, SEED = Origin("question"), Origin("seed")


@dataclass(frozen=True)
class Link(Generic[Document]):
    """Two documents, by id as a file has them or by row, and whether they belong together.

    >>> link = Link("a", "b", "must-link", origin=Origin("links.csv", 2))
    >>> print(link, "in", link.origin)
    a must-link b in links.csv: line 2
    """

    left: Document
    right: Document
    kind: str  # "must-link" or "cannot-link"
    weight: float = 1.0
    origin: Origin | None = None
    price: float | None = None  # of breaking it, once clustered; None is none that can be paid
    violated: bool = False  # once clustered

    def named(self: Link[int], ids: Sequence[str]) -> Link[str]:
        """The same by the ids of the documents."""
        how = self.kind, self.weight, self.origin, self.price, self.violated
        return Link(ids[self.left], ids[self.right], *how)

    @property
    def line(self) -> int | None:
        """Its line in the file it came from."""
        return None if self.origin is None else self.origin.line

    def __str__(self) -> str:
        return f"{self.left} {self.kind} {self.right}"


@dataclass(frozen=True, eq=False)
class Links:
    """Must-links and cannot-links, one in each place of arrays of the same length.

    >>> links = Links(
    ...     np.array([7, 2]), np.array([9, 7]), np.array([True, False]), np.array([1.0, 0.5])
    ... )
    >>> links.documents
    array([2, 7, 9])
    >>> links.within().left
    array([1, 0])
    """

    left: Rows
    right: Rows
    together: Flags  # True is a must-link, False a cannot-link
    weights: Weights
    origins: NDArray[np.object_] | None = None  # an `Origin` or None for each
    prices: Weights | None = None  # of breaking each, once clustered
    violated: Flags | None = None  # once clustered

    @classmethod
    def of(cls, links: Iterable[Link[int]]) -> Links:
        """These links in their order, before they are clustered."""
        every = list(links)
        return cls(
            np.array([link.left for link in every], dtype=np.intp),
            np.array([link.right for link in every], dtype=np.intp),
            np.array([link.kind == MUST_LINK for link in every], dtype=bool),
            np.array([link.weight for link in every], dtype=np.float64),
            np.array([link.origin for link in every], dtype=object),
        )

    def __len__(self) -> int:
        return len(self.left)

    def __add__(self, other: Links) -> Links:
        """These and others behind them, before they are clustered."""
        known = self.origins is not None or other.origins is not None
        return Links(
            np.concatenate([self.left, other.left]),
            np.concatenate([self.right, other.right]),
            np.concatenate([self.together, other.together]),
            np.concatenate([self.weights, other.weights]),
            np.concatenate([self._known_origins, other._known_origins]) if known else None,
        )

    @property
    def _known_origins(self) -> NDArray[np.object_]:
        return np.full(len(self), None) if self.origins is None else self.origins

    def __iter__(self) -> Iterator[Link[int]]:
        columns = [
            self.left,
            self.right,
            np.where(self.together, *KINDS),
            self.weights,
            self._known_origins,
            np.full(len(self), None) if self.prices is None else self.prices,
            np.zeros(len(self), dtype=bool) if self.violated is None else self.violated,
        ]
        return starmap(Link, zip(*(column.tolist() for column in columns), strict=True))

    @property
    def documents(self) -> Rows:
        """The rows that are in some link, ascending and each once."""
        return self._places[0]

    def within(self) -> Links:
        """The same links, with positions in `documents` for rows."""
        left, right = np.split(self._places[1], 2)
        return replace(self, left=left, right=right)

    def among(self, rows: Rows) -> Links:
        """The same links, by the places of their documents among some ascending rows."""
        left, right = np.searchsorted(rows, self.left), np.searchsorted(rows, self.right)
        return replace(self, left=left, right=right)

    @cached_property
    def _places(self) -> tuple[Rows, Rows]:
        """The rows, and where among them all left ends and then all right ends are."""
        return np.unique(np.concatenate([self.left, self.right]), return_inverse=True)

    def times(self, factors: Weights | float) -> Links:
        """The same links, each with its weight times a factor."""
        return replace(self, weights=factors * self.weights)

    def where(self, chosen: Flags | Rows) -> Links:
        """Only the chosen ones of the links, in their order."""
        return Links(
            self.left[chosen],
            self.right[chosen],
            self.together[chosen],
            self.weights[chosen],
            None if self.origins is None else self.origins[chosen],
            None if self.prices is None else self.prices[chosen],
            None if self.violated is None else self.violated[chosen],
        )

    def violations(self, labels: NDArray[np.generic]) -> Flags:
        """Which links some labels break: one for each row, or memberships in clusters, n x k.

        With memberships, a must-link is violated by two documents that share no cluster, a
        cannot-link by two that share one.
        """
        left, right = labels[self.left], labels[self.right]
        shared = left == right if labels.ndim == 1 else np.logical_and(left, right).any(axis=1)
        return np.asarray(shared != self.together)

    def judged(self, labels: NDArray[np.generic], prices: Weights | None = None) -> Links:
        """The same once clustered, with what breaking each costs, and whether it is violated."""
        return replace(self, prices=prices, violated=self.violations(labels))

    def pairs(self) -> list[tuple[int, int]]:
        """The two rows of each link."""
        return list(zip(self.left.tolist(), self.right.tolist(), strict=True))
