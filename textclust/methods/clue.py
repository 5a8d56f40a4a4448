"""CLUE: clusters like the examples, without a number of them (Hu et al. 2013, Algorithm 1).

A metric is learned from the examples (eqs. 2 and 3), all rows are linked by it, and the tree is cut
where CORI (eq. 4) is highest, or where k-means finds the examples again best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.engine.latent_starts import dimensions, latent_vectors
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.learned_space import LearnedSpace
from textclust.learned_metrics import LEARNERS, MetricLearner, as_table
from textclust.methods import parameters
from textclust.methods.hierarchy.dendrogram import Dendrogram, Leaves, link
from textclust.methods.hierarchy.example_recovery import select_k_by_example_recovery
from textclust.methods.hierarchy.near_groups import near_groups
from textclust.methods.hierarchy.tree import solution_of
from textclust.methods.kmeans import generator
from textclust.parameters import (
    Parameters,
    RandomState,
    Settings,
    check,
    fill_open,
    settings_of,
)
from textclust.stopping import searching
from textclust.supervision.example_rows import example_labels, example_rows
from textclust.supervision.given import NOTHING, Supervision
from textclust.threads import thread_count

__all__ = ["CLUESolver", "LearnedClusters", "Rows", "dominant_cluster", "together"]

_MANY_FEATURES = 100  # more are taken for terms
_OF_TERMS, _OF_NUMBERS = 1.0, 1e-6  # how much a learned metric is regularised


@dataclass(frozen=True)
class LearnedClusters:
    """Clusters, and the space whose metric was learned on the way."""

    solution: Solution
    space: LearnedSpace


@dataclass(frozen=True)
class Rows:
    """Rows placed in a space, in groups that are linked in their place, with their examples."""

    space: LearnedSpace
    placed: Array  # n x m
    examples: list[Labels]
    groups: Labels  # of each row, -1 where it says nothing
    rng: np.random.Generator
    threads: int

    @property
    def means(self) -> Array:
        """Where the groups lie."""
        grouped = self.groups >= 0
        k = int(self.groups.max()) + 1
        each = np.ones(int(grouped.sum()))
        sums, masses = moments(self.placed[grouped], self.groups[grouped], each, k)
        return np.asarray(sums / masses[:, None], order="C")

    @property
    def counts(self) -> Array:
        """How many rows each group has of each example, and of none."""
        e, k = len(self.examples), int(self.groups.max()) + 1
        grouped, example = self.groups >= 0, self.example
        column = np.where(example < 0, e, example)
        cells = np.bincount((self.groups * (e + 1) + column)[grouped], minlength=k * (e + 1))
        return cells.reshape(k, e + 1).astype(np.float64)

    @property
    def example(self) -> Labels:
        """The number of the example of each row, -1 for none."""
        return example_labels(self.examples, len(self.placed))


@dataclass(repr=False, eq=False)
class CLUESolver:
    """The parameters of `textclust.CLUE`, and how it finds clusters."""

    rules: ClassVar[Parameters] = parameters.CLUE

    _: KW_ONLY
    n_clusters: int | str = "auto"
    metric: str | MetricLearner | None = "clue"
    regularisation: float | str = "auto"
    linkage: str = "complete"
    latent: int | str | None = "auto"
    max_linked: int = 2000
    max_seconds: float | None = None
    as_published: bool = False
    n_jobs: int | None = None
    random_state: RandomState = None

    def solve(
        self, X: Matrix, weights: Array | None = None, supervision: Supervision = NOTHING
    ) -> Solution:
        """The clusters found of the rows of X by example clusters; weights are not for it."""
        return self.find(X, supervision).solution

    def find(self, X: Matrix, supervision: Supervision = NOTHING) -> LearnedClusters:
        """The same, and the space that was learned."""
        check(self, self.rules)
        with searching(self.max_seconds) as search:
            found = self.resolved()._find(X, supervision.examples)
        return replace(found, solution=replace(found.solution, stopped=search.stopped))

    def resolved(self) -> Self:
        """The same, as published where that is asked for and a setting is open."""
        return fill_open(self, self.published()) if self.as_published else self

    def published(self) -> Settings:
        """The number of clusters by CORI; terms need their latent space all the same."""
        return {"n_clusters": "cori"}

    def _find(self, X: Matrix, examples: Iterable[Iterable[int]] | None) -> LearnedClusters:
        rows = self._rows(X, examples)
        space, tree = self._learned(rows)
        return LearnedClusters(self._cut(X, rows, space, tree), space)

    def parameters(self) -> Settings:
        """Every parameter by name."""
        return settings_of(self)

    def describe(self) -> str:
        """What the method is run with, in words."""
        distance = "the distance as it is" if self.metric is None else "a learned distance"
        return f"{distance} and {self.linkage} linkage"

    def _rows(self, X: Matrix, examples: Iterable[Iterable[int]] | None) -> Rows:
        """The rows of X where a metric is learned from them; the data is checked."""
        n = X.shape[0]
        if not isinstance(self.n_clusters, str) and self.n_clusters > n:
            raise InputError(
                f"n_clusters={self.n_clusters} is more than the n_samples={n} documents there are; "
                "use fewer clusters"
            )
        given = example_rows(examples, n)
        if not isinstance(self.n_clusters, str) and self.n_clusters < len(given):
            raise InputError(
                f"k={self.n_clusters} is fewer than the {len(given)} example clusters; "
                f"use at least {len(given)}"
            )
        rng, threads = generator(self.random_state), thread_count(self.n_jobs)
        space = self._space(X, rng, threads)
        placed = space.placed(X)
        grouped = np.flatnonzero(~space.without_direction(placed))
        if not len(grouped):
            raise InputError("nothing to cluster: every row of X is zero")
        example, groups = example_labels(given, n), np.full(n, -1)
        groups[grouped] = near_groups(
            placed[grouped], example[grouped], self.max_linked, rng, threads
        )
        return Rows(space, placed, given, groups, rng, threads)

    def _space(self, X: Matrix, rng: np.random.Generator, threads: int) -> LearnedSpace:
        """Where rows lie before anything is learned."""
        n, d = X.shape
        if not self._in_latent_space(X):
            rows = as_table(X)
            least, reach = rows.min(axis=0), np.ptp(rows, axis=0)
            scale = np.divide(1.0, reach, out=np.zeros(d), where=reach > 0)
            return LearnedSpace(np.diag(scale), least * scale, np.eye(d), unit=False)
        size = max(dimensions(n, d)) if self.latent == "auto" else min(int(self.latent or 1), d)
        vectors = latent_vectors(X, size, rng, threads).astype(np.float64)
        lengths = (vectors**2).sum(axis=0)
        there = lengths > 1e-12 * lengths.max(initial=0.0)
        directions = np.asarray(X.T @ (vectors[:, there] / lengths[there]), dtype=np.float64)
        m = directions.shape[1]
        return LearnedSpace(directions, np.zeros(m), np.eye(m), unit=True)

    def _in_latent_space(self, X: Matrix) -> bool:
        if self.latent == "auto":
            return X.shape[1] > _MANY_FEATURES and X.shape[0] > 1
        return self.latent is not None

    def _learned(self, rows: Rows) -> tuple[LearnedSpace, Dendrogram]:
        """The space with a metric learned from the examples, and the dendrogram in it."""
        means, counts = rows.means, rows.counts
        return self._step(rows, means, counts, None)

    def _step(
        self, rows: Rows, means: Array, counts: Array, links: Matrix | None
    ) -> tuple[LearnedSpace, Dendrogram]:
        """Learn a metric from the examples and further links between groups, and link by it."""
        known = [np.flatnonzero(column) for column in counts[:, :-1].T]
        learner = self._learner(rows.space.unit)
        turn = learner.fit(means, [groups for groups in known if len(groups)], links).components_
        return replace(rows.space, turn=turn), link(Leaves(means @ turn, counts), self.linkage)

    def _learner(self, of_terms: bool) -> MetricLearner:
        if isinstance(self.metric, MetricLearner):
            return self.metric
        if self.metric is None:
            return MetricLearner()
        by_default = _OF_TERMS if of_terms else _OF_NUMBERS
        given = by_default if self.regularisation == "auto" else float(self.regularisation)
        return LEARNERS[self.metric](given)

    def _level(self, rows: Rows, tree: Dendrogram) -> int:
        """Where to cut the dendrogram."""
        if not isinstance(self.n_clusters, str):
            return tree.level_for(self.n_clusters)
        if self._is_by_cori(rows) or not rows.examples:
            return tree.level_of_best_cut()
        grouped = np.flatnonzero(rows.groups >= 0)
        place = np.cumsum(rows.groups >= 0) - 1
        known = [place[each[rows.groups[each] >= 0]] for each in rows.examples]
        return tree.level_for(
            select_k_by_example_recovery(rows.placed[grouped], known, rows.rng, rows.threads)
        )

    def _is_by_cori(self, rows: Rows) -> bool:
        return self.n_clusters != "refound"

    def _cut(self, X: Matrix, rows: Rows, space: LearnedSpace, tree: Dendrogram) -> Solution:
        """The clusters of the dendrogram, as a solution in the learned space."""
        level = self._level(rows, tree)
        k = tree.n - level
        labels = _labels(rows, tree.cut(level))
        return solution_of(space.prepare(X), labels, space, k)


def _labels(rows: Rows, clusters: Labels) -> Labels:
    """The cluster of each row from that of its group, -1 for rows that say nothing.

    Clusters that most of an example are in come first, in the order of the examples, then all
    others by size.
    """
    labels = np.where(rows.groups >= 0, clusters[rows.groups], -1)
    sizes = np.bincount(labels[labels >= 0])
    dominant = [dominant_cluster(labels, each) for each in rows.examples]
    by_size = np.argsort(-sizes, kind="stable").tolist()
    order = list(dict.fromkeys([*(cluster for cluster in dominant if cluster >= 0), *by_size]))
    return np.where(labels >= 0, np.argsort(order)[labels], -1)


def dominant_cluster(labels: Labels, rows: Labels) -> int:
    """The cluster that most of some rows are in, -1 where none of them is in any."""
    known = labels[rows][labels[rows] >= 0]
    return int(np.bincount(known).argmax()) if len(known) else -1


def together(clusters: Labels, chosen: Array) -> Matrix:
    """A graph of all pairs among the chosen that share a cluster."""
    rows = np.flatnonzero(chosen)
    shape = (len(clusters), int(clusters.max()) + 1)
    member = sp.csr_array((np.ones(len(rows), np.int8), (rows, clusters[rows])), shape=shape)
    return member @ member.T
