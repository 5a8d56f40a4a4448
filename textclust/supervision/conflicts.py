"""Contradictions: cannot-links between documents that a chain of must-links joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.supervision.components import components
from textclust.supervision.links import Flags, Links, Rows

if TYPE_CHECKING:
    from textclust.supervision.constraints import Constraints

__all__ = ["Conflict", "chain_to", "contradictory", "find_conflicts", "require_consistent"]

_SHOWN = 3  # links at either end of a long chain, and lines to drop


@dataclass(frozen=True)
class Conflict:
    """A cannot-link, and the shortest chain of must-links from its one end to the other.

    >>> print(Conflict(cannot_link=(0, 2), chain=(0, 1, 2)))
    row 0 must-link row 1 must-link row 2, but row 0 cannot-link row 2
    """

    cannot_link: tuple[int, int]
    chain: tuple[int, ...]

    def describe(self, name: Callable[[int], str]) -> str:
        """The contradiction in words, with a name for each row; long chains cut short."""
        names = [name(row) for row in _ends(self.chain)]
        left_out = len(self.chain) - len(names)
        if left_out:
            names.insert(_SHOWN, f"... {left_out} more ...")
        i, j = map(name, self.cannot_link)
        return f"{' must-link '.join(names)}, but {i} cannot-link {j}"

    def __str__(self) -> str:
        return self.describe(_row)


def find_conflicts(links: Links) -> list[Conflict]:
    """Every contradictory cannot-link once, in the order given, with its shortest chain."""
    near = links.within()
    cannot = near.where(contradictory(near, len(links.documents)))
    graph = _neighbours(near.where(near.together), len(links.documents))
    chains: dict[tuple[int, int], Rows] = {}
    for source in dict.fromkeys(cannot.left.tolist()):
        predecessors = _predecessors(graph, source)
        for target in cannot.right[cannot.left == source].tolist():
            if (target, source) not in chains:
                chains[source, target] = chain_to(target, predecessors)
    wanted = dict.fromkeys(pair for pair in cannot.pairs() if pair in chains)
    rows = links.documents
    return [
        Conflict((int(rows[i]), int(rows[j])), tuple(rows[chains[i, j]].tolist()))
        for i, j in wanted
    ]


def contradictory(near: Links, n: int) -> Flags:
    """True for the cannot-links within a component of the must-links on n positions."""
    component = components(near.where(near.together), n)
    same = component[near.left] == component[near.right]
    return np.asarray(~near.together & same)


def chain_to(target: int, predecessors: Rows) -> Rows:
    """The way back from a target, the source first."""
    chain = [target]
    while (before := int(predecessors[chain[-1]])) >= 0:
        chain.append(before)
    return np.array(chain[::-1], dtype=np.intp)


def require_consistent(constraints: Constraints, ids: Sequence[str] | None = None) -> None:
    """Raise an InputError that tells a contradiction and the way out, if there is one.

    For methods that keep every link (Wagstaff et al. 2001): no labels could satisfy these.

    >>> from textclust import Constraints
    >>> require_consistent(Constraints([(0, 1), (1, 2)], [(0, 2)], [2, 1, 2]), ["a", "b", "c"])
    Traceback (most recent call last):
    textclust.errors.InputError: contradiction: a must-link b must-link c, but a cannot-link c; ...
    """
    conflicts = constraints.conflicts()
    if not conflicts:
        return
    name = _row if ids is None else ids.__getitem__
    shortest = min(conflicts, key=lambda conflict: len(conflict.chain))
    drop = [f"{name(i)} {kind} {name(j)}" for kind, (i, j) in constraints.repair()]
    more = len(drop) - _SHOWN
    cheapest = " and ".join([*drop[:_SHOWN], *([f"{more} more"] if more > 0 else [])])
    in_all = f" ({len(conflicts)} contradictions in all)" if len(conflicts) > 1 else ""
    raise InputError(
        f"contradiction: {shortest.describe(name)}{in_all}; smallest set to remove: {cheapest}"
    )


def _neighbours(must: Links, n: int) -> sp.csr_array:
    ends = np.concatenate([must.left, must.right]), np.concatenate([must.right, must.left])
    return sp.csr_array((np.ones(len(ends[0])), ends), shape=(n, n))


def _predecessors(graph: sp.csr_array, source: int) -> Rows:
    from scipy.sparse.csgraph import breadth_first_order

    return np.asarray(breadth_first_order(graph, source)[1])


def _ends(chain: tuple[int, ...]) -> tuple[int, ...]:
    return chain if len(chain) <= 2 * _SHOWN + 1 else chain[:_SHOWN] + chain[-_SHOWN:]


def _row(row: int) -> str:
    return f"row {row}"
