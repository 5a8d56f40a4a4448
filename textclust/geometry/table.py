"""A table of costs, worked out only where somebody looks and exactly where that matters.

Single precision fills a row in half the time. Its error is known for each row, so
whoever compares two entries can tell whether it matters, and asks for the row again.
Whoever knows by how much a cluster leads need not look at the row at all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np

from textclust.geometry.affine import Array, Estimates, Labels

__all__ = ["CostTable", "Leaders"]


class Leaders(NamedTuple):
    """A cluster for each document, and how much more every other costs it, at least."""

    labels: Labels
    leads: Array

    def weighted(self, weights: Array) -> Leaders:
        """The same where each cost counts times its document's weight."""
        unknown = np.full(len(self.leads), -np.inf)  # without weight nothing leads
        leads = np.multiply(self.leads, weights, out=unknown, where=weights > 0)
        return Leaders(self.labels, leads)


class CostTable:
    """What each of some documents costs in every cluster.

    `rough` works out some rows to within an error of each, `exact` in double precision.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        rough: Callable[[Labels], Estimates],
        exact: Callable[[Labels], Array],
        leaders: Leaders | None = None,
    ) -> None:
        self.shape, self.leaders = shape, leaders
        self.rough, self.exact = rough, exact
        self._place = np.full(shape[0], -1)  # of a row among those worked out
        self._values, self._errors = np.empty((0, shape[1])), np.empty(0)

    @classmethod
    def of(cls, costs: Self | Array) -> Self:
        """A table that is exact already."""
        if isinstance(costs, cls):
            return costs
        values = np.asarray(costs)
        return cls.of_rows((values.shape[0], values.shape[1]), values.__getitem__)

    @classmethod
    def of_rows(cls, shape: tuple[int, int], exact: Callable[[Labels], Array]) -> Self:
        """A table whose rows are exact from the first."""

        def exactly(rows: Labels) -> Estimates:
            return Estimates(exact(rows), np.zeros(len(rows)))

        return cls(shape, exactly, exact)

    @classmethod
    def of_chosen(
        cls,
        rows: Labels,
        k: int,
        rough: Callable[[Labels], Estimates],
        exact: Callable[[Labels], Array],
    ) -> Self:
        """A table of some rows of a matrix, by whose numbers they are worked out."""
        return cls(
            (len(rows), k), lambda chosen: rough(rows[chosen]), lambda chosen: exact(rows[chosen])
        )

    def plus(self, added: Array, rows: Labels | None, slack: Array | float = 0.0) -> Array:
        """The costs of some ascending documents, or of all, plus something for each cluster.

        The least entry of each row is exact, and so are those above it by no more than
        `slack`, unless it is the only one.
        """
        rows = np.arange(self.shape[0]) if rows is None else rows
        places = self._worked_out(rows)
        total, errors = self._values[places] + added, self._errors[places]
        with np.errstate(invalid="ignore"):  # where every cluster is forbidden
            least = total[np.arange(len(total)), total.argmin(axis=1)]
            reach = least + (2.0 * errors + slack)
            alone = (total <= reach[:, None]).sum(axis=1) == 1  # False too where float32 overflowed
        doubtful = np.flatnonzero((errors > 0) & ~alone)
        if len(doubtful):
            self._settle(rows[doubtful])
            total[doubtful] = self._values[places[doubtful]] + added[doubtful]
        return total

    def adding(self, extra: Array) -> CostTable:
        """The costs plus something for each document, in one column or in one for each cluster."""

        def rough(rows: Labels) -> Estimates:
            found = self.rough(rows)
            with np.errstate(invalid="ignore"):  # what single precision could not hold
                return Estimates(found.costs + extra[rows], found.errors)

        def exact(rows: Labels) -> Array:
            return self.exact(rows) + extra[rows]

        return CostTable(self.shape, rough, exact, self.leaders)

    def led_by(self, leaders: Leaders) -> CostTable:
        """The same where it is known how far a cluster leads in each row."""
        return CostTable(self.shape, self.rough, self.exact, leaders)

    def cheapest(self) -> Labels:
        """The cluster of least cost of every document, ties to the lowest number."""
        return self.plus(np.zeros(self.shape), None).argmin(axis=1)

    def weighted(self, weights: Array) -> CostTable:
        """The costs of each document times its weight; what is forbidden stays so."""
        if (weights == 1.0).all():
            return self

        def times(costs: Array, rows: Labels) -> Array:
            product = np.array(costs)
            chosen = weights[rows, None]
            return np.multiply(product, chosen, out=product, where=np.isfinite(product))

        def rough(rows: Labels) -> Estimates:
            found, chosen = self.rough(rows), weights[rows]
            errors = np.where(chosen > 0, found.errors, 0.0) * chosen
            errors[~np.isfinite(found.errors)] = np.inf
            return Estimates(times(found.costs, rows), errors)

        def exact(rows: Labels) -> Array:
            return times(self.exact(rows), rows)

        return CostTable(self.shape, rough, exact, self.leaders and self.leaders.weighted(weights))

    def exactly(self) -> Array:
        """The whole table in double precision."""
        missing = np.flatnonzero(self._place < 0)
        self._add(missing, Estimates(self.exact(missing), np.zeros(len(missing))))
        self._settle(np.flatnonzero(self._errors[self._place] > 0))
        return self._values[self._place]

    def _worked_out(self, rows: Labels) -> Labels:
        """The places of these rows, after working out those that nobody has asked for yet."""
        missing = rows[self._place[rows] < 0]
        if len(missing):
            self._add(missing, self.rough(missing))
        return self._place[rows]

    def _add(self, rows: Labels, found: Estimates) -> None:
        before = len(self._values)
        self._place[rows] = before + np.arange(len(rows))
        self._values = np.concatenate([self._values, found.costs]) if before else found.costs
        self._errors = np.concatenate([self._errors, found.errors]) if before else found.errors

    def _settle(self, rows: Labels) -> None:
        if len(rows):
            places = self._place[rows]
            self._values[places], self._errors[places] = self.exact(rows), 0.0
