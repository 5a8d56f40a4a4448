"""A table of costs that is exact where that makes a difference.

Single precision fills a table in half the time. Its error is known for each row, so
whoever compares two entries can tell whether it matters, and asks for the row again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np

from textclust.geometry.affine import Array, Labels

__all__ = ["CostTable"]


class CostTable:
    """What each of some documents costs in every cluster, to within `errors` of each row."""

    def __init__(self, values: Array, errors: Array, exact: Callable[[Labels], Array]) -> None:
        self._values, self._errors, self._exact = values, errors, exact

    @classmethod
    def of(cls, costs: Self | Array) -> Self:
        """A table that is exact already."""
        if isinstance(costs, cls):
            return costs
        values = np.asarray(costs)
        return cls(values, np.zeros(len(values)), values.__getitem__)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of documents and of clusters."""
        return self._values.shape[0], self._values.shape[1]

    def plus(self, added: Array, rows: Labels | None, slack: Array | float = 0.0) -> Array:
        """The costs of some documents, or of all, plus something for each cluster.

        The least entry of each row is exact, and so are those above it by no more than
        `slack`, unless it is the only one.
        """
        chosen = slice(None) if rows is None else rows
        total, errors = self._values[chosen] + added, self._errors[chosen]
        with np.errstate(invalid="ignore"):  # where every cluster is forbidden
            reach = total.min(axis=1) + (2.0 * errors + slack)
            alone = (total <= reach[:, None]).sum(axis=1) == 1  # False too where float32 overflowed
        doubtful = np.flatnonzero((errors > 0) & ~alone)
        if len(doubtful):
            places = doubtful if rows is None else rows[doubtful]
            self._settle(places)
            total[doubtful] = self._values[places] + added[doubtful]
        return total

    def cheapest(self) -> Labels:
        """The cluster of least cost of every document, ties to the lowest number."""
        return self.plus(np.zeros(self.shape), None).argmin(axis=1)

    def weighted(self, rows: Labels, weights: Array) -> CostTable:
        """Some of the documents, each times its weight; what is forbidden stays so."""

        def times(costs: Array, chosen: Array) -> Array:
            product = np.array(costs)
            return np.multiply(product, chosen[:, None], out=product, where=np.isfinite(product))

        errors = np.where(weights > 0, self._errors[rows], 0.0) * weights
        return CostTable(
            times(self._values[rows], weights),
            np.where(np.isfinite(self._errors[rows]), errors, np.inf),
            lambda chosen: times(self._exact(rows[chosen]), weights[chosen]),
        )

    def exactly(self) -> Array:
        """The whole table in double precision."""
        self._settle(np.flatnonzero(self._errors > 0))
        return self._values

    def _settle(self, rows: Labels) -> None:
        if len(rows):
            self._values[rows] = self._exact(rows)
            self._errors[rows] = 0.0
