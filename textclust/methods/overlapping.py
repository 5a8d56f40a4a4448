"""Documents in several clusters at once (Banerjee et al. 2005; Basu 2005, 7.3).

    E(Z, A) = sum_i w_i [D(x_i, Z_i A) + p (|Z_i| - 1)]  +  sum_(i,j) V_ij(Z_i, Z_j)

Z is binary, and every document is in some cluster. What Z_i A is says `blends`. A further
cluster may have a price p; in the paper it has none. A must-link is broken by two documents
that share no cluster, a cannot-link by two that share one.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np

from textclust.engine.alternation import alternate
from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.problem import Solution
from textclust.engine.restarts import in_canonical_order
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.blends import Blend, blend_of, distinct
from textclust.geometry.capabilities import cold
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.stopping import half_of_the_time
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.links import Links

__all__ = ["OverlappingKMeansSolver", "all_sets", "cheapest_sets", "primary"]

_EXACT = 8  # clusters, whose sets can all be tried
_ENTRIES = 1 << 22  # of a table of costs held at a time
_SWEEPS = 10
_ROUNDING = 1e-12


@dataclass(repr=False, eq=False)
class OverlappingKMeansSolver(KMeansSolver):
    """The parameters of `textclust.OverlappingKMeans`, and how it solves a problem."""

    rules: ClassVar[Parameters] = parameters.OVERLAPPING

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    price: float = 0.0
    weight: float | str = "auto"
    search: str = "auto"

    def published(self) -> Settings:
        """From one run of k-means, dynamicM; links, which the paper has none of, of weight 1."""
        return {**super().published(), "weight": 1.0, "search": "greedy"}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The clustering found from that of k-means; clusters with most documents first."""
        constraints = supervision.constraints
        problem = self._problem(X, weights)
        with half_of_the_time():
            initial = in_canonical_order(problem, self._descend(problem))
        links = None
        if constraints is not None and len(Constraints.given(constraints, X.shape[0])):
            weight = (
                default_constraint_weight(problem) if self.weight == "auto" else float(self.weight)
            )
            links = constraints.links.times(weight)
        final = replace(problem, distortion=cold(problem.distortion))
        blend = blend_of(final.X, final.effective_weights, final.distortion)
        found = self._overlapping(blend, initial, float(self.price), links)
        if constraints is None or links is None:
            return replace(found, distortion=final.distortion)
        assert found.memberships is not None
        judged = constraints.links.judged(found.memberships, links.weights)
        return replace(found, distortion=final.distortion, link_prices=links.weights, links=judged)

    @property
    def is_exact(self) -> bool:
        """Whether every set of clusters is tried for every document."""
        return self.search == "exact" or (self.search == "auto" and self.n_clusters <= _EXACT)

    def _overlapping(
        self, blend: Blend, initial: Solution, price: float, links: Links | None
    ) -> Solution:
        """Alternate memberships and prototypes until the energy rests."""

        def iterate(state: tuple[Array, Array]) -> tuple[tuple[Array, Array], float, int]:
            prototypes, before = state
            z = self._joined(blend, prototypes, before, price, links)
            prototypes = blend.improved(prototypes, z)
            moved = int((z != before).any(axis=1).sum())
            return (prototypes, z), _energy(blend, prototypes, z, price, links), moved

        start = np.ascontiguousarray(initial.prototypes)
        alone = np.eye(len(start), dtype=bool)[initial.labels]
        descent = alternate((start, alone), iterate, max_iter=self.max_iter, tol=self.tol)
        prototypes, z = descent.state
        z = self._joined(blend, prototypes, z, price, links)
        order = _largest_first(primary(blend, prototypes, z), blend.weights, len(prototypes))
        prototypes = prototypes[order]
        z = self._joined(blend, prototypes, z[:, order], price, links)
        return replace(
            initial,
            labels=primary(blend, prototypes, z),
            prototypes=np.asfortranarray(prototypes),
            energy=_energy(blend, prototypes, z, price, links),
            converged=descent.converged,
            n_iter=len(descent.history),
            history=descent.history,
            memberships=z,
        )

    def _joined(
        self, blend: Blend, prototypes: Array, z: Array, price: float, links: Links | None
    ) -> Array:
        """E-step: sets that cost no more than those before, linked documents in turn."""
        found = cheapest_sets(blend, prototypes, price, exact=self.is_exact)
        if not self.is_exact:
            now, then = (_priced(blend, prototypes, each, price) for each in (found, z))
            found = np.where((now <= then)[:, None], found, z)
        return found if links is None else _linked(blend, prototypes, z, found, price, links)


def all_sets(k: int, most: int | None = None) -> Array:
    """Every set of up to `most` of k clusters but the empty one, the smallest first."""
    sizes = range(1, (k if most is None else min(most, k)) + 1)
    chosen = [list(each) for size in sizes for each in combinations(range(k), size)]
    sets = np.zeros((len(chosen), k), dtype=bool)
    for row, each in enumerate(chosen):
        sets[row, each] = True
    return sets


