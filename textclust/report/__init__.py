"""One page to read a clustering by: offline, self-contained, safe with any document."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from string import Template

from textclust.report import sections
from textclust.report.cards import card
from textclust.report.changes import changes_section, colours_of
from textclust.report.content import Content, gather
from textclust.report.course import course_section
from textclust.report.drawing import Picture, draw
from textclust.report.elements import Markup, joined, tag
from textclust.report.hierarchy import hierarchy_section
from textclust.report.layout import separations
from textclust.report.nowhere import nowhere_section
from textclust.report.old_and_new import past_section
from textclust.report.palette import colour_rules
from textclust.report.policy import content_security_policy
from textclust.report.supervision import supervision_section
from textclust.report.table import DocumentTable, tabulate
from textclust.result.clustering import Clustering
from textclust.result.placement import FITS_NOWHERE, NOWHERE
from textclust.threads import blas_on_one
from textclust.writing import whole_file

__all__ = ["write_report"]


def write_report(
    clustering: Clustering, path: str | os.PathLike[str], *, texts: bool = True
) -> Path:
    """Write a clustering as one HTML page that needs nothing but a browser.

    Parameters
    ----------
    clustering : Clustering
    path : path
        The file to write; it appears whole or not at all, and replaces only such a page.
    texts : bool, default=True
        False leaves out whatever quotes a document: titles, excerpts and the terms that
        pull single documents. Ids, scores, the terms of the clusters and their counts of
        known classes remain.

    Notes
    -----
    The page holds its own style and script, allowed by their hashes alone, and no address
    of anything outside. Above 5,000 documents the excerpts in the table become shorter, above
    25,000 they are left out, above 50,000 it holds a sample; the map shows about 5,000. Where
    so, the page says so.
    """
    # The file first, so that a place that is taken is refused at once.
    with whole_file(path) as file, blas_on_one():
        file.write(_page(clustering, texts))
    return Path(path)


def _page(clustering: Clustering, texts: bool) -> bytes:
    apart = separations(clustering.text_space)
    content, table = gather(clustering, apart, texts), tabulate(clustering, texts)
    names = [cluster.name for cluster in content.clusters]
    picture = draw(clustering, apart, table.rows, names)
    style, script = _part("page.css") + colour_rules(colours_of(clustering)), _part("page.js")
    parts = {
        "policy": content_security_policy(script, style),
        "style": style,
        "script": script,
        **_beginning(clustering, content),
        **_middle(clustering, content, picture),
        "hierarchy": hierarchy_section(content, clustering.levels),
        "nowhere": nowhere_section(content),
        **_end(content, table),
    }
    frame = (Template(half).substitute(parts) for half in _part("page.html").split("$data"))
    data = table.columns(names)  # by far the most, so it is copied once and no more
    return data.encode().join(half.encode("utf-8", "replace") for half in frame)


def _part(name: str) -> str:
    return (files(__name__) / name).read_text(encoding="utf-8")


def _beginning(clustering: Clustering, content: Content) -> dict[str, str]:
    heading = sections.heading(content)
    source = content.source
    return {
        "title": joined([f"{source}: {heading}" if source else heading]),
        "source": tag("p", tag("bdi", source), class_="source") if source else Markup(),
        "heading": joined([heading]),
        "method": sections.method(content),
        "agreement": sections.agreement(content),
        "strip": sections.strip(content),
        "to_hierarchy": _to("Hierarchy", "hierarchy", clustering.levels),
        "to_classes": _to("Classes", "classes", content.crossing),
        "to_changes": joined(
            [
                _to("Since the run before ", "changes", clustering.changes),
                _to("Old and new", "old-and-new", content.past),
            ]
        ),
        "to_time": _to("Time", "time", content.course),
    }


def _to(name: str, place: str, there: object) -> Markup:
    """A link to a section, where it is there."""
    return tag("a", name, href=f"#{place}") if there else Markup()


def _middle(clustering: Clustering, content: Content, picture: Picture) -> dict[str, str]:
    return {
        "map": picture.svg,
        "map_note": sections.map_note(content, picture),
        "legend": sections.legend(content),
        "cards": joined(card(content, cluster) for cluster in content.clusters),
        "crossing": sections.crossing(content),
        "supervision": supervision_section(content.outcome, content.labels),
        "changes": changes_section(clustering),
        "past": past_section(content.past),
        "course": course_section(content.course),
    }


def _end(content: Content, table: DocumentTable) -> dict[str, str]:
    notes = []
    if len(table) < content.documents:
        part = f"{len(table):,} of {content.documents:,}"
        notes.append(f"A sample of {part} documents, evenly from each cluster.")
    if table.has_short_excerpts:
        many = f"{table.longest} characters"
        notes.append(f"Excerpts of {many}: longer ones of so many would make the page too large.")
    if content.texts and not table.excerpts:
        notes.append("Titles only: excerpts of so many documents would make the page too large.")
    if not content.texts:
        notes.append("The documents' own words were left out of this report.")
    head = [tag("th", "Id", scope="col", class_="id")]
    head += [tag("th", "Title", scope="col", class_="title")] if content.texts else []
    head += [tag("th", "Cluster", scope="col", class_="cluster")]
    if any(name is not None for name in table.classes):
        head.append(tag("th", "Class", scope="col", class_="class"))
    return {
        "table_notes": joined(notes, " "),
        "options": joined(
            [
                *(
                    tag("option", f"{cluster.number} {cluster.name}", value=cluster.number)
                    for cluster in content.clusters
                ),
                *([] if content.nowhere is None else [tag("option", FITS_NOWHERE, value=NOWHERE)]),
            ]
        ),
        "searched": joined([sections.searched(table)]),
        "head": joined(head),
        "rows": sections.first_rows(content, table),
        "shown": sections.extent(table),
        "making": sections.making(content),
    }
