"""The section on a background: what became of its classes, and what is new."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.plain import count, plain, plain_all
from textclust.report.elements import Markup, tag
from textclust.result.clustering import Clustering

__all__ = ["OldAndNew", "gather_past", "past_section"]

_NAME, _TERM = 120, 60  # characters
_HEADS = ("Cluster", "Old", "New", "Fit no class", "Terms that rise", "Terms that fall")


@dataclass(frozen=True)
class ClusterThenAndNow:
    """A cluster beside the class it had in the background."""

    number: int
    name: str
    is_new: bool
    old: int
    new: int
    fit_no_class: int  # documents that fit no known class
    rising: list[str]
    falling: list[str]


@dataclass(frozen=True)
class OldAndNew:
    """All clusters, and how much of the collection the background knows."""

    rows: list[ClusterThenAndNow]
    documents: int
    fit_no_class: int


def gather_past(clustering: Clustering) -> OldAndNew | None:
    """What the page shows of a background; None where there was none."""
    past = clustering.outcome.background
    if past is None:
        return None
    fit_no_class = past.fits_no_class
    rows = [
        ClusterThenAndNow(
            number=h,
            name=plain(clustering.names[h], _NAME),
            is_new=past.classes[h] is None,
            old=past.sizes[h],
            new=clustering.sizes[h],
            fit_no_class=int(fit_no_class[clustering.labels == h].sum()),
            rising=plain_all(list(past.rising[h]), _TERM),
            falling=plain_all(list(past.falling[h]), _TERM),
        )
        for h in range(clustering.k)
    ]
    return OldAndNew(rows, len(clustering.cards), int(fit_no_class.sum()))


def past_section(found: OldAndNew | None) -> Markup:
    """Old against new, a line for each cluster; nothing without a background."""
    if found is None:
        return Markup()
    old, new = sum(row.old for row in found.rows), max(found.documents, 1)
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in _HEADS)))
    body = tag("tbody", *(_line(row, max(old, 1), new) for row in found.rows))
    note = (
        f"{count(old, 'older document')} of known classes are the background of these clusters. "
        f"{found.fit_no_class:,} of {count(found.documents, 'document')} fit none of the classes: "
        "of the older ones, nineteen in twenty fit better. A cluster is new where no class "
        "claims it."
    )
    return tag(
        "section",
        tag("h2", "Old and new", id="old-and-new"),
        tag("p", note, class_="note"),
        tag("div", tag("table", head, body, class_="listing"), class_="scroll", tabindex="0"),
    )


def _line(row: ClusterThenAndNow, old: int, new: int) -> Markup:
    then = "new" if row.is_new else f"{row.old:,} ({row.old / old:.0%})"
    share = row.fit_no_class / row.new if row.new else 0.0
    return tag(
        "tr",
        tag("td", tag("a", tag("bdi", f"{row.number} {row.name}"), href=f"#cluster-{row.number}")),
        tag("td", then),
        tag("td", f"{row.new:,} ({row.new / new:.0%})"),
        tag("td", f"{row.fit_no_class:,} ({share:.0%})"),
        tag("td", ", ".join(row.rising) or "–"),
        tag("td", ", ".join(row.falling) or "–"),
    )
