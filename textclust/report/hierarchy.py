"""The section on the hierarchy: which clusters belong together, as an outline that opens."""

from __future__ import annotations

from textclust.plain import count, plain
from textclust.report.cards import link, share
from textclust.report.content import Content
from textclust.report.elements import Markup, joined, tag
from textclust.result.tree import Node, Tree

__all__ = ["hierarchy_section"]

_NAME = 120  # characters
_OPEN = 60  # clusters up to which all groups are open at first


def hierarchy_section(content: Content, tree: Tree | None) -> Markup:
    """Groups of clusters, the coarsest first; nothing where no levels were asked for."""
    if tree is None:
        return Markup()
    steps = joined((f"{len(level):,}" for level in tree.levels), ", then ")
    note = (
        "Clusters stand together where what sets them apart from the collection as a whole is "
        f"alike. From the outside in: {steps} groups, the last of which are the clusters."
    )
    outline = tag("ul", *(_entry(content, node, tree) for node in tree.levels[0]), class_="tree")
    return tag(
        "section",
        tag("h2", "What belongs together", id="hierarchy"),
        tag("p", note, class_="note"),
        outline,
    )


def _entry(content: Content, node: Node, tree: Tree) -> Markup:
    size = tag("span", f"{node.size:,}", class_="count")
    if node.is_cluster:
        return tag("li", link(content, node.clusters[0]), " ", size)
    name = tag("bdi", tag("strong", plain(node.name, _NAME)))
    about = (
        f"{count(len(node.clusters), 'cluster')}, {share(node.size / max(content.documents, 1))}"
    )
    heading = tag("summary", name, " ", size, " ", tag("span", about, class_="meta"))
    parts = tag("ul", *(_entry(content, child, tree) for child in node.children))
    return tag("li", tag("details", heading, parts, open=tree.k <= _OPEN))
