"""Hierarchical agglomerative clustering (Basu 2005, 2.2.1, Fig. 2.1).

Every document begins as a cluster of its own, and the two nearest clusters are merged until k
are left. The thesis has single, complete and average linkage; Ward is added. What must-links
join is merged first and clusters with a cannot-link between them are never merged (Davidson and
Ravi 2005), which may end in more clusters than links alone would need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust import geometry
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.capabilities import without_direction
from textclust.methods import parameters
from textclust.methods.hierarchy.agglomeration import chained, spanning
from textclust.methods.hierarchy.linkages import ByRows, BySums, Clusters
from textclust.methods.hierarchy.postings import Distances
from textclust.methods.hierarchy.tree import Merge, Tree, solution_of, tree_of
from textclust.methods.solver import DistortionLike
from textclust.parameters import (
    Parameters,
    RandomState,
    Settings,
    check,
    settings_of,
)
from textclust.progress import track
from textclust.supervision.cannot_link_graph import MustLinkComponents
from textclust.supervision.conflicts import require_consistent
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import NOTHING, Supervision
from textclust.supervision.impossible import require_possible

__all__ = ["HACSolver", "TreeCut"]


@dataclass(frozen=True)
class TreeCut:
    """Clusters, and the tree they were cut from."""

    solution: Solution
    tree: Tree


@dataclass(repr=False, eq=False)
class HACSolver:
    """The parameters of `textclust.HAC`, and how it merges."""

    rules: ClassVar[Parameters] = parameters.HAC

    n_clusters: int = 8
    _: KW_ONLY
    linkage: str = "average"
    distortion: DistortionLike = "cosine"
    as_published: bool = False
    n_jobs: int | None = None
    random_state: RandomState = None

    def resolved(self) -> Self:
        """The same: nothing is open that the paper would fill in."""
        return self

    def published(self) -> Settings:
        """The settings of the paper: those there are."""
        return {}

    def solve(
        self, X: Matrix, weights: Array | None = None, supervision: Supervision = NOTHING
    ) -> Solution:
        """The clusters that the tree of the rows of X is cut into; weights are not for it."""
        return self.find(X, supervision).solution

    def parameters(self) -> Settings:
        """Every parameter by name."""
        return settings_of(self)

    def describe(self) -> str:
        """What the method is run with, in words."""
        return f"{self.linkage} linkage and {self.distortion} distortion"

    def find(self, X: Matrix, supervision: Supervision = NOTHING) -> TreeCut:
        """The same, and the tree."""
        constraints = supervision.constraints
        check(self, self.rules)
        n = X.shape[0]
        if self.n_clusters > n:
            raise InputError(
                f"n_clusters={self.n_clusters} is more than the n_samples={n} documents there are; "
                "use fewer clusters"
            )
        links = (
            Constraints() if constraints is None else Constraints.given(constraints, n).effective()
        )
        self._refuse_impossible(links, n, supervision.ids)
        distortion = geometry.get(self.distortion)
        prepared = distortion.prepare(X.astype(np.float64, copy=False))
        undirected = without_direction(distortion, prepared)
        undirected[links.links.documents] = False
        rows = np.flatnonzero(~undirected)
        if not len(rows):
            raise InputError("nothing to cluster: every row of X is zero")
        tree = self._tree(prepared[rows], links, rows)
        labels = np.full(n, -1)
        labels[rows] = self._cut(tree)
        k = int(labels.max()) + 1
        return TreeCut(solution_of(prepared, labels, distortion, k), tree.embedded(rows, n))

    def _refuse_impossible(self, links: Constraints, n: int, ids: Sequence[str] | None) -> None:
        """Raise an InputError where no k clusters satisfy all links."""
        if not len(links):
            return
        require_consistent(links, ids)
        require_possible(MustLinkComponents.of(links.links), self.n_clusters)
        groups = int(links.components(n).max()) + 1
        if self.n_clusters > groups:
            raise InputError(
                f"must-links leave {groups} groups of documents, too few for "
                f"n_clusters={self.n_clusters}; use fewer clusters or remove some must-links"
            )

    def _tree(self, X: Matrix, links: Constraints, rows: Labels) -> Tree:
        """The tree of rows that have a direction; `rows` are their numbers in the links."""
        X = _as_sparse(X, centred=self.distortion == "euclidean")
        n = X.shape[0]
        together = links.components(int(rows[-1]) + 1)[rows]
        apart = np.searchsorted(rows, np.array(links.cannot_link, dtype=np.intp).reshape(-1, 2))
        if self.linkage == "single" and not len(apart):
            merges = spanning(Distances(X, directions=self.distortion == "cosine"), together)
            return tree_of(n, list(track(merges, "merging", n - 1)))
        clusters = self._clusters(X)
        given = [(first, row, 0.0) for first, row in _stars(together)]
        for first, row, _ in given:
            clusters.merge(int(clusters.owner[first]), row)
        clusters.keep_apart(map(tuple, apart.tolist()))
        found: list[Merge] = list(track(chained(clusters), "merging", n - 1 - len(given)))
        return tree_of(n, given + found)

    def _clusters(self, X: Matrix) -> Clusters:
        if self.linkage == "ward":
            return BySums(X, ward=True)
        if self.linkage == "average" and self.distortion == "cosine":
            return BySums(X, ward=False)
        return ByRows(Distances(X, directions=self.distortion == "cosine"), self.linkage)

    def _cut(self, tree: Tree) -> Labels:
        """The cluster of each row, the largest first."""
        level, ends = tree.level_for(min(self.n_clusters, tree.n)), tree.n - len(tree.merges)
        if level > len(tree.merges):
            raise InputError(
                f"merging ends at {ends} clusters, each two of which have a cannot-link between "
                f"them; use n_clusters={ends} or more, or use COPKMeans, which looks for "
                "other ways to keep all links"
            )
        labels = tree.cut(level)
        order = np.argsort(-np.bincount(labels), kind="stable")
        return np.argsort(order)[labels]


def _as_sparse(X: Matrix, *, centred: bool) -> Matrix:
    """Rows in CSR; dense ones that are compared by distance lose their mean, for precision."""
    if sp.issparse(X):
        return sp.csr_array(X)
    return sp.csr_array(X - X.mean(axis=0) if centred else X)


def _stars(groups: Labels) -> list[tuple[int, int]]:
    """The first row of each group with each other row of it."""
    first: dict[int, int] = {}
    return [
        (first[group], row)
        for row, group in enumerate(groups.tolist())
        if first.setdefault(group, row) != row
    ]
