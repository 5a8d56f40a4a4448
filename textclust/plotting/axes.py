"""What all pictures share: axes to draw on, colours, small panels, text that stays text."""

from __future__ import annotations

from math import ceil
from typing import Any

from textclust.extras import imported
from textclust.plain import plain
from textclust.report.changes import colours_of
from textclust.report.palette import LIGHT
from textclust.result.clustering import Clustering

__all__ = ["INK", "SOFT", "axes", "clusters_drawn", "colours", "panels", "quiet", "title_of"]

INK, SOFT, _LINE = "#1f2328", "#5b626b", "#d9d4ca"
_MOST = 12  # panels
_PANEL = (3.0, 1.7)  # inches


def axes(given: Any, width: float, height: float) -> Any:
    """The axes that were given, or those of a new figure of so many inches."""
    if given is not None:
        return given
    pyplot = imported("matplotlib.pyplot", "plot", "a picture")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def colours(clustering: Clustering) -> list[str]:
    """The colour of each cluster, as in the report."""
    return [LIGHT[place % len(LIGHT)] for place in colours_of(clustering)[: clustering.k]]


def title_of(clustering: Clustering, h: int, longest: int = 34) -> str:
    """The number and the name of cluster h."""
    return plain(f"{h} {clustering.names[h]}", longest)


def clusters_drawn(clustering: Clustering) -> list[int]:
    """The clusters that get a panel: the largest, where they are too many, by number."""
    by_size = sorted(range(clustering.k), key=lambda h: -clustering.sizes[h])
    return sorted(by_size[:_MOST])


def panels(given: Any, clustering: Clustering, gutter: float) -> tuple[Any, dict[int, Any]]:
    """Axes, and small ones inside for each cluster that is drawn, in rows of up to three.

    Each has its name above; a share of its width, the gutter, is left for what stands beside.
    """
    shown = clusters_drawn(clustering)
    across = min(3, len(shown))
    down = ceil(len(shown) / across)
    outer = axes(given, _PANEL[0] * across, _PANEL[1] * down)
    outer.axis("off")
    found = {}
    for place, h in enumerate(shown):
        row, col = divmod(place, across)
        left, bottom = col / across, 1 - (row + 1) / down
        box = (left + gutter / across, bottom + 0.2 / down, (0.94 - gutter) / across, 0.6 / down)
        found[h] = quiet(outer.inset_axes(box))
        outer.text(
            left + 0.01,
            bottom + 0.9 / down,
            title_of(clustering, h),
            color=INK,
            size=9,
            weight="bold",
            va="center",
            transform=outer.transAxes,
            parse_math=False,
        )
    if len(shown) < clustering.k:
        outer.set_title(f"The {len(shown)} largest of {clustering.k} clusters", size=9, color=SOFT)
    return outer, found


def quiet(ax: Any) -> Any:
    """Axes without a frame, with small letters."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(_LINE)
    ax.tick_params(length=0, labelsize=8, labelcolor=SOFT)
    return ax
