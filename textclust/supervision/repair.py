"""The smallest repair of contradictions: which links to remove.

    minimise  sum_e w_e x_e   so that   x_c + sum of x_e over the chain >= 1

for every contradictory cannot-link c and every chain of must-links e between its ends;
x_e = 1 drops a link. This is a weighted multicut. There are too many chains to write
down, so those that a solution leaves whole are added and it is solved again: first with
fractions, which is quick and most often whole already, then in whole numbers. Multicuts
can be hard: when patience ends, the best of the cuts found is taken, and the cannot-links
that it leaves contradictory are dropped as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Literal

import numpy as np
import scipy.sparse as sp

from textclust.supervision.conflicts import chain_to, contradictory
from textclust.supervision.links import Flags, Links, Rows, Weights

__all__ = ["Drop", "cheapest_repair"]

Drop = tuple[Literal["must-link", "cannot-link"], tuple[int, int]]

_NARROW = np.int32  # what dijkstra and milp of scipy 1.13 want as indices
_DETOUR = 1e-3  # what all links together add to the length of a chain: fewer links go first
_SLACK = 1e-6
_PATIENCE = 30.0  # seconds
_MAX_COST_RATIO = 1e9  # times the cheapest link: beyond it the solver is not accurate


def cheapest_repair(links: Links) -> list[Drop]:
    """The links of least total weight without which there is no contradiction.

    A link that was given several times is dropped as a whole, and reported as it was first.
    """
    near = links.within()
    bad = contradictory(near, len(links.documents))
    if not bad.any():
        return []
    cut = _Multicut(near, near.together | bad, len(links.documents))
    dropped = np.sort(cut.given[cut.solve()])
    pairs = links.pairs()
    return [("must-link" if links.together[e] else "cannot-link", pairs[e]) for e in dropped]


class _Multicut:
    """The distinct links that matter, a variable each, and the chains found so far."""

    def __init__(self, near: Links, relevant: Flags, n: int) -> None:
        chosen = near.where(relevant)
        low, high = np.minimum(chosen.left, chosen.right), np.maximum(chosen.left, chosen.right)
        distinct, first, variable = np.unique(
            (low * n + high) * 2 + chosen.together, return_index=True, return_inverse=True
        )
        self.given = np.flatnonzero(relevant)[first]
        self.low, self.high, self.together = low[first], high[first], chosen.together[first]
        weights = np.bincount(variable, chosen.weights).astype(np.float64)
        least = float(weights.min())
        self.costs = np.minimum(weights, least * _MAX_COST_RATIO) / least
        self.keys, self.n = distinct, n
        self.chains: list[Rows] = []
        self.deadline = monotonic() + _PATIENCE

    def solve(self) -> Rows:
        """The variables of the links to drop."""
        x = self._cut_all(np.zeros(len(self.keys)), whole=False)
        if np.abs(x - x.round()).max() > _SLACK:
            x = self._cut_all(self._cheapest(whole=True), whole=True)
        return np.flatnonzero(x > 0.5)

    def _cut_all(self, x: Weights, *, whole: bool) -> Weights:
        """The cheapest x that leaves no chain whole, from one that may leave some."""
        while found := list(self._whole_chains(x)):
            if monotonic() > self.deadline:
                x[[chain[-1] for chain in found]] = 1  # each ends with its cannot-link
                continue
            self.chains += found
            x = self._cheapest(whole=whole)
        return x

    def _cheapest(self, *, whole: bool) -> Weights:
        """The cheapest x that cuts every chain found so far."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        lengths = [len(chain) for chain in self.chains]
        ends = np.cumsum([0, *lengths], dtype=_NARROW)
        links = np.concatenate(self.chains).astype(_NARROW)
        rows = sp.csr_array(
            (np.ones(len(links)), links, ends), shape=(len(ends) - 1, len(self.keys))
        )
        solved = milp(
            self.costs,
            constraints=LinearConstraint(rows, lb=1),
            integrality=np.full(len(self.keys), int(whole)),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0, "time_limit": max(0.1, self.deadline - monotonic())},
        )
        if solved.x is None:  # nothing found in time
            return (~self.together).astype(np.float64)
        return np.array(solved.x)

    def _whole_chains(self, x: Weights) -> Iterator[Rows]:
        """For each cannot-link that x leaves contradictory, its chain of least x."""
        from scipy.sparse.csgraph import dijkstra

        must = self.together
        lengths = x[must] + _DETOUR / len(x)
        ends = (self.low[must].astype(_NARROW), self.high[must].astype(_NARROW))
        graph = sp.csr_array((lengths, ends), shape=(self.n, self.n))
        graph = graph + graph.T
        open_links = np.flatnonzero(~must & (x < 1 - _SLACK))
        for source in np.unique(self.low[open_links]):
            distance, before = dijkstra(
                graph, indices=source, return_predecessors=True, limit=1 + _DETOUR
            )
            for c in open_links[self.low[open_links] == source]:
                if np.isfinite(distance[self.high[c]]):
                    chain = np.append(self._links_of(chain_to(self.high[c], before)), c)
                    if x[chain].sum() < 1 - _SLACK:
                        yield chain

    def _links_of(self, chain: Rows) -> Rows:
        low, high = np.minimum(chain[:-1], chain[1:]), np.maximum(chain[:-1], chain[1:])
        return np.searchsorted(self.keys, (low * self.n + high) * 2 + 1)
