"""The section on documents that fit nowhere."""

from __future__ import annotations

from textclust.plain import count
from textclust.report.cards import document
from textclust.report.content import Content
from textclust.report.elements import Markup, tag

__all__ = ["nowhere_section"]


def nowhere_section(content: Content) -> Markup:
    """How many there are, and the first of them; nothing where they were not looked for."""
    found = content.nowhere
    if found is None:
        return Markup()
    many = count(found.size, "document")
    they = "It takes" if found.size == 1 else "They take"
    note = (
        f"{many}: too far from every cluster, and from all other documents, for what is usual in "
        f"this collection. {they} no part in names, terms and the map."
        if found.size
        else "No document: each is near enough to a cluster, and to others, for what is usual in "
        "this collection."
    )
    listed = tag("ul", *(tag("li", document(shown)) for shown in found.first), class_="docs")
    some = len(found.first)
    more = [tag("p", f"The first {some} are listed; the table below has all.", class_="note")]
    return tag(
        "section",
        tag("h2", "Fits nowhere", id="nowhere"),
        tag("p", note, class_="note"),
        *([listed] if some else []),
        *(more if some < found.size else []),
    )
