"""The section on what was said beforehand: seeds kept, links broken and at what price."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.answer.clustering import Clustering
from textclust.report.elements import Markup, count, joined, plain, tag

__all__ = ["Told", "gather_told", "told_section"]

_ID, _CLASS = 200, 80  # characters
_MOST = 200  # broken links on the page


@dataclass(frozen=True)
class Broken:
    """A link that the clusters break."""

    left: str
    right: str
    kind: str
    clusters: tuple[int, int]
    price: float | None


@dataclass(frozen=True)
class Told:
    """What was said beforehand, and what became of it."""

    seeds: int
    kept: int
    classes: list[tuple[int, str]]  # with their clusters
    links: int
    broken: list[Broken]  # the dearest first


def gather_told(clustering: Clustering) -> Told | None:
    """The evidence of a clustering as the page shows it; None where there was none."""
    evidence, labels = clustering.evidence, clustering.labels.tolist()
    if not evidence.links and not evidence.seeds:
        return None
    ids = [plain(card.id, _ID) or "(no id)" for card in clustering.cards]
    broken = [
        Broken(
            ids[link.left],
            ids[link.right],
            link.kind,
            (labels[link.left], labels[link.right]),
            link.price,
        )
        for link in clustering.violations()
    ]
    return Told(
        seeds=len(evidence.seeds),
        kept=evidence.kept_seeds(labels),
        classes=[
            (home, plain(name, _CLASS))
            for home, name in zip(evidence.homes(labels), evidence.classes, strict=True)
        ],
        links=len(evidence.links),
        broken=sorted(broken, key=lambda link: -(link.price or 0.0)),
    )


def told_section(told: Told | None) -> Markup:
    """What became of seeds and links; nothing where nothing was said."""
    if told is None:
        return Markup()
    parts: list[Markup] = [tag("h2", "What was said beforehand", id="told")]
    if told.seeds:
        named = ", ".join(f"{home} for {name}" for home, name in told.classes)
        kept = f"{told.kept:,} of {count(told.seeds, 'seed')} in the cluster of their class"
        parts.append(tag("p", f"{kept}: {named}."))
    if told.links:
        parts.append(_links(told))
    return tag("section", *parts)


def _links(told: Told) -> Markup:
    price = sum(link.price or 0.0 for link in told.broken)
    broken = f"{len(told.broken):,} of {count(told.links, 'link')} broken"
    if not told.broken:
        return tag("p", f"{broken}.")
    heads = ("Document", "Document", "Said to be", "In clusters", "Price")
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    rows = [_row(link) for link in told.broken[:_MOST]]
    more = len(told.broken) - len(rows)
    notes = [f"{broken}, at a price of {price:.3f} in all."]
    if more:
        notes.append(f"The {_MOST} dearest are listed.")
    table = tag("table", head, tag("tbody", *rows), class_="told")
    return joined([tag("p", " ".join(notes)), tag("div", table, class_="scroll", tabindex="0")])


def _row(link: Broken) -> Markup:
    said = "together" if link.kind == "must-link" else "apart"
    where = " and ".join(map(str, dict.fromkeys(link.clusters)))
    price = "–" if link.price is None else f"{link.price:.3f}"
    ids = [tag("td", tag("bdi", name)) for name in (link.left, link.right)]
    return tag("tr", *ids, tag("td", said), tag("td", where), tag("td", price))
