"""A tree of merges, and the clusters it is cut into.

After t merges of n leaves there are n - t clusters: that is level t. Merges are in the order of
their heights, in the format of scipy and scikit-learn: numbers below n are leaves, and merge t
makes cluster n + t. Where merges are forbidden there may be fewer than n - 1 of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.engine.problem import Solution
from textclust.geometry import Distortion
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import make_backend, moments
from textclust.geometry.capabilities import without_direction

__all__ = ["Merge", "Tree", "solution_of", "tree_of"]

Merge = tuple[int, int, float]  # a leaf of either cluster, and the height


@dataclass(frozen=True)
class Tree:
    """Which two clusters each merge joins, and how far apart they are."""

    n: int
    merges: Labels  # at most n - 1 rows of 2
    heights: Array  # of the merges, ascending
    nothing: float = 0.0  # a height that is none but for rounding

    def level_for(self, clusters: int) -> int:
        """The level of so many clusters; of fewer where fewer leaves differ."""
        coincide = int((self.heights <= self.nothing).sum())
        return max(self.n - clusters, coincide)

    def cut(self, level: int) -> Labels:
        """The cluster of each leaf after so many merges, numbered as they first appear."""
        owner = np.arange(self.n + level)
        for t in range(level - 1, -1, -1):  # from the top down, so that owners are known
            owner[self.merges[t]] = owner[self.n + t]
        _, first, labels = np.unique(owner[: self.n], return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[labels]

    def embedded(self, rows: Labels, n: int) -> Tree:
        """The same tree for n leaves of which it has these rows; the others join at the end.

        They join one by one, to the last cluster made, at the height of the last merge.
        """
        others = np.setdiff1d(np.arange(n), rows)
        names = np.concatenate([rows, n + np.arange(len(self.merges))])
        last = int(names[-1])
        made = n + len(self.merges) + np.arange(len(others))
        late = np.sort(np.stack([others, np.r_[last, made][: len(others)]], axis=1), axis=1)
        top = self.heights[-1] if len(self.heights) else 0.0
        return Tree(
            n,
            np.concatenate([names[self.merges], late]).astype(np.intp),
            np.concatenate([self.heights, np.full(len(others), top)]),
            self.nothing,
        )


def tree_of(n: int, merges: Sequence[Merge]) -> Tree:
    """The tree of merges that come in any order in which no cluster is used before it is made."""
    raised = _never_below_their_parts(n, merges)
    order = np.argsort(raised, kind="stable")
    parent, name = np.arange(n), np.arange(n)  # of each leaf, and of the cluster it stands for
    children = np.empty((len(merges), 2), dtype=np.intp)
    for t, place in enumerate(order.tolist()):
        left, right = (_root(parent, leaf) for leaf in merges[place][:2])
        children[t] = sorted((name[left], name[right]))
        parent[right], name[left] = left, n + t
    return Tree(n, children, raised[order])


def solution_of(X: Matrix, labels: Labels, distortion: Distortion, k: int) -> Solution:
    """Clusters of prepared rows with their prototypes; rows labelled -1 go to the nearest."""
    labels, placed = labels.copy(), labels >= 0
    ones = np.ones(int(placed.sum()))
    prototypes = distortion.prototypes(*moments(X[placed], labels[placed], ones, k))
    form = distortion.affine(prototypes)
    if not placed.all():
        labels[~placed] = make_backend(X[~placed]).assign(form).labels
    costs = make_backend(X).costs_at(form, np.arange(len(labels)), labels) + distortion.own_costs(X)
    costs[without_direction(distortion, X)] = 0.0
    energy = float(np.maximum(costs, 0.0).sum())
    return Solution(
        labels, prototypes, distortion, energy, converged=True, n_iter=1, by_nearest=False
    )


def _never_below_their_parts(n: int, merges: Sequence[Merge]) -> Array:
    """The heights, raised where rounding puts one below that of a cluster it is made of."""
    parent, height = np.arange(n), np.zeros(n)
    raised = np.empty(len(merges))
    for t, (first, second, value) in enumerate(merges):
        left, right = _root(parent, first), _root(parent, second)
        raised[t] = height[left] = max(value, height[left], height[right])
        parent[right] = left
    return raised


def _root(parent: Labels, leaf: int) -> int:
    while parent[leaf] != leaf:
        parent[leaf] = parent[parent[leaf]]
        leaf = int(parent[leaf])
    return leaf
