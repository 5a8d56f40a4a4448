"""Links that always hold: the potential of COP-KMeans (Wagstaff et al. 2001)."""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.geometry.table import CostTable
from textclust.supervision.cannot_link_graph import MustLinkComponents
from textclust.supervision.colouring import most_constrained_first
from textclust.supervision.impossible import require_possible
from textclust.supervision.links import Links
from textclust.supervision.moves import exchange, settle
from textclust.supervision.orders import in_order

__all__ = ["HardLinks"]

_ORDERS = 5  # that are tried at random before labels known to be possible are taken
_NODES = 1_000  # blocks that a search may label, at least


class HardLinks:
    """V: nothing where every link holds, and infinity elsewhere.

    Documents that must-links join move together, as a block. Connected components of the
    cannot-link graph are independent: each is searched by itself.
    """

    def __init__(
        self, blocks: MustLinkComponents, possible: Labels, local_search: bool = True
    ) -> None:
        self.documents = blocks.documents
        self.possible = possible  # labels of the blocks that satisfy every link
        self.local_search = local_search  # without it, `infer` is the rule of the paper alone
        self._blocks = blocks

    @classmethod
    def of(cls, links: Links, k: int, local_search: bool = True) -> HardLinks:
        """Links that do not contradict one another; an InputError if k clusters are too few."""
        blocks = MustLinkComponents.of(links)
        return cls(blocks, require_possible(blocks, k), local_search)

    def subset(self, rows: Labels) -> HardLinks:
        """The same restricted to some rows, given in ascending order, by their position."""
        blocks, left = self._blocks.subset(rows)
        return HardLinks(blocks, self.possible[left], self.local_search)

    def neighbourhoods(self) -> list[Labels]:
        """The rows of the blocks of more than one document, the largest blocks first."""
        groups = [rows for rows in self._blocks.members() if len(rows) > 1]
        return sorted(groups, key=lambda rows: (-len(rows), int(rows[0])))

    def cannot_linked_to_all(self, groups: list[Labels]) -> int | None:
        """The first row whose block has a cannot-link to each of these sets of rows."""
        cannot_links, number = self._blocks.cannot_links, self._blocks.number
        found = np.flatnonzero(cannot_links.degrees)
        for group in groups:
            inside = np.unique(number[np.isin(self.documents, group)])
            near = [cannot_links.of(block) for block in inside.tolist()]
            found = np.intersect1d(found, np.concatenate([found[:0], *near]))
        rows = self.documents[np.isin(number, found)]
        return int(rows[0]) if len(rows) else None

    def energy(self, labels: Labels) -> float:
        """0 if these labels, given for `documents` in their order, satisfy every link."""
        return float("inf") if len(self._violating(labels)) else 0.0

    def pushes(self, labels: Labels, k: int) -> Array:
        """Infinity in every cluster but its own for each of `documents`: a block moves whole."""
        return np.where(np.arange(k) == labels[:, None], 0.0, np.inf)

    def infer(self, costs: CostTable | Array, labels: Labels, rng: np.random.Generator) -> Labels:
        """Labels that satisfy every link and cost no more than `labels`, if these do too.

        The rule of the paper with its blocks in random order, and `labels` as they are:
        both are improved by single moves, in each part the cheaper one is kept, and then
        clusters exchange blocks. Without local search the cheaper one is kept as it is: the
        rule alone can raise the energy, and its loop need not end.
        """
        blocks, table = self._blocks, self._blocks.costs(CostTable.of(costs).exactly())
        found = self._found(table, rng)
        given = np.where(self._in_part(self._violating(labels)), found, labels[blocks.firsts])
        if not self.local_search:
            return self._cheaper(table, given, found)[blocks.number]
        ways = [settle(table, blocks.cannot_links, each, rng) for each in (given, found)]
        cheaper = self._cheaper(table, *ways)
        return exchange(table, blocks.cannot_links, cheaper, rng)[blocks.number]

    def _found(self, table: Array, rng: np.random.Generator) -> Labels:
        """Labels of all blocks by the rule of the paper, with a search past dead ends."""
        cannot_links, k = self._blocks.cannot_links, table.shape[1]
        labels = in_order(table, cannot_links, rng.permutation(cannot_links.count))
        for attempt in range(_ORDERS):
            stuck = np.flatnonzero(self._in_part(np.flatnonzero(labels < 0)))
            if len(stuck) == 0:
                return labels
            part, costs = cannot_links.subset(stuck), table[stuck]
            if attempt == 0:
                nodes = max(_NODES, 2 * part.count)
                way = most_constrained_first(part, k, nodes, costs).labels
                labels[stuck] = -1 if way is None else way
            else:
                labels[stuck] = in_order(costs, part, rng.permutation(part.count))
        return np.where(self._in_part(np.flatnonzero(labels < 0)), self.possible, labels)

    def _violating(self, labels: Labels) -> Labels:
        """The blocks that violate a link: split, or in one cluster with a neighbour."""
        blocks = self._blocks
        return np.union1d(blocks.split(labels), blocks.cannot_links.broken(labels[blocks.firsts]))

    def _in_part(self, blocks: Labels) -> Array:
        """True for the blocks connected with any of these."""
        parts = self._blocks.cannot_links.parts
        return np.isin(parts, parts[blocks])

    def _cheaper(self, table: Array, one: Labels, other: Labels) -> Labels:
        """The labels of either, whichever cost less, part by part."""
        parts, every = self._blocks.cannot_links.parts, np.arange(len(table))
        costs, others = (np.bincount(parts, table[every, labels]) for labels in (one, other))
        return np.where((others < costs)[parts], other, one)
