"""The flow of documents between two clusterings as SVG that needs no script.

Old clusters stand on the left, new ones on the right, each as tall as it has documents; a ribbon
is as wide as they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from textclust.geometry.affine import Array
from textclust.plain import count, plain
from textclust.report.elements import Markup, joined, tag

__all__ = ["Column", "draw_flow"]

_WIDTH, _BAR, _SIDE = 1000.0, 14.0, 300.0  # of the drawing, a bar, and the room for names
_UNIT, _LEAST, _GAP = 460.0, 16.0, 8.0  # the height of all documents, of a bar at least, between
_THIN = 0.004  # of the collection: ribbons below are left out
_LETTER, _CAPITAL, _FULL = 7.5, 11.0, 15.0  # the width of letters at 14 pixels, at most as a rule


class Column(NamedTuple):
    """The clusters of one side: their names, numbers, colours, and order from the top."""

    names: Sequence[str]
    colours: Sequence[int]
    order: Sequence[int]


class _Bar(NamedTuple):
    top: float
    height: float


def draw_flow(table: Array, old: Column, new: Column) -> Markup:
    """Draw how many documents each old cluster shares with each new one."""
    total = max(int(table.sum()), 1)
    unit = _UNIT / total
    left = _bars(table.sum(axis=1).tolist(), old.order, unit)
    right = _bars(table.sum(axis=0).tolist(), new.order, unit)
    height = max(bar.top + bar.height for bar in (*left, *right)) + _GAP
    svg = tag(
        "svg",
        tag("g", joined(_ribbons(table, old, new, left, right, unit)), class_="ribbons"),
        tag("g", joined(_side(old, left, table.sum(axis=1).tolist(), _SIDE, "end"))),
        tag("g", joined(_side(new, right, table.sum(axis=0).tolist(), _WIDTH - _SIDE, "start"))),
        viewBox=f"0 0 {_WIDTH:g} {height:.0f}",
        role="img",
        aria_label=f"How {count(total, 'document')} flow from {count(len(left), 'old cluster')} "
        f"to {count(len(right), 'new cluster')}; the table below says the same",
    )
    return tag("div", svg, class_="flow")


def _bars(sizes: Sequence[int], order: Sequence[int], unit: float) -> list[_Bar]:
    """Where each cluster's bar is, by its number."""
    found = {}
    top = _GAP
    for h in order:
        height = max(_LEAST, sizes[h] * unit)
        found[h] = _Bar(top, height)
        top += height + _GAP
    return [found[h] for h in range(len(sizes))]


def _ribbons(
    table: Array, old: Column, new: Column, left: list[_Bar], right: list[_Bar], unit: float
) -> list[Markup]:
    from_, to = [bar.top for bar in left], [bar.top for bar in right]
    least = _THIN * max(int(table.sum()), 1)
    x0, x1 = _SIDE + _BAR, _WIDTH - _SIDE - _BAR
    middle = (x0 + x1) / 2
    found = []
    for h in old.order:
        for g in new.order:
            shared = int(table[h, g])
            wide = shared * unit
            if shared < least or not shared:
                continue
            y0, y1 = from_[h], to[g]
            from_[h], to[g] = y0 + wide, y1 + wide
            path = (
                f"M{x0:g} {y0:.1f}C{middle:g} {y0:.1f} {middle:g} {y1:.1f} {x1:g} {y1:.1f}"
                f"v{wide:.1f}C{middle:g} {y1 + wide:.1f} {middle:g} {y0 + wide:.1f} "
                f"{x0:g} {y0 + wide:.1f}z"
            )
            said = f"{count(shared, 'document')}: {old.names[h]} to {new.names[g]}"
            colour = f"c{old.colours[h]}"
            found.append(tag("path", tag("title", plain(said, 300)), d=path, class_=colour))
    return found


def _side(
    column: Column, bars: list[_Bar], sizes: Sequence[int], x: float, anchor: str
) -> list[Markup]:
    """The bars and names of one side; names stand outside."""
    found = []
    right = anchor == "start"
    for h, bar in enumerate(bars):
        rect = tag(
            "rect",
            x=f"{x - _BAR if right else x:g}",
            y=f"{bar.top:.1f}",
            width=f"{_BAR:g}",
            height=f"{bar.height:.1f}",
            class_=f"c{column.colours[h]}",
        )
        size = f" ({sizes[h]:,})"
        name = _fitting(f"{h} {column.names[h]}", _SIDE - _BAR - _wide(size))
        text = tag(
            "text",
            name + size,
            x=f"{x + 8 if right else x - 8:g}",
            y=f"{bar.top + bar.height / 2:.1f}",
            text_anchor=anchor,
        )
        found.append(joined([rect, text]))
    return found


def _fitting(name: str, room: float) -> str:
    """A name, shortened to the room it has."""
    longest = int(room / _LETTER)
    while _wide(shown := plain(name, longest)) > room and longest > 1:
        longest -= 1
    return shown


def _wide(text: str) -> float:
    return sum(
        _FULL
        if east_asian_width(letter) in "WF"
        else _CAPITAL
        if letter.isupper() or letter in "mw@%—"
        else _LETTER
        for letter in text
    )
