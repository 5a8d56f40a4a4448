"""MustLinkComponents and what keeps them apart: hard links as a graph.

Must-links join documents to blocks that move whole; a cannot-link between two documents
is one between their blocks. Whether labels can satisfy all of them is then the question
whether k colours suffice for a graph.
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
    >>> square.among(np.array([0, 1, 2])).degrees
    array([1, 2, 1])
    """

    def __init__(self, left: Rows, right: Rows, count: int) -> None:
        left, right = np.unique(np.sort(np.stack([left, right]), axis=0), axis=1)
        each = len(left)
        super().__init__(Links(left, right, np.zeros(each, dtype=bool), np.ones(each)), count)

    @cached_property
    def degrees(self) -> Labels:
        """How many others each block is apart from."""
        return np.diff(self.bounds)

    @cached_property
    def parts(self) -> Labels:
        """The number of the connected part that each block is in: parts do not interact."""
        pairs = Links(self.owners, self.neighbours, self.strengths > 0, self.strengths)
        return components(pairs, self.count)

    def of(self, block: int) -> Labels:
        """The blocks that this one is apart from, ascending."""
        return self.neighbours[self.bounds[block] : self.bounds[block + 1]]

    def among(self, chosen: Labels) -> CannotLinkGraph:
        """The same between some blocks alone, which ascend, by their place among them."""
        whose, which = self.entries(chosen)
        place = np.full(self.count, -1)
        place[chosen] = np.arange(len(chosen))
        other = place[self.neighbours[which]]
        once = whose < other
        return CannotLinkGraph(whose[once], other[once], len(chosen))

    def broken(self, labels: Labels) -> Labels:
        """The blocks that share a cluster with one they are apart from; -1 is in no cluster."""
        held = labels[self.owners]
        return np.unique(self.owners[(held >= 0) & (held == labels[self.neighbours])])


@dataclass(frozen=True, eq=False)
class MustLinkComponents:
    """The documents of hard links, the block each is in, and which blocks are apart."""

    documents: Rows  # ascending
    number: Rows  # of the block of each of them
    apart: CannotLinkGraph

    @classmethod
    def of(cls, links: Links) -> MustLinkComponents:
        """The blocks of links that do not contradict one another."""
        near, n = links.within(), len(links.documents)
        number = components(near.where(near.together), n)
        cannot = near.where(~near.together)
        left, right = number[cannot.left], number[cannot.right]
        assert (left != right).all(), "no block is apart from itself"
        return cls(
            links.documents, number, CannotLinkGraph(left, right, int(number.max(initial=-1)) + 1)
        )

    def __len__(self) -> int:
        return self.apart.count

    def among(self, rows: Rows) -> tuple[MustLinkComponents, Labels]:
        """What is left of them among some rows, by place, and the blocks that are left.

        Two documents stay in one block even where the one that joined them is not there.
        """
        inside = np.isin(self.documents, rows)
        left, number = np.unique(self.number[inside], return_inverse=True)
        places = np.searchsorted(rows, self.documents[inside])
        return MustLinkComponents(places, number, self.apart.among(left)), left

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

    def torn(self, labels: Labels) -> Labels:
        """The blocks whose documents are not all in one cluster."""
        return np.unique(self.number[labels != labels[self.firsts][self.number]])
