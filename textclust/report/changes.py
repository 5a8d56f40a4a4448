"""The clusters of an earlier run beside those of a later one: a picture and a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array
from textclust.plain import count, plain
from textclust.report.elements import Markup, joined, tag
from textclust.report.flow_picture import Column, draw_flow
from textclust.result.changes import Changes, Fate, Part, note_on_shared
from textclust.result.clustering import Clustering
from textclust.result.placement import FITS_NOWHERE

__all__ = ["FlowView", "changes_section", "colours_of", "new_colours"]

_NAME = 120  # characters
_HEADS = ("Before", "After", "What became of it", "Size before", "Size after", "Shared")


@dataclass(frozen=True)
class FlowView:
    """What changed, with the names, sizes and colours that the later clusters have on a page."""

    changes: Changes
    names: Sequence[str]
    sizes: Sequence[int]
    old_colours: Sequence[int]
    colours: Sequence[int]

    @property
    def section(self) -> Markup:
        """The picture, and what became of every cluster."""
        table = np.array(self.changes.table)
        old_order = [fate.old for fate in self.changes.fates if fate.old is not None]
        left = Column(self.changes.names, self.old_colours, old_order)
        right = Column(self.names, self.colours, _beside(table))
        head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in _HEADS)))
        lines = [*map(self._line, self.changes.fates)]
        body = tag("tbody", *lines, *([self._nowhere()] if self.changes.nowhere else []))
        listed = tag("table", head, body, class_="listing")
        scroll = tag("div", listed, class_="scroll", tabindex="0")
        return joined([draw_flow(table, left, right), scroll])

    def _line(self, fate: Fate) -> Markup:
        before = None if fate.old is None else self.changes.sizes[fate.old]
        after = None if fate.new is None else self.sizes[fate.new]
        return tag(
            "tr",
            tag("td", _named(self.changes.names, fate.old)),
            tag("td", _named(self.names, fate.new)),
            tag(
                "td",
                fate.in_words(_listed(self.names, fate.into), _listed(self.changes.names, fate.of)),
            ),
            tag("td", "–" if before is None else f"{before:,}"),
            tag("td", "–" if after is None else f"{after:,}"),
            tag("td", f"{fate.shared:,}" if fate.shared else "–"),
        )

    def _nowhere(self) -> Markup:
        """What fits nowhere, so that the sizes add up."""
        found = self.changes.nowhere
        return tag(
            "tr",
            tag("td", FITS_NOWHERE),
            tag("td", FITS_NOWHERE),
            tag("td", ""),
            tag("td", f"{found.old:,}"),
            tag("td", f"{found.new:,}"),
            tag("td", f"{found.both:,}" if found.both else "–"),
        )


def changes_section(clustering: Clustering) -> Markup:
    """What changed since the run that this one goes on from; nothing where there is none."""
    changes = clustering.changes
    if changes is None:
        return Markup()
    view = FlowView(
        changes,
        clustering.names,
        clustering.sizes,
        _old_colours(changes, clustering.k),
        range(clustering.k),
    )
    note = (
        f"It goes on from a run on {count(changes.documents, 'document')}; {changes.shared:,} of "
        "them are here too. Before on the left, now on the right; a ribbon is as wide as the "
        "documents it stands for, which the numbers beside it count. "
        + note_on_shared(placed=changes.shared < max(changes.documents, clustering.n_documents))
    )
    return tag(
        "section",
        tag("h2", "Since the run before", id="changes"),
        tag("p", note, class_="note"),
        view.section,
    )


def colours_of(clustering: Clustering) -> list[int]:
    """The place in the palette of each cluster, which goes with its identity.

    After them come those of earlier clusters that are gone.
    """
    found = [number - 1 for number in clustering.identity.numbers]
    changes = clustering.changes
    if changes is not None:
        found += [n - 1 for h, n in enumerate(changes.numbers) if h not in changes.became]
    return found


def _old_colours(changes: Changes, k: int) -> list[int]:
    """What `colours_of` has for each earlier cluster, by its place there."""
    more = iter(range(k, k + len(changes.names)))
    found = (changes.became.get(h) for h in range(len(changes.names)))
    return [next(more) if now is None else now for now in found]


def new_colours(changes: Changes, k: int) -> list[int]:
    """Colours of k later clusters: that of the earlier one that each was, or one of its own."""
    of_new = {new: old for old, new in changes.became.items()}
    more = iter(range(len(changes.names), len(changes.names) + k))
    return [of_new[g] if g in of_new else next(more) for g in range(k)]


def _beside(table: Array) -> list[int]:
    """The later clusters, each beside those that it was, from the top."""
    places = np.arange(len(table)) @ table / np.maximum(table.sum(axis=0), 1)
    return [int(g) for g in np.argsort(places, kind="stable")]


def _listed(names: Sequence[str], parts: tuple[Part, ...]) -> str:
    return ", ".join(
        f"{part.cluster} {plain(names[part.cluster], _NAME)} ({part.documents:,})" for part in parts
    )


def _named(names: Sequence[str], h: int | None) -> Markup:
    return joined(["–"]) if h is None else tag("bdi", f"{h} {plain(names[h], _NAME)}")
