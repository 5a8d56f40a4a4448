"""The map of the collection as SVG that needs no script."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.report.elements import Markup, joined, tag
from textclust.report.layout import Layout, arrange, have_a_place, spread_sample
from textclust.report.lettering import Disc, Label, letter
from textclust.result.clustering import Clustering

__all__ = ["Picture", "draw"]

_WIDTH, _LOWEST, _HIGHEST, _MARGIN = 1000.0, 360.0, 720.0, 34.0
_HEIGHT_OF_CLUSTER = 30.0  # how much more height each cluster is given
_DOTS = 5_000
_LINE = 17.0


@dataclass(frozen=True)
class Picture:
    """The drawing and how many documents are in it."""

    svg: Markup
    drawn: int
    left_out: int  # for want of room; documents without terms are not counted


def draw(clustering: Clustering, apart: Array, rows: Labels, names: list[str]) -> Picture:
    """Draw the documents of these rows; without terms, or a cluster, they have no place."""
    placed = have_a_place(clustering.texts, clustering.labels)
    rows, numbers = rows[placed[rows]], np.flatnonzero(placed[rows])
    chosen = spread_sample(clustering.labels[rows], clustering.scores[rows], _DOTS)
    rows, numbers = rows[chosen], numbers[chosen]
    labels = clustering.labels[rows]
    layout = arrange(clustering.texts[rows], labels, clustering.text_space, apart)
    points, centres, scale, height = _fitted(layout)
    discs = [
        Disc(h, name, *_middle(points[labels == h], centres[h]), float(layout.radii[h] * scale))
        for h, name in enumerate(names)
    ]
    svg = tag(
        "svg",
        tag("g", _dots(points, labels, numbers, len(names)), class_="dots", aria_hidden="true"),
        tag("g", joined(_numbers(discs)), class_="numbers"),
        tag("g", joined(_name(label) for label in letter(discs, _WIDTH, height)), class_="names"),
        id="map-svg",
        viewBox=f"0 0 {_WIDTH:g} {height:g}",
        role="group",
        aria_label=f"Map of {len(rows)} documents in {len(names)} clusters",
    )
    return Picture(svg, len(rows), int(placed.sum()) - len(rows))


def _fitted(layout: Layout) -> tuple[Array, Array, float, float]:
    """Points and centres in units of the drawing, as large as it allows; its scale and height."""
    everything = np.concatenate([layout.points, layout.centres])
    low, high = everything.min(axis=0), everything.max(axis=0)
    wide, tall = np.maximum(high - low, 1e-9).tolist()
    highest = min(_HIGHEST, _LOWEST + _HEIGHT_OF_CLUSTER * len(layout.centres))
    scale = min((_WIDTH - 2 * _MARGIN) / wide, (highest - 2 * _MARGIN) / tall)
    height = float(np.ceil(max(_LOWEST, tall * scale + 2 * _MARGIN)))
    shift = np.array([_WIDTH / 2, height / 2]) - (low + high) / 2 * scale
    return layout.points * scale + shift, layout.centres * scale + shift, scale, height


def _middle(points: Array, centre: Array) -> tuple[float, float]:
    """Where the name of a cluster belongs: amid its documents."""
    x, y = points.mean(axis=0) if len(points) else centre
    return float(x), float(y)


def _dots(points: Array, labels: Labels, numbers: Labels, k: int) -> Markup:
    """One group of circles for each cluster; data-d is the document's place in the table."""
    radius = f"{min(7.0, max(2.3, 80 / np.sqrt(max(len(points), 1)))):.2g}"
    groups = []
    for h in range(k):
        own = labels == h
        circles = [
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" data-d="{number}"></circle>'
            for (x, y), number in zip(points[own].tolist(), numbers[own].tolist(), strict=True)
        ]
        groups.append(tag("g", Markup("".join(circles)), class_=f"c{h}"))
    return joined(groups)


def _numbers(discs: list[Disc]) -> list[Markup]:
    return [
        tag(
            "a",
            tag("text", str(disc.number), x=f"{disc.x:.1f}", y=f"{disc.y:.1f}"),
            href=f"#cluster-{disc.number}",
            aria_label=f"Cluster {disc.number}: {disc.name}",
        )
        for disc in discs
    ]


def _name(label: Label) -> Markup:
    top = label.y - _LINE * (len(label.lines) - 1) / 2
    number, _, rest = label.lines[0].partition(" ")
    first = joined([tag("tspan", number, class_="number"), f" {rest}" if rest else ""])
    lines = [first, *label.lines[1:]]
    texts = [
        tag("text", line, x=f"{label.x:.1f}", y=f"{top + _LINE * i:.1f}")
        for i, line in enumerate(lines)
    ]
    return tag("a", *texts, href=f"#cluster-{label.cluster}")
