"""How many documents each cluster has."""

from __future__ import annotations

from typing import Any

from textclust.plotting.axes import INK, SOFT, axes, colours, quiet, title_of
from textclust.result.clustering import Clustering

__all__ = ["plot_sizes"]


def plot_sizes(clustering: Clustering, ax: Any = None) -> Any:
    """A bar for each cluster, with its name and its number of documents."""
    each = range(clustering.k)
    ax = quiet(axes(ax, 7.0, max(1.4, 0.32 * clustering.k + 0.4)))
    ax.barh(each, clustering.sizes, height=0.72, color=colours(clustering))
    room = max(clustering.sizes, default=0) or 1
    for h, size in enumerate(clustering.sizes):
        ax.text(size + room / 80, h, f"{size:,}", va="center", size=9, color=SOFT)
    ax.set(ylim=(clustering.k - 0.4, -0.6), xlim=(0, 1.1 * room), xticks=[])
    ax.set_yticks(list(each), [title_of(clustering, h, 44) for h in each], parse_math=False)
    ax.tick_params(axis="y", labelsize=9, labelcolor=INK)
    ax.spines["bottom"].set_visible(False)
    return ax
