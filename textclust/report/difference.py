"""The page that says what changed between two clusterings."""

from __future__ import annotations

import os
from importlib.resources import files
from itertools import islice
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from textclust.report.elements import Markup, count, joined, plain, tag
from textclust.report.flow_picture import Column, draw_flow
from textclust.report.palette import colour_rules
from textclust.report.policy import content_security_policy
from textclust.threads import blas_on_one
from textclust.writing import whole_file

if TYPE_CHECKING:
    from textclust.comparison.difference import Difference, Move
    from textclust.comparison.matching import Fate, Part
    from textclust.result.clustering import Clustering

__all__ = ["flow_section", "write_difference"]

_NAME, _TITLE = 120, 160  # characters
_MOVES = 500
_FATES = ("Before", "After", "What became of it", "Size before", "Size after", "In both")
_MOVED = ("Document", "From", "To", "Pulled there by")


def write_difference(difference: Difference, path: str | os.PathLike[str]) -> Path:
    """Write what changed as one HTML page that needs nothing but a browser."""
    with whole_file(path) as file, blas_on_one():
        file.write(_page(difference).encode("utf-8", "replace"))
    return Path(path)


def _page(difference: Difference) -> str:
    style = _part("page.css") + colour_rules(_colours(difference)[2])
    moved, shared = len(difference.moved_rows), difference.shared
    parts = {
        "policy": content_security_policy("", style),
        "style": style,
        "heading": joined([_heading(difference)]),
        "lede": tag("p", joined(_lede(difference), " ")),
        "flow": flow_section(difference),
        "moves": _moves(difference),
        "moved": joined([f"{moved:,} of {count(shared, 'document')} that both have"]),
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
        "A document that only one of them has is placed in the other."
        if difference.shared < max(old, new)
        else "",
    ]
    agreement = difference.agreement
    if agreement is not None:
        said.append(f"On those in both the agreement is NMI {agreement['nmi']:.3f} (1 = the same).")
    return [each for each in said if each]


def flow_section(difference: Difference) -> Markup:
    """The picture, and what became of every cluster."""
    old, new = difference.old, difference.new
    old_colours, new_colours, _ = _colours(difference)
    old_order = [fate.old for fate in difference.fates if fate.old is not None]
    left = Column([_name(old, h) for h in range(old.k)], old_colours, old_order)
    right = Column([_name(new, g) for g in range(new.k)], new_colours, _new_order(difference))
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in _FATES)))
    body = tag("tbody", *(_line(difference, fate) for fate in difference.fates))
    table = tag("table", head, body, class_="listing")
    picture = draw_flow(difference.flow.table, left, right)
    return joined([picture, tag("div", table, class_="scroll", tabindex="0")])


def _colours(difference: Difference) -> tuple[list[int], list[int], int]:
    """The colour of each old and of each new cluster, one for both where they are the same."""
    k = difference.old.k
    of_new = {new: old for old, new in difference.became.items()}
    more = iter(range(k, k + difference.new.k))
    new = [of_new[g] if g in of_new else next(more) for g in range(difference.new.k)]
    return list(range(k)), new, k + difference.new.k


def _new_order(difference: Difference) -> list[int]:
    """New clusters beside what they were: each below those that came before it on the left."""
    table = difference.flow.table
    middle = {
        g: sum(h * int(n) for h, n in enumerate(table[:, g])) / max(int(table[:, g].sum()), 1)
        for g in range(difference.new.k)
    }
    return sorted(middle, key=lambda g: (middle[g], g))


def _line(difference: Difference, fate: Fate) -> Markup:
    old, new = difference.old, difference.new
    return tag(
        "tr",
        tag("td", "–" if fate.old is None else _badge(old, fate.old)),
        tag("td", "–" if fate.new is None else _badge(new, fate.new)),
        tag("td", _became(difference, fate)),
        tag("td", "–" if fate.old is None else f"{old.sizes[fate.old]:,}"),
        tag("td", "–" if fate.new is None else f"{new.sizes[fate.new]:,}"),
        tag("td", f"{fate.shared:,}" if fate.shared else "–"),
    )


def _became(difference: Difference, fate: Fate) -> str:
    """A few words on what became of a cluster."""
    into, of = _listed(difference.new, fate.into), _listed(difference.old, fate.of)
    said = {
        "split": f"split into {into}",
        "merged": f"merged of {of}",
        "gone": f"gone; most of it is in {into}" if into else "gone",
        "new": f"new; most of it was in {of}" if of else "new",
    }
    return said.get(fate.kind.value, fate.kind.value)


def _listed(clustering: Clustering, parts: tuple[Part, ...]) -> str:
    return ", ".join(
        f"{part.cluster} {_name(clustering, part.cluster)} ({part.documents:,})" for part in parts
    )


def _moves(difference: Difference) -> Markup:
    """The documents that moved, as many as a page should show."""
    rows = [_moved(difference, move) for move in islice(difference.moves(), _MOVES)]
    if not rows:
        return tag("p", "No document moved.", class_="note")
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in _MOVED)))
    table = tag("table", head, tag("tbody", *rows), class_="listing")
    more = len(difference.moved_rows) - len(rows)
    note = [tag("p", f"{more:,} more; textclust diff --json lists all.", class_="note")]
    return joined([tag("div", table, class_="scroll", tabindex="0"), *(note if more else [])])


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
