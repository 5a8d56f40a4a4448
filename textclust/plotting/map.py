"""The documents as a map, as the report has it."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust.geometry.affine import Array
from textclust.plotting.axes import INK, axes, colours
from textclust.report.layout import Layout, arrange, have_a_place, separations, spread_sample
from textclust.report.lettering import Disc, Label, letter
from textclust.result.clustering import Clustering

__all__ = ["plot_map"]

_DOTS = 5_000
_SIZE, _LETTERS = 9.0, 13.0  # of bold letters in points, and in the units of labels
_LINE = 17.0
_MARGIN = 0.04


def plot_map(clustering: Clustering, ax: Any = None) -> Any:
    """A dot for each document in the colour of its cluster, and the names of the clusters.

    Of more than 5,000 documents these are drawn evenly from each cluster; documents without
    terms, or that fit nowhere, have no place.
    """
    ax = axes(ax, 8.0, 5.5)
    ax.axis("off")
    rows = np.flatnonzero(have_a_place(clustering.texts, clustering.labels))
    rows = rows[spread_sample(clustering.labels[rows], clustering.scores[rows], _DOTS)]
    labels, space = clustering.labels[rows], clustering.text_space
    layout = arrange(clustering.texts[rows], labels, space, separations(space))
    layout, width, height = _fitted(layout, ax)
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.set_autoscale_on(False)
    size = min(60.0, max(5.0, 7_000 / max(len(rows), 1)))
    for h, colour in enumerate(colours(clustering)):
        x, y = layout.points[labels == h].T
        ax.scatter(x, y, s=size, color=colour, alpha=0.72, linewidths=0.3, edgecolors="white")
    for label in letter(_discs(clustering, layout, labels), width, height):
        _write(ax, label)
    return ax


def _fitted(layout: Layout, ax: Any) -> tuple[Layout, float, float]:
    """The layout as large as the axes allow, in the units of labels; their width and height."""
    ax.figure.figure.draw_without_rendering()  # or the axes would not know how large they are
    inches = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    units = 72 * _LETTERS / _SIZE  # in an inch
    room = np.array([inches.width * units, inches.height * units])
    every = np.concatenate([layout.points, layout.centres])
    low, high = every.min(axis=0), every.max(axis=0)
    scale = float(((1 - 2 * _MARGIN) * room / np.maximum(high - low, 1e-9)).min())
    shift = room / 2 - (low + high) / 2 * scale
    placed = Layout(
        layout.centres * scale + shift, layout.radii * scale, layout.points * scale + shift
    )
    return placed, float(room[0]), float(room[1])


def _discs(clustering: Clustering, layout: Layout, labels: Array) -> list[Disc]:
    middles = [
        layout.points[labels == h].mean(axis=0) if (labels == h).any() else layout.centres[h]
        for h in range(clustering.k)
    ]
    return [
        Disc(h, name, float(x), float(y), float(radius))
        for h, (name, (x, y), radius) in enumerate(
            zip(clustering.names, middles, layout.radii, strict=True)
        )
    ]


def _write(ax: Any, label: Label) -> None:
    from matplotlib.patheffects import withStroke

    top = label.y - _LINE * (len(label.lines) - 1) / 2
    for i, line in enumerate(label.lines):
        ax.text(
            label.x,
            top + _LINE * i,
            line,
            size=_SIZE,
            color=INK,
            weight="bold",
            ha="center",
            va="center",
            parse_math=False,
            path_effects=[withStroke(linewidth=3, foreground="white")],
        )
