"""What each cluster is about: its leading terms."""

from __future__ import annotations

from typing import Any

from textclust.plain import plain
from textclust.plotting.axes import INK, colours, panels
from textclust.result.clustering import Clustering

__all__ = ["plot_terms"]

_GUTTER, _TERM = 0.42, 16  # of a panel's width; characters
_FULL = 6  # terms for which a panel has room


def plot_terms(
    clustering: Clustering, n: int = 5, kind: str = "descriptive", ax: Any = None
) -> Any:
    """A panel for each cluster, with a bar for each of its n leading terms."""
    leading = {h: clustering.weighted_terms(h, n, kind) for h in range(clustering.k)}
    outer, found = panels(ax, clustering, _GUTTER)
    shades = colours(clustering)
    for h, panel in found.items():
        terms = leading[h]
        panel.barh(range(len(terms)), [term.weight for term in terms], 0.7, color=shades[h])
        labels = [plain(term.term, _TERM) for term in terms]
        panel.set_yticks(range(len(terms)), labels, parse_math=False)
        panel.tick_params(axis="y", labelcolor=INK, labelsize=min(8.5, 8.5 * _FULL / max(n, 1)))
        panel.set(xticks=[], ylim=(max(n, 1) - 0.5, -0.5))
        panel.spines["bottom"].set_visible(False)
    return outer
