"""A number for each pair that is linked, to be found again by its documents and its kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from textclust.supervision.links import Links, Weights

__all__ = ["ByPair"]


class ByPair:
    """The numbers of some links.

    >>> links = Links(*(np.array(each) for each in ([4, 0], [2, 1], [True, False], [1.0, 1.0])))
    >>> ByPair(links, np.array([0.5, 0.2])).of(links.where(np.array([True, False])))
    array([0.5])
    """

    def __init__(self, links: Links, numbers: Weights) -> None:
        self._numbers = dict(zip(_pairs(links), numbers.tolist(), strict=True))

    def of(self, links: Links) -> Weights:
        """The number of each of these links, 1 for one that is not known."""
        return np.array([self._numbers.get(pair, 1.0) for pair in _pairs(links)], dtype=float)


def _pairs(links: Links) -> Iterator[tuple[int, int, bool]]:
    """The documents of each link, the lower row first, and whether they must be together."""
    lower, upper = np.minimum(links.left, links.right), np.maximum(links.left, links.right)
    return zip(lower.tolist(), upper.tolist(), links.together.tolist(), strict=True)
