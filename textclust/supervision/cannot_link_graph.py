"""Hard links as a graph: must-link components, and the cannot-links between them.

Must-links join documents into blocks that move as one; a cannot-link between two documents
is one between their blocks. Whether labels can satisfy all links is then
whether the graph of blocks can be coloured with k colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.supervision.components import components
from textclust.supervision.couplings import Couplings
from textclust.supervision.links import Links, Rows

__all__ = ["CannotLinkGraph", "MustLinkComponents"]


class CannotLinkGraph(Couplings):
    """Which blocks must not share a cluster, numbered from 0.

    >>> square = CannotLinkGraph(np.array([0, 1, 2, 3]), np.array([1, 2, 3, 0]), 4)
    >>> square.of(0)
    array([1, 3])
    >>> square.subset(np.array([0, 1, 2])).degrees
    array([1, 2, 1])
    """

    def __init__(self, left: Rows, right: Rows, count: int) -> None:
        left, right = np.unique(np.sort(np.stack([left, right]), axis=0), axis=1)
        each = len(left)
        super().__init__(Links(left, right, np.zeros(each, dtype=bool), np.ones(each)), count)

    @cached_property
    def degrees(self) -> Labels:
        """How many other blocks each one has a cannot-link to."""
        return np.diff(self.bounds)

    @cached_property
    def parts(self) -> Labels:
        """The connected component that each block is in: components do not interact."""
        pairs = Links(self.owners, self.neighbours, self.strengths > 0, self.strengths)
        return components(pairs, self.count)

    def of(self, block: int) -> Labels:
        """The neighbours of a block: those it has a cannot-link to, ascending."""
        return self.neighbours[self.bounds[block] : self.bounds[block + 1]]

    def subset(self, chosen: Labels) -> CannotLinkGraph:
        """The subgraph of some blocks, given in ascending order, renumbered by their position."""
        whose, which = self.entries(chosen)
        place = np.full(self.count, -1)
        place[chosen] = np.arange(len(chosen))
        other = place[self.neighbours[which]]
        once = whose < other
        return CannotLinkGraph(whose[once], other[once], len(chosen))

    def broken(self, labels: Labels) -> Labels:
        """The blocks that share a cluster with a neighbour; -1 is in no cluster."""
        held = labels[self.owners]
        return np.unique(self.owners[(held >= 0) & (held == labels[self.neighbours])])


@dataclass(frozen=True, eq=False)
class MustLinkComponents:
    """The documents of hard links, the block each is in, and the cannot-links between blocks."""

    documents: Rows  # ascending
    number: Rows  # of the block of each of them
    cannot_links: CannotLinkGraph

    @classmethod
    def of(cls, links: Links) -> MustLinkComponents:
        """The blocks of links that do not contradict one another."""
        near, n = links.within(), len(links.documents)
        number = components(near.where(near.together), n)
        cannot = near.where(~near.together)
        left, right = number[cannot.left], number[cannot.right]
        assert (left != right).all(), "no block has a cannot-link to itself"
        return cls(
            links.documents, number, CannotLinkGraph(left, right, int(number.max(initial=-1)) + 1)
        )

    def __len__(self) -> int:
        return self.cannot_links.count

    def subset(self, rows: Rows) -> tuple[MustLinkComponents, Labels]:
        """The components restricted to some rows, by position, and the blocks that remain.

        Two documents stay in one block even where the one that linked them is not there.
        """
        inside = np.isin(self.documents, rows)
        left, number = np.unique(self.number[inside], return_inverse=True)
        places = np.searchsorted(rows, self.documents[inside])
        return MustLinkComponents(places, number, self.cannot_links.subset(left)), left

    @cached_property
    def _order(self) -> Labels:
        return np.argsort(self.number, kind="stable")

    @cached_property
    def _starts(self) -> Labels:
        return np.searchsorted(self.number[self._order], np.arange(len(self)))

    @cached_property
    def firsts(self) -> Labels:
        """The position of the first document of each block."""
        return self._order[self._starts]

    def members(self) -> list[Rows]:
        """The rows of each block, ascending."""
        return np.split(self.documents[self._order], self._starts[1:]) if len(self) else []

    def costs(self, costs: Array) -> Array:
        """What each cluster costs each block: the sum over its documents."""
        if len(self) == len(costs):
            return costs[self._order]
        return np.add.reduceat(costs[self._order], self._starts, axis=0)

    def split(self, labels: Labels) -> Labels:
        """The blocks whose documents are not all in one cluster."""
        return np.unique(self.number[labels != labels[self.firsts][self.number]])
