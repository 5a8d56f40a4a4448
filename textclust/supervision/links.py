"""Pairs of documents as arrays: the form in which methods take them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Flags", "Links", "Rows", "Weights"]

Rows = NDArray[np.intp]
Flags = NDArray[np.bool_]
Weights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Links:
    """Must-links and cannot-links, one in each place of four arrays of the same length.

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

    def __len__(self) -> int:
        return len(self.left)

    @property
    def documents(self) -> Rows:
        """The rows that are in some link, ascending and each once."""
        return self._places[0]

    def within(self) -> Links:
        """The same links, with positions in `documents` for rows."""
        left, right = np.split(self._places[1], 2)
        return Links(left, right, self.together, self.weights)

    @cached_property
    def _places(self) -> tuple[Rows, Rows]:
        """The rows, and where among them all left ends and then all right ends are."""
        return np.unique(np.concatenate([self.left, self.right]), return_inverse=True)

    def times(self, factors: Weights | float) -> Links:
        """The same links, each with its weight times a factor."""
        return Links(self.left, self.right, self.together, factors * self.weights)

    def where(self, chosen: Flags) -> Links:
        """Only the chosen ones of the links, in their order."""
        return Links(
            self.left[chosen], self.right[chosen], self.together[chosen], self.weights[chosen]
        )

    def pairs(self) -> list[tuple[int, int]]:
        """The two rows of each link."""
        return list(zip(self.left.tolist(), self.right.tolist(), strict=True))
