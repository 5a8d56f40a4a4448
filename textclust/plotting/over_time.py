"""How the clusters grow and shrink from period to period."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from textclust.plain import count
from textclust.plotting.axes import SOFT, colours, panels
from textclust.result.clustering import Clustering
from textclust.result.over_time import over_time
from textclust.result.periods import named

__all__ = ["plot_over_time"]

_GUTTER = 0.1
_WIDTHS = {"day": 1, "week": 7, "month": 30.4, "quarter": 91.3, "year": 365.2}  # days


def plot_over_time(
    clustering: Clustering, freq: str = "auto", *, share: bool = False, ax: Any = None
) -> Any:
    """A panel for each cluster, with a bar for each period; all panels have the same scale.

    With `share` the bars are shares of the documents of their period. Where a hundredth of the
    documents at either end would take half of the room, they are left out, and that is said.
    """
    found = over_time(clustering, freq).shown
    values = found.sizes / found.sizes.sum(axis=0).clip(1) if share else found.sizes
    width = _WIDTHS[found.freq]
    outer, drawn = panels(ax, clustering, _GUTTER)
    shades = colours(clustering)
    top = max(values[h].max() for h in drawn)
    for h, panel in drawn.items():
        panel.bar(found.periods, values[h], 0.86 * width, align="edge", color=shades[h])
        panel.set_ylim(0, top * 1.04)
        panel.set_xlim(found.periods[0], found.periods[-1] + timedelta(width))
        panel.set_yticks([top], [f"{top:.0%}" if share else f"{top:,}"])
        panel.axhline(top, color=SOFT, linewidth=0.4, zorder=0, alpha=0.5)
        _mark_ends(panel, found.periods, found.freq)
    if found.outside:
        said = [outer.get_title(), f"{count(found.outside, 'document')} of other dates left out"]
        outer.set_title("; ".join(filter(None, said)), size=9, color=SOFT)
    return outer


def _mark_ends(panel: Any, periods: list[Any], freq: str) -> None:
    """The first and the last period below the bars."""
    ends = list(dict.fromkeys([periods[0], periods[-1]]))
    panel.set_xticks(ends, [named(end, freq, short=True) for end in ends])
    labels = panel.get_xticklabels()
    labels[0].set_horizontalalignment("left")
    if len(labels) > 1:
        labels[-1].set_horizontalalignment("right")
