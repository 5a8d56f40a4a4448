"""Documents that links place say more of what a cluster is than those that are guessed.

They count double (Nigam et al. 2000 discount the others), and so do the links between them,
if that predicts better where they are: each without itself, and by more than chance
(McNemar 1947). It is all or nothing: where it helps, wrong links count double with the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from textclust.engine.partition import Partition
from textclust.engine.problem import Problem, Solution
from textclust.engine.refinement import costs_of_joining
from textclust.geometry.affine import Array, Labels
from textclust.supervision.components import apart_neighbourhoods
from textclust.supervision.links import Links

__all__ = ["Emphasis", "emphasis_on"]

_TIMES = 2.0


@dataclass(frozen=True, eq=False)
class Emphasis:
    """Groups of documents that are known to be in k different clusters."""

    groups: list[Labels]

    def of_documents(self, n: int) -> Array:
        """How many times each of n documents counts."""
        times = np.ones(n)
        times[np.concatenate(self.groups)] = _TIMES
        return times

    def of_links(self, links: Links, n: int) -> Array:
        """How many times each link counts: as the lighter of its documents."""
        times = self.of_documents(n)
        return np.minimum(times[links.left], times[links.right])

    def in_their_places(self, labels: Labels) -> Labels:
        """Each group as a whole in a cluster of its own, where most of it is; others stay."""
        moved = labels.copy()
        for group, cluster in zip(self.groups, self._clusters(labels), strict=True):
            moved[group] = cluster
        return moved

    def is_supported(self, problem: Problem, plain: Solution, emphasised: Solution) -> bool:
        """Whether the second solution predicts more of the places, and not by chance."""
        n = problem.X.shape[0]
        before = self._predicted(problem, plain)
        after = self._predicted(
            replace(problem, weights=problem.weights * self.of_documents(n)), emphasised
        )
        won, lost = int((after & ~before).sum()), int((before & ~after).sum())
        return bool(won - lost > np.sqrt(won + lost))

    def _predicted(self, problem: Problem, solution: Solution) -> Array:
        """For each document that is placed: whether the others of its cluster draw it there."""
        documents = np.concatenate(self.groups)
        sizes = [len(group) for group in self.groups]
        places = np.repeat(self._clusters(solution.labels), sizes)
        partition = Partition(problem, solution.labels)
        order = np.argsort(documents)
        costs = costs_of_joining(problem, solution.distortion, partition, documents[order])
        return np.asarray(costs.argmin(axis=1) == places[order])

    def _clusters(self, labels: Labels) -> Labels:
        """The cluster of each group."""
        from scipy.optimize import linear_sum_assignment

        k = len(self.groups)
        there = np.stack([np.bincount(labels[group], minlength=k) for group in self.groups])
        return np.asarray(linear_sum_assignment(there, maximize=True)[1])


def emphasis_on(links: Links, k: int) -> Emphasis | None:
    """What to emphasise, where links make k groups with cannot-links between all of them."""
    groups = apart_neighbourhoods(links, k)
    return Emphasis(groups) if groups else None
