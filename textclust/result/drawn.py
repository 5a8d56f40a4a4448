"""The pictures of a clustering, each drawn by a file of its own in `textclust.plotting`."""

from __future__ import annotations

from typing import Any

__all__ = ["Drawn"]


class Drawn:
    """Methods that draw with matplotlib; the axes are returned."""

    def plot(self: Any, ax: Any = None) -> Any:
        """Draw the map of the documents with matplotlib."""
        from textclust.plotting.map import plot_map

        return plot_map(self, ax)

    def plot_sizes(self: Any, ax: Any = None) -> Any:
        """Draw a bar for each cluster: how many documents it has."""
        from textclust.plotting.sizes import plot_sizes

        return plot_sizes(self, ax)

    def plot_terms(self: Any, n: int = 5, kind: str = "descriptive", ax: Any = None) -> Any:
        """Draw the n leading terms of each cluster, of more than twelve clusters the largest."""
        from textclust.plotting.terms import plot_terms

        return plot_terms(self, n, kind, ax)

    def plot_over_time(
        self: Any, freq: str = "auto", *, share: bool = False, ax: Any = None
    ) -> Any:
        """Draw the sizes of the clusters by period, as `over_time` has them, or their shares."""
        from textclust.plotting.over_time import plot_over_time

        return plot_over_time(self, freq, share=share, ax=ax)

    def plot_hierarchy(self: Any, levels: int | None = None, ax: Any = None) -> Any:
        """Draw the merges of all clusters, with the names of the groups of `tree(levels)`."""
        from textclust.plotting.hierarchy import plot_hierarchy

        return plot_hierarchy(self, levels, ax)
