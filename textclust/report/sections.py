"""The parts of the page around the cards: beginning, legend, classes, documents."""

from __future__ import annotations

from textclust.plain import count
from textclust.report.cards import link, share
from textclust.report.content import Content, Crossing, Shown
from textclust.report.drawing import Picture
from textclust.report.elements import Markup, joined, tag
from textclust.report.table import DocumentTable
from textclust.result.placement import NOWHERE

__all__ = [
    "agreement",
    "crossing",
    "extent",
    "first_rows",
    "heading",
    "legend",
    "map_note",
    "method",
    "searched",
    "shading",
    "stability",
    "strip",
]

_FIRST_ROWS = 200


def heading(content: Content) -> str:
    """How many documents in how many clusters."""
    return f"{count(content.documents, 'document')} in {count(len(content.clusters), 'cluster')}"


def method(content: Content) -> Markup:
    """By what method the clusters were found."""
    found = f"Found by {content.method}"
    stopped = [] if content.stopped is None else [f"{content.stopped}."]
    if content.of_vectors:
        words = f"{found} in ready-made vectors; names and terms come from the texts."
        return joined([words, *stopped], " ")
    sentences = [f"{found}, from {count(content.terms, 'term')}."]
    if content.embedding is not None:
        sentences[0] = f"{sentences[0][:-1]} and {content.embedding}."
    if content.in_several is not None:
        sentences.append(f"In several clusters: {count(content.in_several, 'document')};")
        sentences.append("here each is shown in the nearest.")
    most, least = content.learned
    if most:
        sentences.append(f"Of the weights it learned the highest are those of {', '.join(most)},")
        sentences.append(f"the lowest those of {', '.join(least)}.")
    return joined([*sentences, *stopped], " ")


def map_note(content: Content, picture: Picture) -> Markup:
    """How to read the map, and what is not on it."""
    notes = ["Each dot is a document in the colour of its cluster."]
    if len(content.clusters) > 1:
        notes.append("Clusters of similar wording lie close together.")
        notes.append("Typical documents are in the middle of their cluster; those that might")
        notes.append("as well be elsewhere drift that way.")
    else:
        notes.append("The more typical it is, the nearer it lies to the middle.")
    if picture.left_out:
        whole = picture.drawn + picture.left_out
        notes.append(
            f"{picture.drawn:,} of {whole:,} documents are drawn, evenly from each cluster."
        )
    if content.without_terms:
        without = count(content.without_terms, "document")
        notes.append(f"{without} without any term that counts cannot be placed on it.")
    if content.nowhere is not None and content.nowhere.size:
        number = content.nowhere.size
        fit, are = ("fits", "is") if number == 1 else ("fit", "are")
        notes.append(f"{count(number, 'document')} that {fit} nowhere {are} not on it.")
    return joined(notes, " ")


def shading() -> Markup:
    """The switch between dots alike and dots by their stability; the script makes it work."""
    button = tag("button", "Shade by stability", type="button", aria_pressed="false")
    meaning = tag("span", "full: stable; hollow: no more than chance", hidden=True)
    return tag("p", button, " ", meaning, id="shading", hidden=True)


def stability(content: Content) -> Markup:
    """How stable the clusters are, and what that means."""
    if content.stability is None:
        return Markup()
    words = "how well documents that are together are together again where halves are clustered"
    return tag("p", f"{content.stability}: {words} anew.")


def agreement(content: Content) -> Markup:
    """How well the clusters agree with the classes the documents came with."""
    if not content.agreement or not content.crossing:
        return Markup()
    classes = len(content.crossing.classes) + max(content.crossing.others - 1, 0)
    nmi, f1 = (tag("strong", f"{content.agreement[m]:.2f}") for m in ("nmi", "pairwise_f1"))
    known = f"Against the {classes:,} known {'class' if classes == 1 else 'classes'}: "
    scored = count(int(content.agreement["documents"]), "document")
    on = f" without supervision ({scored})" if content.outcome.mentioned else ""
    basis = f" (1 is perfect), on documents{on}." if on else f" (1 is perfect), on {scored}."
    if content.nowhere is not None:
        basis += " What fits nowhere counts as one more cluster."
    return tag("p", known, "NMI ", nmi, ", pairwise F1 ", f1, basis)


