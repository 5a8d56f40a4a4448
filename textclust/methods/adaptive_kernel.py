"""Kernel k-means that learns the width of its kernel: Adaptive-SS-Kernel-KMeans.

Yan and Domeniconi 2006, section 3; `kernel_width` has the objective J. The paper does not say
where sigma begins, and J is a poor judge of that: for two clusters it falls with sigma until no
two documents are alike. So "auto" asks the links. Under each of a few widths the documents are
clustered without links, and the width whose clusters break fewest of them is the first. Starts
are compared under it, and the loop that learns begins at the best.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from operator import attrgetter
from typing import ClassVar

import numpy as np

from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import in_canonical_order, largest_first
from textclust.engine.spectral_starts import starts_in_feature_space
from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.expansion import placed
from textclust.geometry.feature_space import InFeatureSpace, identity
from textclust.geometry.similarity import refuse_too_many
from textclust.methods import parameters
from textclust.methods.hmrf import with_link_prices
from textclust.methods.kernel_kmeans import SSKernelKMeansSolver
from textclust.methods.kmeans import generator
from textclust.methods.learners.kernel_width import WidthLearner, median_squared_distance, width_of
from textclust.parameters import Parameters, Settings
from textclust.stopping import while_allowed
from textclust.supervision.by_pair import ByPair
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.links import Links

__all__ = ["AdaptiveSSKernelKMeansSolver"]

_FIRST = (1 / 8, 1 / 3, 1 / 24, 1.0, 1 / 64)  # squared widths to ask links about, most likely first
_MAX_FACTOR = 100.0  # times what the paper has a link cost
_TABLES = 3  # numbers held for every two documents
_TRIES = 2  # under each of these


@dataclass(repr=False, eq=False)
class AdaptiveSSKernelKMeansSolver(SSKernelKMeansSolver):
    """Documents and links decide the labels and the width together."""

    rules: ClassVar[Parameters] = parameters.ADAPTIVE_KERNEL

    _: KW_ONLY
    reference: str = "auto"

    def describe(self) -> str:
        """What the method is run with, in words."""
        return f"{super().describe()} of learned width"

    def usual(self) -> Settings:
        """The spread of the documents measured from all of them."""
        return {**super().usual(), "reference": "all"}

    def published(self) -> Settings:
        """The spread of the documents measured from one of them, drawn at random."""
        return {**super().published(), "reference": "random"}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        constraints = supervision.constraints
        if self.robust:
            raise InputError("robust=True does not go with a learned kernel; choose one")
        if self.emphasis is True:
            raise InputError("emphasis=True is for kernels that are not learned; leave it out")
        plain = self._outside(X, weights)
        if self.n_landmarks is not None:
            return self._from_sample(plain, constraints)
        learner = self._learner(plain, constraints)
        rows = replace(plain, X=identity(X.shape[0]))
        first = self._first_width(learner, rows)
        if self.weight == "auto" and learner.links is not None:
            learner = replace(learner, links=_evened(learner, first))
        constrained = learner if self.use_constraints == "both" else replace(learner, links=None)
        solution = self._learned(constrained.at(first, rows), learner.at(first, rows))
        arrange = in_canonical_order if constrained.links is None else largest_first
        solution = arrange(rows, solution)
        if constraints is None or constrained.links is None:
            return solution
        prices = constrained.links.weights * constrained.penalties(width_of(solution.distortion))
        given = self._links(constraints, 1.0)
        factors = ByPair(constrained.links, prices / given.weights).of(constraints.links)
        return with_link_prices(solution, constraints, factors)

    def _learner(self, plain: Problem, constraints: Constraints | None) -> WidthLearner:
        from sklearn.metrics.pairwise import euclidean_distances

        n, masses = plain.X.shape[0], np.array(plain.weights)
        refuse_too_many(n, _TABLES)
        reference = masses / masses.sum()
        if self.reference == "random":
            drawn = generator(self.random_state).choice(n, p=reference)
            reference = np.eye(1, n, drawn)[0]
        price = 1.0 if self.weight == "auto" else float(self.weight)
        links = None if constraints is None else self._links(constraints, price)
        squares = euclidean_distances(plain.X, squared=True).astype(np.float64)
        return WidthLearner(plain.X, squares, masses, reference, links, self.inference)

    def _first_width(self, learner: WidthLearner, rows: Problem) -> float:
        """The width given, or the one under which clusters made without links break fewest."""
        if self.width != "auto":
            return float(self.width)
        typical_square, links = (
            median_squared_distance(learner.squares, learner.masses),
            learner.links,
        )
        widths = np.sqrt(typical_square * np.array(_FIRST))
        if links is None:
            return float(widths[0])
        unlinked, broken = replace(learner, links=None), []
        for width in while_allowed(widths):
            problem = replace(unlinked.at(width, rows), learner=None)
            starts = starts_in_feature_space(problem, _TRIES, generator(self.random_state))
            labels = self._lowest(problem, starts).labels
            same = labels[links.left] == labels[links.right]
            broken.append(float(links.weights[same != links.together].sum()))
        return float(widths[int(np.argmin(broken))])

    def _learned(self, problem: Problem, guide: Problem) -> Solution:
        """Where J is lowest from the best start under the first width."""
        if not isinstance(self.init, str) or self.init != "auto":
            return self._descend(problem, guide)
        fixed = replace(guide, learner=None)
        best = self._descend(fixed)
        if guide.interaction is not None:
            unlinked = self._descend(replace(fixed, interaction=None))
            there = self._lowest(fixed, iter([Start(labels=unlinked.labels)]))
            best = min(best, there, key=attrgetter("energy"))
        return self._lowest(problem, iter([Start(labels=best.labels)]))

    def _from_sample(self, plain: Problem, constraints: Constraints | None) -> Solution:
        """The clusters of linked documents and some others; the rest go to the nearest of these."""
        rng, count = generator(self.random_state), int(self.n_landmarks or 0)
        linked = np.zeros(0, np.intp) if constraints is None else constraints.links.documents
        drawn = rng.permutation(np.setdiff1d(np.flatnonzero(plain.effective_weights), linked))[
            :count
        ]
        rows = np.sort(np.concatenate([linked, drawn]))
        known = None
        if constraints is not None:
            links = constraints.links
            pairs = np.stack([rows.searchsorted(links.left), rows.searchsorted(links.right)], 1)
            known = Constraints(pairs[links.together], pairs[~links.together], links.weights)
        part = replace(self, n_landmarks=None)
        found = part._solve(plain.X[rows], plain.weights[rows], Supervision(constraints=known))
        assert isinstance(found.distortion, InFeatureSpace)
        outside = found.distortion.expansion(found.prototypes)
        labels = placed(plain.X, outside, found.prototypes)
        labels[rows] = found.labels
        return largest_first(plain, replace(found, labels=labels))


def _evened(learner: WidthLearner, width: float) -> Links:
    """The links, weighted so that under this width those of each kind cost 1 on average.

    Among documents that are all far from each other to join a cannot-link costs next to nothing,
    and one cluster for all would be the cheapest way to part no must-link.
    """
    links, penalties = learner.links, learner.penalties(width)
    assert links is not None
    factors = np.ones(len(links))
    for kind in (links.together, ~links.together):
        whole, paid = links.weights[kind].sum(), links.weights[kind] @ penalties[kind]
        factors[kind] = min(_MAX_FACTOR, whole / paid) if paid > 0 else 1.0
    return links.times(factors)
