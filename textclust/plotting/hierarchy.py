"""The tree above the clusters as a dendrogram."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from textclust.errors import InputError
from textclust.model_selection.plot import check_place
from textclust.writing import PICTURE_METADATA, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from textclust.result.tree import Tree

__all__ = ["draw", "figure"]

_LONGEST = 44  # characters of a name
_INCHES = 0.26  # for each cluster


def draw(tree: Tree, path: Path) -> Path:
    """Draw a tree to a file; only such a picture may be replaced there."""
    check_place(path)
    buffer, kind = io.BytesIO(), path.suffix.lower().lstrip(".")
    figure(tree).savefig(buffer, format=kind, dpi=150, metadata=PICTURE_METADATA[kind])
    return write_whole(path, buffer.getvalue())


def figure(tree: Tree) -> Figure:
    """A leaf for each cluster, a bracket for each merge, and the names of the groups shown."""
    from matplotlib.figure import Figure

    if tree.k < 2:
        raise InputError("one cluster alone has no hierarchy to draw; use more clusters")
    found = Figure(figsize=(9.0, 1.0 + _INCHES * tree.k), layout="constrained")
    axes = found.subplots()
    places, heights = _places(tree), [0.0] * tree.k
    members: list[tuple[int, ...]] = [(h,) for h in range(tree.k)]
    at = {}
    for first, second, height in tree.linkage[:, :3].tolist():
        left, right = sorted((int(first), int(second)), key=places.__getitem__)
        low, high = places[left], places[right]
        ends = [heights[left], height, height, heights[right]]
        axes.plot(ends, [low, low, high, high], "-", color="0.35", linewidth=1.2)
        places.append((low + high) / 2)
        heights.append(height)
        members.append((*members[left], *members[right]))
        at[frozenset(members[-1])] = height, places[-1]
    clusters = sorted(tree.levels[-1], key=lambda node: places[node.clusters[0]])
    named = [_plain(f"{node.clusters[0]}  {node.name} ({node.size:,})") for node in clusters]
    axes.set_yticks(range(tree.k), named)
    axes.yaxis.tick_right()
    axes.invert_xaxis()
    axes.invert_yaxis()
    axes.set(xlabel="1 - cosine, less what all clusters share")
    axes.spines[["top", "left", "right"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.0}
    for node in tree.nodes:
        if not node.is_cluster:
            words = _plain(node.name)
            place = at[frozenset(node.clusters)]
            axes.annotate(words, place, va="center", fontsize="small", bbox=paper)
    return found


def _places(tree: Tree) -> list[float]:
    """Where each cluster is drawn, so that no two brackets cross."""
    from scipy.cluster.hierarchy import leaves_list

    places = np.empty(tree.k)
    places[leaves_list(tree.linkage)] = np.arange(tree.k)
    return [float(place) for place in places]


def _plain(text: str) -> str:
    """Text as it stands: matplotlib would read dollars as mathematics."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return short.replace("$", r"\$")