def strip(content: Content) -> Markup:
    """All clusters side by side, as wide as they are large."""
    parts, begin = [], 0.0
    for cluster in content.clusters:
        wide = 1000 * cluster.share
        place = {"x": f"{begin:.2f}", "width": f"{wide:.2f}", "height": "10"}
        parts.append(tag("rect", class_=f"c{cluster.number}", **place))
        begin += wide
    shape = {"viewBox": "0 0 1000 10", "preserveAspectRatio": "none", "aria_hidden": "true"}
    return tag("svg", *parts, class_="strip", **shape)


def legend(content: Content) -> Markup:
    """Which colour is which cluster."""
    entries = [
        tag(
            "li",
            link(content, cluster.number),
            tag("span", f"{cluster.size:,}", class_="count"),
            data_c=cluster.number,
        )
        for cluster in content.clusters
    ]
    if content.nowhere is not None and content.nowhere.size:
        size = tag("span", f"{content.nowhere.size:,}", class_="count")
        entries.append(tag("li", link(content, NOWHERE), size))
    return tag("ul", *entries, class_="legend", aria_label="Clusters by colour")


def crossing(content: Content) -> Markup:
    """Clusters against known classes."""
    table = content.crossing
    if table is None:
        return Markup()
    columns = [
        tag("th", tag("span", tag("bdi", name)), scope="col", class_="class")
        for name in table.classes
    ]
    rows = [
        tag("tr", tag("th", link(content, h), scope="row"), *_cells(table, h))
        for h in range(len(table.counts))
    ]
    caption = tag(
        "caption", "Documents of each cluster by known class; a stronger shade is a larger share."
    )
    head = tag("thead", tag("tr", tag("td"), *columns))
    whole = tag("table", caption, head, tag("tbody", *rows), class_="crossing")
    scroll = {"class_": "scroll", "role": "region", "aria_label": "Clusters by class"}
    return tag(
        "section",
        tag("h2", "Clusters and known classes", id="classes"),
        tag("div", whole, tabindex="0", **scroll),
    )


def first_rows(content: Content, table: DocumentTable) -> Markup:
    """The rows that can be read without a script."""
    several = any(name is not None for name in table.classes)
    return joined(
        _row(content, document, name, several)
        for document, name in zip(
            table.first(_FIRST_ROWS), table.classes[:_FIRST_ROWS], strict=True
        )
    )


def extent(table: DocumentTable) -> str:
    """How many of the documents the rows are."""
    many = len(table)
    part = f"The first {_FIRST_ROWS} of {many:,}" if many > _FIRST_ROWS else f"All {many:,}"
    return f"{part} documents."


def searched(table: DocumentTable) -> str:
    """What the search looks at: not whole texts, which are not in the page."""
    fields = ["ids", "clusters", *(["classes"] if any(table.classes) else [])]
    if table.titles:
        fields.insert(1, "titles")
    if table.excerpts:
        fields.append(f"the first {table.longest} characters of each text at most")
    listed = f"{', '.join(fields[:-1])} and {fields[-1]}"
    return f"The search looks at {listed}, not at whole texts."


def _cells(table: Crossing, h: int) -> list[Markup]:
    total = max(sum(table.counts[h]), 1)
    return [
        tag(
            "td",
            f"{number:,}" if number else tag("span", "·", class_="none"),
            class_=f"s{min(9, int(10 * number / total))}" if number else None,
            title=f"{share(number / total)} of the cluster" if number else None,
        )
        for number in table.counts[h]
    ]


def _row(content: Content, document: Shown, known: str | None, several: bool) -> Markup:
    stable = content.stability is not None
    title: Markup = Markup()
    if document.title is not None:
        title = tag("span", document.title, dir="auto")
        if document.excerpt:
            excerpt = tag("p", document.excerpt, class_="excerpt", dir="auto")
            title = tag("details", tag("summary", title), excerpt)
        title = tag("td", title, class_="title")
    return tag(
        "tr",
        tag("td", tag("bdi", document.id), class_="id"),
        title,
        tag("td", link(content, document.cluster), class_="cluster"),
        tag("td", tag("bdi", known or ""), class_="class") if several else Markup(),
        tag("td", f"{document.score:.3f}", class_="score"),
        tag("td", _three(document.stability), class_="stability") if stable else Markup(),
    )


def _three(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.3f}"
