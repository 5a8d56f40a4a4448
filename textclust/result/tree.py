"""A hierarchy above the clusters: which of them belong together, and under what names.

The prototypes are merged by average linkage. Two are as near as the cosine of what sets either
apart from the collection as a whole: the mean of all documents is taken off first, as clusters
that share nothing but the usual words have nothing in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from textclust.display import escaped
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix, as_table
from textclust.geometry.rows import squared_norms
from textclust.plain import count, plain

__all__ = ["LEVELS", "Node", "Outline", "Tree", "level_sizes", "merged", "tree_of"]

_AROUND = 1.4  # how far the number of groups of a level may be from even steps
_NOTHING = 1e-12  # of a length
LEVELS = 3  # where nothing else is said
_MOST = 5_000  # clusters
_NAME = 120  # characters
_LONGEST = 40  # clusters that the outline of a tree names
Namer = Callable[[Sequence[Sequence[int]]], list[str]]  # names of groups of clusters


@dataclass(frozen=True)
class Node:
    """A cluster, or some that belong together.

    `clusters` are the numbers of the clusters in it, `children` the nodes of the next level that
    it is made of; a cluster has none. `height` is how far apart its farthest parts were, 0 for a
    cluster by itself.
    """

    name: str
    size: int
    clusters: tuple[int, ...]
    children: tuple[Node, ...] = ()
    height: float = 0.0

    @property
    def is_cluster(self) -> bool:
        """Whether it is one cluster."""
        return len(self.clusters) == 1

    def to_dict(self) -> dict[str, object]:
        """Plain data, ready for JSON."""
        found: dict[str, object] = {
            "name": self.name,
            "size": self.size,
            "clusters": list(self.clusters),
        }
        if self.children:
            found["height"] = round(self.height, 6)
            found["children"] = [child.to_dict() for child in self.children]
        return found


@dataclass(frozen=True, eq=False)
class Tree:
    """The clusters, and their groups on some levels.

    Attributes
    ----------
    linkage : array of (k - 1) x 4
        All merges, in the format of scipy: what is merged, at what height, of how many clusters.
    levels : list of lists of Node
        The groups of each level, the coarsest first and the largest of a level first; the last
        level are the clusters themselves, by their numbers.
    """

    linkage: Array
    levels: list[list[Node]]

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return len(self.linkage) + 1

    def path(self, h: int) -> list[Node]:
        """The group that cluster h is in on each level, the cluster itself at the end."""
        return [next(node for node in level if h in node.clusters) for level in self.levels]

    @cached_property
    def nodes(self) -> list[Node]:
        """Every node once, each before its children."""
        return [node for _, node in self.outline()]

    def outline(self) -> Iterator[tuple[int, Node]]:
        """Every node after its parent, with how deep it is below the coarsest level."""
        stack = [(0, node) for node in reversed(self.levels[0])]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack += [(depth + 1, child) for child in reversed(node.children)]

    def cut(self, n: int) -> Labels:
        """The group of each cluster where the whole is cut into n groups, the first has cluster 0.

        Of any n from 1 to the number of clusters, whether the tree has such a level or not.
        """
        if not 1 <= n <= self.k:
            raise InputError(f"n must be from 1 to {self.k}, the number of clusters; got {n}")
        return _cut(self.linkage, n)

    def to_dict(self) -> dict[str, object]:
        """The tree of clusters.json."""
        return {
            "levels": [len(level) for level in self.levels],
            "nodes": [node.to_dict() for node in self.levels[0]],
            "linkage": self.linkage.round(6).tolist(),
        }

    def __str__(self) -> str:
        lines = [
            f"{'  ' * depth}{plain(node.name, _NAME)} ({node.size:,})"
            + (f"  [{node.clusters[0]}]" if node.is_cluster else "")
            for depth, node in self.outline()
        ]
        more = len(lines) - _LONGEST
        return "\n".join(lines if more <= 0 else [*lines[:_LONGEST], f"... {more} more"])

    def __repr__(self) -> str:
        return f"{self._title}\n{self}"

    def _repr_html_(self) -> str:
        return f"<p>{escaped(self._title)}</p><pre>{escaped(str(self))}</pre>"

    @property
    def _title(self) -> str:
        steps = ", ".join(str(len(level)) for level in self.levels)
        return f"Tree of {count(self.k, 'cluster')}, levels of {steps}"


@dataclass(frozen=True, eq=False)
class Outline:
    """The merges of a tree and the names of its groups, which outlast the sizes of its clusters."""

    linkage: Array
    names: Mapping[tuple[int, ...], str]

    @classmethod
    def of(cls, tree: Tree) -> Outline:
        """That of a tree."""
        nodes = {node.clusters: node.name for level in tree.levels[:-1] for node in level}
        return cls(tree.linkage, nodes)

    def tree(self, sizes: Sequence[int], names: Sequence[str], levels: int) -> Tree:
        """The tree of clusters that have these sizes by now."""

        def called(groups: Sequence[Sequence[int]]) -> list[str]:
            return [self.names.get(tuple(group), names[group[0]]) for group in groups]

        return _tree(self.linkage, sizes, names, levels, called)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        groups = [{"clusters": list(group), "name": name} for group, name in self.names.items()]
        return {"linkage": self.linkage.tolist(), "groups": groups}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], k: int) -> Outline:
        """What `to_dict` gave of k clusters; a ValueError where it cannot be."""
        linkage = np.array(content["linkage"], dtype=np.float64).reshape(-1, 4)
        names = {tuple(each["clusters"]): each["name"] for each in content["groups"]}
        joined, known = linkage[:, :2], k + np.arange(len(linkage))
        if (
            len(linkage) != max(k - 1, 0)
            or (joined != np.floor(joined)).any()
            or (joined >= known[:, None]).any()
            or len(np.unique(joined)) < joined.size
        ):
            raise ValueError("the hierarchy does not fit the clusters")
        return cls(linkage, names)


def tree_of(
    prototypes: Matrix, sizes: Sequence[int], names: Sequence[str], levels: int, namer: Namer
) -> Tree:
    """The tree of some clusters; `namer` names the groups of a cut."""
    if levels < 1:
        raise InputError(f"levels must be at least 1; got {levels}")
    return _tree(merged(prototypes, sizes), sizes, names, levels, namer)


def _tree(
    linkage: Array, sizes: Sequence[int], names: Sequence[str], levels: int, namer: Namer
) -> Tree:
    k = len(names)
    below = [Node(names[h], int(sizes[h]), (h,)) for h in range(k)]
    found, known = [below], {node.clusters: node for node in below}
    for number in reversed(level_sizes(linkage, levels)[:-1]):
        cut = _cut(linkage, number)
        groups = [tuple(np.flatnonzero(cut == g).tolist()) for g in range(number)]
        called = namer(groups)
        for group, name in zip(groups, called, strict=True):
            if group not in known:
                parts = [node for node in found[0] if set(node.clusters) <= set(group)]
                size = sum(node.size for node in parts)
                height = float(linkage[_merge_of(linkage, group), 2])
                name = _free(name, len(group), {node.name for node in known.values()})
                known[group] = Node(name, size, group, tuple(_largest_first(parts)), height)
        found.insert(0, _largest_first([known[group] for group in groups]))
    return Tree(linkage, found)


def merged(prototypes: Matrix, sizes: Sequence[int]) -> Array:
    """The merges of prototypes, less the mean of all documents, by average linkage."""
    if prototypes.shape[0] < 2:
        return np.zeros((0, 4))
    if prototypes.shape[0] > _MOST:
        raise InputError(
            f"a tree of {prototypes.shape[0]} clusters would compare every two of them; "
            f"use at most {_MOST} clusters"
        )
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    rows = _unit(as_table(prototypes).astype(np.float64, copy=False))
    weights = np.maximum(np.asarray(sizes, dtype=np.float64), _NOTHING)
    rows = _unit(rows - np.average(rows, axis=0, weights=weights))
    apart = np.maximum(1.0 - rows @ rows.T, 0.0)
    np.fill_diagonal(apart, 0.0)
    found: Array = linkage(squareform((apart + apart.T) / 2, checks=False), "average")
    return found


def level_sizes(linkage: Array, levels: int) -> list[int]:
    """How many groups each level has, the clusters last; fewer levels where k is small.

    Sizes grow by even factors, k^(1/L), k^(2/L), ..., k. Near each of these the cut is taken where
    the next merge is furthest above the last one.
    """
    k = len(linkage) + 1
    heights = np.concatenate([linkage[:, 2], linkage[-1:, 2]])
    found: list[int] = []
    for level in range(1, levels):
        even = k ** (level / levels)
        least = max(found[-1] + 1 if found else 2, int(np.ceil(even / _AROUND)))
        most = min(k - 1, int(even * _AROUND))
        gaps = {n: heights[k - n] - heights[k - n - 1] for n in range(least, most + 1)}
        if gaps:
            found.append(max(gaps, key=lambda n: (round(float(gaps[n]), 9), -n)))
    return [*found, k]


def _cut(linkage: Array, n: int) -> Labels:
    """The group of each cluster, numbered as they first appear."""
    k = len(linkage) + 1
    owner = np.arange(2 * k - 1)
    for t in range(k - n - 1, -1, -1):  # from the top down, so that owners are known
        owner[linkage[t, :2].astype(np.intp)] = owner[k + t]
    _, first, groups = np.unique(owner[:k], return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[groups])


def _merge_of(linkage: Array, group: tuple[int, ...]) -> int:
    """The merge that made a group of clusters: the first that has all of them."""
    owner = np.arange(len(linkage) + 1)
    for t, (left, right) in enumerate(linkage[:, :2].astype(np.intp).tolist()):
        owner[np.isin(owner, (left, right))] = len(linkage) + 1 + t
        if len(set(owner[list(group)].tolist())) == 1:
            return t
    raise AssertionError("every group of a cut was made by a merge")


def _free(name: str, clusters: int, taken: set[str]) -> str:
    """A name that no other node has, as a group may share that of one of its clusters."""
    endings = ("", f" (all {clusters})", *(f" ({number})" for number in range(2, len(taken) + 2)))
    return next(name + ending for ending in endings if name + ending not in taken)


def _largest_first(nodes: Sequence[Node]) -> list[Node]:
    return sorted(nodes, key=lambda node: (-node.size, node.clusters))


def _unit(rows: Array) -> Array:
    lengths = np.sqrt(squared_norms(rows))[:, None]
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > _NOTHING))
