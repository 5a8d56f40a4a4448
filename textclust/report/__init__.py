"""One page to read a clustering by: offline, self-contained, safe with any document."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path
from string import Template

from textclust.report import sections
from textclust.report.added import added_section
from textclust.report.cards import card
from textclust.report.changes import changes_section, colours_of
from textclust.report.content import Content, gather
from textclust.report.course import course_section
from textclust.report.drawing import Picture, draw
from textclust.report.elements import Markup, joined, tag
from textclust.report.file_links import file_links
from textclust.report.hierarchy import hierarchy_section
from textclust.report.layout import separations
from textclust.report.making import making_section
from textclust.report.nowhere import nowhere_section
from textclust.report.old_and_new import past_section
from textclust.report.palette import colour_rules
from textclust.report.policy import content_security_policy
from textclust.report.supervision import is_supervised, supervision_section
from textclust.report.table import DocumentTable, tabulate
from textclust.result.clustering import Clustering
from textclust.result.placement import FITS_NOWHERE, NOWHERE
from textclust.threads import blas_on_one
from textclust.writing import whole_file

__all__ = ["write_report"]

_SCRIPT = ("documents", "search", "panel", "map", "rows", "export", "start")


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
        file.write(_page(clustering, path, texts))
    return Path(path)


def _page(clustering: Clustering, path: str | os.PathLike[str], texts: bool) -> bytes:
    apart = separations(clustering.text_space)
    content, table = gather(clustering, apart, texts), tabulate(clustering, texts)
    names = [cluster.name for cluster in content.clusters]
    picture = draw(clustering, apart, table.rows, names)
    style, script = _part("page.css") + colour_rules(colours_of(clustering)), _script()
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
    more = _more(clustering, content, table, path) if texts else {}
    data = table.columns(names, more)  # by far the most, so it is copied once and no more
    return data.encode().join(half.encode("utf-8", "replace") for half in frame)


def _part(name: str) -> str:
    return (files(__name__) / name).read_text(encoding="utf-8")


def _script() -> str:
    """All of the script as one: its parts share one scope, and nothing outside sees it."""
    parts = "".join(_part(f"script/{name}.js") for name in _SCRIPT)
    return f'"use strict";\n(() => {{\n{parts}}})();\n'


def _more(
    clustering: Clustering, content: Content, table: DocumentTable, path: str | os.PathLike[str]
) -> dict[str, Markup]:
    """What is known of some documents alone: the terms that pull them, and their files."""
    borderline = (each for cluster in content.clusters for each in cluster.borderline)
    files = file_links(clustering, path, table.rows.tolist(), table.ids.texts)
    return {"pulls": table.pulls(borderline), **({"files": files.data} if files else {})}


def _beginning(clustering: Clustering, content: Content) -> dict[str, str]:
    heading = sections.heading(content)
    source = content.source
    return {
        "title": joined([f"{source}: {heading}" if source else heading]),
        "source": tag("p", tag("bdi", source), class_="source") if source else Markup(),
        "heading": joined([heading]),
        "method": sections.method(content),
        "agreement": joined([sections.agreement(content), sections.stability(content)]),
        "strip": sections.strip(content),
        "sections": joined(_sections(clustering, content), " "),
    }


def _sections(clustering: Clustering, content: Content) -> list[Markup]:
    """Links to what is on the page."""
    there = [
        _to("Map", "map", True),
        _to("Hierarchy", "hierarchy", clustering.levels),
        _to("Clusters", "clusters", True),
        _to("Fits nowhere", "nowhere", content.nowhere),
        _to("Classes", "classes", content.crossing),
        _to("Supervision", "supervision", is_supervised(content.outcome)),
        _to("Since the run before", "changes", clustering.changes),
        _to("Old and new", "old-and-new", content.past),
        _to("Documents added", "added", content.drift),
        _to("Time", "time", content.course),
        _to("Documents", "documents", True),
        _to("How it was made", "making", True),
    ]
    return [link for link in there if link]


def _to(name: str, place: str, there: object) -> Markup:
    """A link to a section, where it is there."""
    return tag("a", name, href=f"#{place}") if there else Markup()


def _middle(clustering: Clustering, content: Content, picture: Picture) -> dict[str, str]:
    return {
        "map": picture.svg,
        "shading": Markup() if content.stability is None else sections.shading(),
        "map_note": sections.map_note(content, picture),
        "legend": sections.legend(content),
        "cards": joined(card(content, cluster) for cluster in content.clusters),
        "crossing": sections.crossing(content),
        "supervision": supervision_section(content.outcome, content.labels),
        "changes": changes_section(clustering),
        "added": added_section(content.drift),
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
    last = [tag("th", "Score", scope="col", class_="score", id="by-score")]
    if table.stability is not None:
        last.append(tag("th", "Stability", scope="col", class_="stability", id="by-stability"))
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
        "head": joined([*head, *last]),
        "rows": sections.first_rows(content, table),
        "shown": sections.extent(table),
        "making": making_section(content),
    }
