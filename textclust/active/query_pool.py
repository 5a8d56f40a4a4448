"""The documents that questions are about: how far apart they are, without an n x n matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.active.density import densities
from textclust.active.distances import Between, Distance, distance_of
from textclust.active.spaces import point_of, seen_in
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.validation import finite_rows

__all__ = ["QueryPool"]

Group = Sequence[int]


class QueryPool:
    """Documents in a space with a distance, and a random order to take them in.

    One product of the matrix with a point gives the distances from it to all documents. Those
    to the nearest of some rows are kept as a running minimum, one for what is known and one for
    what a question looks ahead to; those to the centre of a group until it changes. What they are
    is always a function of the rows alone.

    >>> pool = QueryPool(np.array([[0.0], [1.0], [7.0]]), "euclidean", np.random.default_rng(0))
    >>> pool.from_nearest([0, 1])
    array([0., 0., 6.])
    >>> pool.from_centre([0, 1])
    array([0.5, 0.5, 6.5])
    """

    def __init__(
        self,
        X: Matrix,
        distance: str | Between,
        rng: np.random.Generator,
        space: str = "full",
        n_clusters: int | None = None,
    ) -> None:
        self._distance: Distance = distance_of(distance)
        self._X = self._distance.prepare(seen_in(space, finite_rows(X), n_clusters, rng))
        self.n: int = self._X.shape[0]
        rows = rng.permutation(self.n)
        self.order: Labels = rows[self._distance.placeable(self._X)[rows]]
        nothing: tuple[frozenset[int], Array] = frozenset(), self._far_away()
        self._nearest = [nothing, nothing]  # rows and distances to the nearest: before, and last
        self._centres: dict[frozenset[int], Array] = {}

    def from_nearest(self, rows: Iterable[int]) -> Array:
        """How far each document is from the nearest of these rows."""
        wanted = frozenset(rows)
        before, last = self._nearest
        if last[0] <= wanted:
            chosen, least = last
        else:  # a set looks ahead, and the next question is asked without that
            chosen, least = before if before[0] <= wanted else (frozenset(), self._far_away())
        least = least.copy()
        for row in sorted(wanted - chosen):
            found = self._distance.between(self._X, point_of(self._X, row))
            found[row] = 0.0
            np.minimum(least, found, out=least)
        self._nearest = [before if last[0] <= wanted else (wanted, least), (wanted, least)]
        return least.copy()

    def _far_away(self) -> Array:
        return np.full(self.n, np.inf)

    def from_centre(self, group: Group) -> Array:
        """How far each document is from the centre of a group."""
        key = frozenset(group)
        if key not in self._centres:
            centre = point_of(self._means([group]), 0)
            self._centres[key] = self._distance.between(self._X, centre)
        return self._centres[key]

    def from_centres(self, groups: Sequence[Group]) -> Array:
        """How far each document is from the centre of each group: n x g."""
        current = {frozenset(group) for group in groups}
        self._centres = {key: far for key, far in self._centres.items() if key in current}
        return np.stack([self.from_centre(group) for group in groups], axis=1)

    def nearest_group(self, group: Group, groups: Sequence[Group]) -> int:
        """The place among the groups of the one whose centre is nearest to that of a group."""
        centre = point_of(self._means([group]), 0)
        return int(self._distance.between(self._means(groups), centre).argmin())

    def nearest_pairs(self, groups: Sequence[Group]) -> list[tuple[int, int]]:
        """The pairs with the nearest centres, as many as there are groups, the nearest first."""
        centres, pairs = self._means(groups), []
        for one in range(1, len(groups)):
            away = self._distance.between(centres[:one], point_of(centres, one))
            pairs += [(far, one, other) for other, far in enumerate(away.tolist())]
        return [(one, other) for _, one, other in sorted(pairs)[: len(groups)]]

    @cached_property
    def density(self) -> Array:
        """How dense the documents lie around each: 1 at the median, at most 10."""
        return densities(self._distance, self._X, self.order)

    def _means(self, groups: Sequence[Group] | Sequence[Labels]) -> Matrix:
        """The centres of groups, a row each."""
        sizes = np.array([len(group) for group in groups])
        shares = np.repeat(1.0 / sizes, sizes)
        bounds = np.concatenate([[0], np.cumsum(sizes)])
        mean = sp.csr_array((shares, np.arange(bounds[-1]), bounds), (len(sizes), bounds[-1]))
        return self._distance.centres(mean @ self._X[np.concatenate(list(groups))])
