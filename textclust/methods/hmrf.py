"""k-means with pairwise constraints: PC-KMeans and HMRF-KMeans.

    E = sum_i D(x_i, mu_{y_i})  +  w (violated must-links + violated cannot-links)

Basu, Bilenko and Mooney 2003, eq. (1); Basu 2005, eq. (4.10).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np

from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.emphasis import emphasis_on
from textclust.engine.loop import energy_of
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.refinement import costs_of_joining
from textclust.engine.restarts import in_canonical_order, largest_first
from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.stopping import due, half_of_the_time, while_allowed
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import NOTHING, Supervision
from textclust.supervision.link_noise import LinkNoise, estimate_link_noise
from textclust.supervision.links import Links
from textclust.supervision.potts import Potts

__all__ = ["HMRFKMeansSolver", "PCKMeansSolver", "with_link_prices"]

_MESSAGES = 100_000  # numbers passed along links that a start is worth
_ROUNDS = 3  # of doubting links and clustering with the others
_ENTAILED = 100_000  # pairs, or
_TIMES_GIVEN = 20  # as many as this for each one given


@dataclass(repr=False, eq=False)
class HMRFKMeansSolver(KMeansSolver):
    """Documents and the links between them decide the labels together."""

    rules: ClassVar[Parameters] = parameters.HMRF

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    weight: float | str = "auto"
    inference: str = "icm"
    use_constraints: str = "both"
    entailed: bool | str = "auto"
    emphasis: bool | str = "auto"
    robust: bool = False

    def usual(self) -> Settings:
        """The links as they are given."""
        return {**super().usual(), "entailed": False}

    def published(self) -> Settings:
        """The start of 4.4.3 with the closure of the links, each of weight 1 (4.4.1)."""
        return {
            **super().published(),
            "init": "neighbourhoods",
            "weight": 1.0,
            "entailed": True,
            "emphasis": False,
        }

    def solve(
        self, X: Matrix, weights: Array | None = None, supervision: Supervision = NOTHING
    ) -> Solution:
        """The clustering of lowest energy found; clusters with most documents first."""
        constraints = supervision.constraints
        if constraints is None:
            return super().solve(X, weights, supervision)
        effective = Constraints.given(constraints, X.shape[0]).effective()
        counting = replace(supervision, constraints=effective if len(effective) else None)
        solution = super().solve(X, weights, counting)
        prices = np.zeros(len(constraints))  # nothing is paid for links that only start it
        if solution.link_prices is not None and self.use_constraints != "init":
            prices[constraints.weights > 0] = solution.link_prices
        judged = constraints.links.judged(solution.labels, prices)
        return replace(solution, link_prices=prices, links=judged)

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        constraints = supervision.constraints
        problem = self._problem(X, weights)
        if constraints is None:
            return in_canonical_order(problem, self._descend(problem))
        if self.robust:
            return self._robust_solution(problem, constraints)
        price = self.price(problem)
        guide = self._guided(problem, constraints, price)
        if self.use_constraints == "init":
            return in_canonical_order(problem, self._descend(problem, guide))
        unlinked = self._unlinked(problem) if self._has_own_starts else None
        starts = () if unlinked is None else self._starts_from(unlinked, problem, constraints)
        solution = self._lowest_of_all(guide, starts, unlinked)
        if self._emphasises and not due():
            solution = self._emphasised(problem, guide, solution, constraints)
        return with_link_prices(largest_first(problem, solution), constraints, price)

    def _unlinked(self, problem: Problem) -> Solution:
        """What is found without links, which leaves time to go on with them."""
        with half_of_the_time():
            return self._descend(problem)

    def _refuse_beside_learning(self) -> None:
        """Raise an InputError for settings that do not apply where the distortion is learned."""
        if self.robust:
            raise InputError("robust=True does not go with a learned metric; choose one")
        if self.emphasis is True:
            raise InputError("emphasis=True is for distortions that are not learned; leave it out")

    @property
    def _emphasises(self) -> bool:
        return self._has_own_starts if self.emphasis == "auto" else bool(self.emphasis)

    def _emphasised(
        self, problem: Problem, guide: Problem, solution: Solution, constraints: Constraints
    ) -> Solution:
        """Go on with emphasis on documents that links place, where cross-validation supports it.

        The energy and its history are without the emphasis.
        """
        emphasis = emphasis_on(constraints.links, problem.k)
        if emphasis is None:
            return solution
        n, links = problem.X.shape[0], self._links(constraints, self.price(problem))
        times = emphasis.of_documents(n)
        emphatic = replace(
            problem,
            weights=problem.weights * times,
            interaction=self._potts(links.times(emphasis.of_links(links, n))),
        )
        start = Start(labels=emphasis.in_their_places(solution.labels))
        emphasised = self._lowest(emphatic, iter([start]))
        if not emphasis.is_supported(problem, solution, emphasised):
            return solution
        return replace(
            emphasised,
            energy=energy_of(guide, emphasised),
            history=solution.history,
            n_iter=solution.n_iter + emphasised.n_iter,
            unsupervised=solution.unsupervised,
            emphasis=times,
        )

    @property
    def _has_own_starts(self) -> bool:
        """Whether it chooses its starts itself, and so does more than the papers do."""
        return isinstance(self.init, str) and self.init == "auto"

    def _starts_from(
        self, unlinked: Solution, problem: Problem, constraints: Constraints
    ) -> Iterator[Start]:
        """What is found without links, and the most likely labels given that."""
        yield Start(labels=unlinked.labels)
        if 2 * len(constraints) * problem.k <= _MESSAGES:
            noise = self._link_noise(problem, constraints, unlinked)
            yield self._most_probable_start(unlinked, noise, constraints)

    def _robust_solution(self, problem: Problem, constraints: Constraints) -> Solution:
        """Links that contradict the others and the documents are left out or count less."""
        if self.use_constraints == "init":
            raise InputError("robust=True needs use_constraints='both'")
        if self.emphasis is True:
            raise InputError("emphasis=True and robust=True exclude each other; choose one")
        solution = unlinked = self._unlinked(problem)
        for _ in while_allowed(range(_ROUNDS)):
            noise = self._link_noise(problem, constraints, solution)
            price = noise.price if self.weight == "auto" else float(self.weight)
            guide = self._guided(problem, constraints.times(noise.link_reliability), price)
            start, before = self._most_probable_start(solution, noise, constraints), solution.labels
            solution = self._lowest(guide, iter([start]))
            if (solution.labels == before).all():
                break
        solution = self._lowest_of_all(guide, [Start(labels=solution.labels)], unlinked)
        prices = price * noise.link_reliability
        return with_link_prices(largest_first(guide, solution), constraints, prices)

    def _lowest_of_all(
        self, guide: Problem, starts: Iterable[Start], unlinked: Solution | None
    ) -> Solution:
        """The lowest from these starts and from those that `init` names."""
        rng = generator(self.random_state)
        best = self._lowest(guide, chain(starts, self._starts(guide, rng)), rng)
        return replace(best, unsupervised=None if unlinked is None else unlinked.labels)

    def _link_noise(
        self, problem: Problem, constraints: Constraints, solution: Solution
    ) -> LinkNoise:
        """How reliable each link is, given the clusters of a solution."""
        links, partition = constraints.links, Partition(problem, solution.labels)
        costs = costs_of_joining(problem, solution.distortion, partition, links.documents)
        return estimate_link_noise(costs, links)

    def _most_probable_start(
        self, solution: Solution, noise: LinkNoise, constraints: Constraints
    ) -> Start:
        """Linked documents in their most likely clusters, all others where they are."""
        labels = solution.labels.copy()
        labels[constraints.links.documents] = noise.labels
        return Start(labels=labels)

    def price(self, problem: Problem) -> float:
        """What it costs to break a link of weight 1.

        "auto" is a share of the mean distortion of a document from the centre of all, so
        that a link weighs as much under each distortion and on any scale.
        """
        return default_constraint_weight(problem) if self.weight == "auto" else float(self.weight)

    def _guided(self, problem: Problem, constraints: Constraints, price: float) -> Problem:
        return replace(problem, interaction=self._potts(self._links(constraints, price)))

    def _links(self, constraints: Constraints, price: float) -> Links:
        """The links at this price and, if wanted, what follows from them."""
        limit = max(_ENTAILED, _TIMES_GIVEN * len(constraints))
        known = (self.entailed and constraints.entailed(limit)) or constraints
        return known.links.times(price)

    def _potts(self, links: Links) -> Potts:
        return Potts(links, self.inference)


@dataclass(repr=False, eq=False)
class PCKMeansSolver(HMRFKMeansSolver):
    """The same in Euclidean space, where it came from."""

    _: KW_ONLY
    distortion: DistortionLike = "euclidean"
    weight: float | str = 1.0

    def published(self) -> Settings:
        """The k largest neighbourhoods as the start (Basu, Bilenko and Mooney 2003, 3.1)."""
        return {**super().published(), "init": "largest"}


def with_link_prices(
    solution: Solution, constraints: Constraints, price: float | Array
) -> Solution:
    """The solution with what it costs to break each link: its weight times the price."""
    return replace(solution, link_prices=price * constraints.weights)
