"""What links entail: Wagstaff et al. 2001; Basu, Bilenko and Mooney 2003, 3.1.

(a, b) and (b, c) must-linked  =>  (a, c) must-linked
(a, b) must-linked and (b, c) cannot-linked  =>  (a, c) cannot-linked
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.supervision.components import components
from textclust.supervision.links import Links, Rows, Weights

__all__ = ["closure"]


def closure(links: Links, limit: int | None = None) -> Links | None:
    """The links with all that follow from them, sorted; None if more than `limit`.

    A pair given several times has the sum of its weights, an entailed one has weight 1. A
    cannot-link between documents that must-links join is kept and entails nothing.
    """
    near = links.within()
    n = len(links.documents)
    must, cannot = near.where(near.together), near.where(~near.together)
    blocks = _Blocks.of(components(must, n))
    ends = np.sort(np.stack([blocks.number[cannot.left], blocks.number[cannot.right]]), axis=0)
    contradictory = cannot.where(ends[0] == ends[1])
    separate = np.unique(ends[:, ends[0] != ends[1]], axis=1)
    contradictory_keys = np.unique(_keys(contradictory.left, contradictory.right, n))
    if (
        limit is not None
        and blocks.inside() + blocks.between(separate) + len(contradictory_keys) > limit
    ):
        return None
    must_keys = np.sort(_keys(*blocks.pairs_inside(), n))
    cannot_keys = np.union1d(_keys(*blocks.pairs_between(separate), n), contradictory_keys)
    keys = np.concatenate([must_keys, cannot_keys])
    weights = np.concatenate([_weights(must_keys, must, n), _weights(cannot_keys, cannot, n)])
    left, right = np.divmod(keys, n) if n else (keys, keys)
    return Links(
        links.documents[left],
        links.documents[right],
        np.arange(len(keys)) < len(must_keys),
        weights,
    )


@dataclass(frozen=True)
class _Blocks:
    """Positions in the order of their components: each component is a run of `members`."""

    number: Rows
    members: Rows
    sizes: Rows
    starts: Rows

    @classmethod
    def of(cls, component: Rows) -> _Blocks:
        sizes = np.bincount(component)
        return cls(component, np.argsort(component, kind="stable"), sizes, np.cumsum(sizes) - sizes)

    def inside(self) -> int:
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def between(self, separate: Rows) -> int:
        return int((self.sizes[separate[0]] * self.sizes[separate[1]]).sum())

    def pairs_inside(self) -> tuple[Rows, Rows]:
        """Every two members of one component."""
        places = np.arange(len(self.members))
        after = np.repeat(self.starts + self.sizes, self.sizes) - places - 1
        return self.members[np.repeat(places, after)], self.members[_runs(places + 1, after)]

    def pairs_between(self, separate: Rows) -> tuple[Rows, Rows]:
        """Every two members of different components that have a cannot-link between them."""
        first, second = separate
        one = _runs(self.starts[first], self.sizes[first])
        other = np.repeat(second, self.sizes[first])
        both = np.repeat(one, self.sizes[other]), _runs(self.starts[other], self.sizes[other])
        return self.members[both[0]], self.members[both[1]]


def _runs(starts: Rows, lengths: Rows) -> Rows:
    """Runs of consecutive numbers, one after the other."""
    before = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum()) - np.repeat(before - starts, lengths)


def _keys(left: Rows, right: Rows, n: int) -> Rows:
    """One number for each pair, the same in either order; they sort as the pairs do."""
    return np.minimum(left, right) * n + np.maximum(left, right)


def _weights(keys: Rows, given: Links, n: int) -> Weights:
    known, pair = np.unique(_keys(given.left, given.right, n), return_inverse=True)
    weights = np.ones(len(keys))
    weights[np.searchsorted(keys, known)] = np.bincount(pair, given.weights, len(known))
    return weights
