"""The overview: a card for every cluster."""

from __future__ import annotations

from textclust.plain import count
from textclust.report.content import Borderline, Cluster, Content, Shown
from textclust.report.elements import Markup, joined, tag
from textclust.result.placement import FITS_NOWHERE

__all__ = ["badge", "bar", "card", "document", "link", "share"]


def card(content: Content, cluster: Cluster) -> Markup:
    """What a cluster is about, how large it is, and the documents that show it."""
    h = cluster.number
    parts = [
        tag("h3", badge(h), " ", tag("bdi", cluster.name), id=f"cluster-{h}", tabindex="-1"),
        tag("p", _size(content, cluster), class_="size"),
        bar(cluster.share, "share"),
        _described(cluster),
        _apart(cluster),
        _documents("Typical documents", [document(shown) for shown in cluster.typical]),
        _documents(
            "Borderline documents", [_uncertain(content, shown) for shown in cluster.borderline]
        ),
        _neighbour(content, cluster),
    ]
    return tag("article", *parts, class_=f"card c{h}", aria_labelledby=f"cluster-{h}")


def document(shown: Shown, beside: Markup | None = None, below: Markup | None = None) -> Markup:
    """A title, an id and a score; the excerpt opens where there is one."""
    meta = tag(
        "span",
        tag("bdi", shown.id, class_="id"),
        tag("span", f"score {shown.score:.3f}", class_="score"),
        *([beside] if beside else []),
        class_="meta",
    )
    heading = [tag("span", shown.title, class_="title", dir="auto")] if shown.title else []
    body = [tag("p", shown.excerpt, class_="excerpt", dir="auto")] if shown.excerpt else []
    body += [below] if below else []
    if not body:
        return tag("div", *heading, meta, class_="doc")
    return tag("details", tag("summary", *heading, meta), *body, class_="doc")


def badge(h: int) -> Markup:
    """The number of a cluster in its colour."""
    return tag("span", str(h), class_=f"badge c{h}")


def link(content: Content, h: int) -> Markup:
    """A cluster's number and name, leading to its card; or to what fits nowhere."""
    if h < 0:
        return tag("a", FITS_NOWHERE, href="#nowhere", class_="to")
    name = content.clusters[h].name
    return tag("a", badge(h), " ", tag("bdi", name), href=f"#cluster-{h}", class_="to")


def bar(part: float, kind: str) -> Markup:
    """A bar, filled from 0 to 1; the number stands beside it in words."""
    filled = tag("rect", class_="full", width=f"{100 * part:.1f}", height="10")
    return tag(
        "svg",
        tag("rect", class_="rest", width="100", height="10"),
        filled,
        class_=f"bar {kind}",
        viewBox="0 0 100 10",
        preserveAspectRatio="none",
        aria_hidden="true",
    )


def share(part: float) -> str:
    """A share in per cent, distinguished from none and from all."""
    if 0 < part < 0.01:
        return "<1%"
    return ">99%" if 0.99 < part < 1 else f"{100 * part:.0f}%"


def _size(content: Content, cluster: Cluster) -> Markup:
    parts: list[str] = [
        tag("strong", count(cluster.size, "document")),
        f", {share(cluster.share)} of all",
    ]
    if cluster.groups is not None:
        parts.append(f"; {cluster.groups:g} {'group' if cluster.groups == 1 else 'groups'}")
    if cluster.classes:
        name, size = cluster.classes[0]
        parts += ["; ", share(size / cluster.size), " are ", tag("bdi", name)]
    if len(content.clusters) > 1:
        parts.append(f"; mean score {cluster.score:.2f}")
    if cluster.stability is not None:
        parts.append(f"; stability {cluster.stability:.2f}")
    return joined(parts)


def _described(cluster: Cluster) -> Markup:
    heaviest = max((term.weight for term in cluster.described), default=1.0)
    rows = [
        tag(
            "li",
            tag("bdi", term.term, class_="term"),
            bar(term.weight / heaviest, "weight"),
            tag("span", f"{100 * term.weight:.1f}%", class_="percent"),
        )
        for term in cluster.described
    ]
    return _titled("What it is about", tag("ul", *rows, class_="terms")) if rows else Markup()


def _apart(cluster: Cluster) -> Markup:
    chips = [tag("li", tag("bdi", term)) for term in cluster.apart]
    return _titled("What sets it apart", tag("ul", *chips, class_="chips")) if chips else Markup()


def _documents(heading: str, items: list[Markup]) -> Markup:
    listed = tag("ul", *(tag("li", item) for item in items), class_="docs")
    return _titled(heading, listed) if items else Markup()


def _uncertain(content: Content, shown: Borderline) -> Markup:
    near = tag("span", "near ", badge(shown.runner_up), class_="near")
    words: list[str] = ["Second choice: ", link(content, shown.runner_up), "."]
    for where, terms in (("Pulled here by", shown.here), ("Pulled there by", shown.there)):
        if terms:
            listed = joined((tag("bdi", tag("b", term)) for term in terms), ", ")
            words += [f" {where} ", listed, "."]
    return document(shown.document, near, tag("p", *words, class_="pulls"))


def _neighbour(content: Content, cluster: Cluster) -> Markup:
    if cluster.neighbour is None:
        return Markup()
    return tag("p", "Nearest cluster: ", link(content, cluster.neighbour), class_="neighbour")


def _titled(heading: str, body: Markup) -> Markup:
    return joined([tag("h4", heading), body])
