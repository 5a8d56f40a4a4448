"""The tree above the clusters as a dendrogram."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust.errors import InputError
from textclust.plain import plain
from textclust.plotting.axes import INK, SOFT, axes, quiet, title_of
from textclust.result.clustering import Clustering
from textclust.result.tree import Tree

__all__ = ["plot_hierarchy"]

_LONGEST = 44  # characters of a name
_INCHES = 0.28  # for each cluster
_PAPER = {"facecolor": "white", "edgecolor": SOFT, "linewidth": 0.5, "pad": 1.5}


def plot_hierarchy(clustering: Clustering, levels: int | None = None, ax: Any = None) -> Any:
    """A leaf for each cluster, a bracket for each merge, and the names of the groups."""
    tree = clustering.tree(levels)
    if tree.k < 2:
        raise InputError("one cluster alone has no hierarchy to draw; use more clusters")
    ax = quiet(axes(ax, 9.0, 1.0 + _INCHES * tree.k))
    places, heights = _places(tree), [0.0] * tree.k
    members: list[tuple[int, ...]] = [(h,) for h in range(tree.k)]
    at = {}
    for first, second, height in tree.linkage[:, :3].tolist():
        left, right = sorted((int(first), int(second)), key=places.__getitem__)
        low, high = places[left], places[right]
        ends = [heights[left], height, height, heights[right]]
        ax.plot(ends, [low, low, high, high], "-", color=SOFT, linewidth=1.2)
        places.append((low + high) / 2)
        heights.append(height)
        members.append((*members[left], *members[right]))
        at[frozenset(members[-1])] = height, places[-1]
    named = zip(range(tree.k), clustering.sizes, strict=True)
    titles = [f"{title_of(clustering, h, _LONGEST)} ({size:,})" for h, size in named]
    ax.set_yticks(places[: tree.k], titles, parse_math=False)
    ax.yaxis.tick_right()
    ax.invert_xaxis()
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0, labelsize=9, labelcolor=INK)
    ax.set_xlabel("distance of the clusters", size=9, color=SOFT)
    for node in tree.nodes:
        if not node.is_cluster:
            words, place = plain(node.name, _LONGEST), at[frozenset(node.clusters)]
            ax.annotate(
                words,
                place,
                (4, 0),
                textcoords="offset points",
                va="center",
                size=8,
                color=INK,
                bbox=_PAPER,
                zorder=4,  # above the lines
                parse_math=False,
            )
    return ax


def _places(tree: Tree) -> list[float]:
    """Where each cluster is drawn, so that no two brackets cross."""
    from scipy.cluster.hierarchy import leaves_list

    places = np.empty(tree.k)
    places[leaves_list(tree.linkage)] = np.arange(tree.k)
    return [float(place) for place in places]