def cheapest_sets(blend: Blend, prototypes: Array, price: float, *, exact: bool) -> Array:
    """The set of clusters that each row costs least in, the smaller of equals.

    Exactly, or by the greedy search of the paper (dynamicM): from each single cluster, the
    best further one is added for as long as that helps, and the cheapest end is taken.
    """
    if not exact:
        return _greedily(blend, prototypes, price)
    sets = all_sets(len(prototypes))
    dear = price * (sets.sum(axis=1) - 1)
    n, step = len(blend.own), max(1, _ENTRIES // len(sets))
    found = np.empty((n, len(prototypes)), dtype=bool)
    for begin in range(0, n, step):
        part = np.arange(begin, min(n, begin + step))
        found[part] = sets[_first_lowest(blend.of(part).costs(prototypes, sets) + dear)]
    return found


def _greedily(blend: Blend, prototypes: Array, price: float) -> Array:
    k, n = len(prototypes), len(blend.own)
    singles = np.eye(k, dtype=bool)
    costs = blend.costs(prototypes, singles)
    best_set = singles[_first_lowest(costs)]
    best = costs.min(axis=1)
    for h in range(k):
        z, cost, rows = np.tile(singles[h], (n, 1)), costs[:, h].copy(), np.arange(n)
        while len(rows):
            more = blend.of(rows).additions(prototypes, z[rows])
            more += price * z[rows].sum(axis=1, keepdims=True)
            more[z[rows]] = np.inf
            added = more.argmin(axis=1)
            after = more[np.arange(len(rows)), added]
            helps = after < cost[rows] - _ROUNDING
            rows, added = rows[helps], added[helps]
            z[rows, added], cost[rows] = True, after[helps]
        lower = cost < best - _ROUNDING
        best_set[lower], best[lower] = z[lower], cost[lower]
    return best_set


def primary(blend: Blend, prototypes: Array, memberships: Array) -> Labels:
    """The one of its clusters that each row is nearest to by itself."""
    alone = blend.costs(prototypes, np.eye(len(prototypes), dtype=bool))
    return _first_lowest(np.where(memberships, alone, np.inf))


def _linked(
    blend: Blend, prototypes: Array, before: Array, found: Array, price: float, links: Links
) -> Array:
    """Linked documents one after the other, given the sets of all others, until none moves."""
    rows, within = links.documents, links.within()
    most = None if len(prototypes) <= _EXACT else 2
    both = np.concatenate([before[rows], found[rows]])
    sets, which = distinct(np.concatenate([all_sets(len(prototypes), most), both]))
    table = blend.weights[rows, None] * (
        blend.of(rows).costs(prototypes, sets) + price * (sets.sum(axis=1) - 1)
    )
    z, place = found.copy(), which[len(which) - 2 * len(rows) : len(which) - len(rows)]
    partners = _partners(within, len(rows))
    for _ in range(_SWEEPS):
        moved = False
        for i, own in enumerate(partners):
            costs = table[i].copy()
            for j, together, weight in own:
                shared = (sets & sets[place[j]]).any(axis=1)
                costs += weight * (shared != together)
            best = int(costs.argmin())
            if costs[best] < costs[place[i]] - _ROUNDING:
                place[i], moved = best, True
        if not moved:
            break
    z[rows] = sets[place]
    return z


def _partners(links: Links, count: int) -> list[list[tuple[int, bool, float]]]:
    """For each linked document the others, whether they belong together, and the price."""
    partners: list[list[tuple[int, bool, float]]] = [[] for _ in range(count)]
    rows = zip(links.pairs(), links.together.tolist(), links.weights.tolist(), strict=True)
    for (i, j), together, weight in rows:
        partners[i].append((j, together, weight))
        partners[j].append((i, together, weight))
    return partners


def _priced(blend: Blend, prototypes: Array, z: Array, price: float) -> Array:
    return blend.costs_at(prototypes, z) + price * (z.sum(axis=1) - 1)


def _energy(blend: Blend, prototypes: Array, z: Array, price: float, links: Links | None) -> float:
    energy = float(blend.weights @ _priced(blend, prototypes, z, price))
    return energy if links is None else energy + float(links.weights @ links.violations(z))


def _first_lowest(table: Array) -> Labels:
    """The first column of each row that is lowest, but for rounding."""
    lowest = table.min(axis=1, keepdims=True)
    return np.asarray((table <= lowest + _ROUNDING).argmax(axis=1), dtype=np.intp)


def _largest_first(labels: Labels, weights: Array, k: int) -> Labels:
    sizes = np.bincount(labels[weights > 0], minlength=k)
    firsts = np.full(k, len(labels))
    np.minimum.at(firsts, labels, np.arange(len(labels)))
    return np.lexsort((firsts, -sizes))
