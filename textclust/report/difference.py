"""The page that says what changed between two clusterings."""

from __future__ import annotations

import os
from importlib.resources import files
from itertools import islice
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from textclust.plain import count, plain
from textclust.report.changes import FlowView, new_colours
from textclust.report.elements import Markup, joined, tag
from textclust.report.palette import colour_rules
from textclust.report.policy import content_security_policy
from textclust.threads import blas_on_one
from textclust.writing import whole_file

if TYPE_CHECKING:
    from textclust.comparison.difference import Difference, Move
    from textclust.result.clustering import Clustering

__all__ = ["write_difference"]

_NAME, _TITLE = 120, 160  # characters
_MOVES = 500
_MOVED = ("Document", "From", "To", "Pulled there by")


def write_difference(difference: Difference, path: str | os.PathLike[str]) -> Path:
    """Write what changed as one HTML page that needs nothing but a browser."""
    with whole_file(path) as file, blas_on_one():
        file.write(_page(difference).encode("utf-8", "replace"))
    return Path(path)


def _page(difference: Difference) -> str:
    new, changes = difference.new, difference.changes
    old_colours, colours = range(difference.old.k), new_colours(changes, new.k)
    view = FlowView(changes, new.names, new.sizes, old_colours, colours)
    style = _part("page.css") + colour_rules(range(difference.old.k + new.k))
    parts = {
        "policy": content_security_policy("", style),
        "style": style,
        "heading": joined([_heading(difference)]),
        "lede": tag("p", joined(_lede(difference), " ")),
        "flow": view.section,
        "note": joined([difference.note]),
        "moves": _moves(difference),
    }
    return Template(_part("difference.html")).substitute(parts)


def _part(name: str) -> str:
    return (files(__package__ or "textclust.report") / name).read_text(encoding="utf-8")


def _heading(difference: Difference) -> str:
    return f"{count(difference.old.k, 'cluster')} before, {difference.new.k} after"


def _lede(difference: Difference) -> list[str]:
    old, new = difference.old.n_documents, difference.new.n_documents
    said = [
        f"{count(old, 'document')} before, {new:,} after; {difference.shared:,} are in both.",
    ]
    agreement = difference.agreement
    if agreement is not None:
        said.append(f"On those in both the agreement is NMI {agreement['nmi']:.3f} (1 = the same).")
    return said


def _moves(difference: Difference) -> Markup:
    """The documents that moved, as many as a page should show."""
    if not difference.shared:
        said = "No document is in both, so none can be said to have moved."
        return tag("p", said, class_="note")
    rows = [_moved(difference, move) for move in islice(difference.moves(), _MOVES)]
    if not rows:
        return tag("p", "No document moved.", class_="note")
    both = f"{count(difference.shared, 'document')} that both have did not go where their"
    lead = tag("p", f"{len(difference.moved_rows):,} of {both} cluster went.", class_="note")
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in _MOVED)))
    table = tag("table", head, tag("tbody", *rows), class_="listing")
    more = len(difference.moved_rows) - len(rows)
    note = [tag("p", f"{more:,} more; the JSON of textclust diff has all of them.", class_="note")]
    return joined([lead, tag("div", table, class_="scroll", tabindex="0"), *(note if more else [])])


def _moved(difference: Difference, move: Move) -> Markup:
    title = [] if move.title == move.id else [tag("br"), tag("bdi", plain(move.title, _TITLE))]
    pulled = move.because or ", ".join(plain(term, _NAME) for term in move.terms)
    return tag(
        "tr",
        tag("td", tag("bdi", plain(move.id, _NAME), class_="id"), *title),
        tag("td", _badge(difference.old, move.old)),
        tag("td", _badge(difference.new, move.new)),
        tag("td", pulled or ("its cluster is gone" if move.stay is None else "–")),
    )


def _badge(clustering: Clustering, h: int) -> Markup:
    return tag("bdi", "fits nowhere" if h < 0 else f"{h} {_name(clustering, h)}")


def _name(clustering: Clustering, h: int) -> str:
    return plain(clustering.names[h], _NAME)
