"""CLUEDO: CLUE with a defence against overfitting (Hu et al. 2013, Algorithm 2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.problem import Solution
from textclust.geometry.affine import Labels, Matrix
from textclust.geometry.learned_space import LearnedSpace
from textclust.methods import parameters
from textclust.methods.clue import CLUESolver, LearnedClusters, Rows, dominant_cluster, together
from textclust.methods.hierarchy.dendrogram import Dendrogram
from textclust.methods.seeded import ConstrainedKMeansSolver
from textclust.parameters import Parameters, Settings
from textclust.progress import track
from textclust.stopping import while_allowed
from textclust.supervision.given import Supervision

__all__ = ["CLUEDOSolver"]


@dataclass(repr=False, eq=False)
class CLUEDOSolver(CLUESolver):
    """The parameters of `textclust.CLUEDO`, and how it finds clusters."""

    rules: ClassVar[Parameters] = parameters.CLUEDO

    _: KW_ONLY
    rounds: int = 10
    finish: str = "auto"

    def published(self) -> Settings:
        """The clusters as the tree is cut."""
        return {**super().published(), "finish": "cut"}

    def _find(self, X: Matrix, examples: Iterable[Iterable[int]] | None) -> LearnedClusters:
        rows = self._rows(X, examples)
        space, tree = self._learned(rows)
        solution = self._cut(X, rows, space, tree)
        by_kmeans = rows.space.unit if self.finish == "auto" else self.finish == "kmeans"
        found = self._settled(X, rows, space, solution) if by_kmeans else solution
        return LearnedClusters(found, space)

    def _learned(self, rows: Rows) -> tuple[LearnedSpace, Dendrogram]:
        """Rounds in which pairs merged early are taken for linked, each a tenth further up.

        A pair that has a member of an example is left out: either the examples say it already,
        or it would violate what they say.
        """
        means, counts = rows.means, rows.counts
        free, n = counts[:, :-1].sum(axis=1) == 0, len(means)
        links: Matrix | None = None
        rounds = while_allowed(range(1, self.rounds))
        for done in track(rounds, "learning a metric", self.rounds - 1):
            _, tree = self._step(rows, means, counts, links)
            merged = together(tree.cut(tree.level_for(n - done * n // self.rounds)), free)
            links = merged if links is None else links + merged
        return self._step(rows, means, counts, links)

    def _is_by_cori(self, rows: Rows) -> bool:
        return self.n_clusters == "cori" or (self.n_clusters == "auto" and not rows.space.unit)

    def _settled(self, X: Matrix, rows: Rows, space: LearnedSpace, cut: Solution) -> Solution:
        """Constrained k-means from the cut and its own starts, the examples held.

        Terms are clustered by their cosine among all of them, other rows in the learned space.
        """
        k = max(cut.prototypes.shape[0], len(rows.examples))
        solver = ConstrainedKMeansSolver(
            k,
            distortion="cosine" if space.unit else "euclidean",
            n_jobs=self.n_jobs,
            random_state=rows.rng,
        )
        start, examples = _held(cut.labels, rows, k), Supervision(seeds=rows.example)
        if space.unit:
            return _filled(solver.solve_from(start, X, examples))
        settled = solver.solve_from(start, space.prepare(X), examples)
        return _filled(replace(settled, distortion=space))


def _held(labels: Labels, rows: Rows, k: int) -> Labels:
    """Labels in which example h is in cluster h, with what shares the cluster most of it is in."""
    number = np.full(k, -1)
    for h, members in enumerate(rows.examples):
        cluster = dominant_cluster(labels, members)
        if number[cluster] < 0:
            number[cluster] = h
    others = np.flatnonzero(number < 0)
    number[others] = np.setdiff1d(np.arange(k), number)[: len(others)]
    held = number[labels]
    for h, members in enumerate(rows.examples):
        held[members] = h
    return held


def _filled(solution: Solution) -> Solution:
    """The same without clusters that no row is in, as where the rows of an example were several."""
    used, labels = np.unique(solution.labels, return_inverse=True)
    return replace(solution, labels=labels, prototypes=solution.prototypes[used])
