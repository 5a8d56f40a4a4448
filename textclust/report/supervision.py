"""The section on the supervision: words, seeds kept, links overruled and at what price."""

from __future__ import annotations

from textclust.plain import count, plain
from textclust.report.elements import Markup, joined, tag
from textclust.result.outcome import SupervisionOutcome
from textclust.supervision.links import Link

__all__ = ["is_supervised", "supervision_section"]

_ID, _CLASS, _WORDS = 200, 80, 2_000  # characters
_MOST = 200  # overruled links on the page


def is_supervised(outcome: SupervisionOutcome) -> bool:
    """Whether anything was given that the page has to answer for."""
    return outcome.guided or outcome.accuracy is not None or outcome.sizes is not None


def supervision_section(outcome: SupervisionOutcome, labels: list[int]) -> Markup:
    """What became of seeds, links and wanted sizes; nothing where none were given."""
    if not is_supervised(outcome):
        return Markup()
    parts: list[Markup] = [tag("h2", "What became of your supervision", id="supervision")]
    if outcome.moved is not None:
        parts.append(tag("p", f"What you gave moved {count(outcome.moved, 'document')}."))
    for sentence in outcome.notes():
        parts.append(tag("p", f"{plain(sentence, _WORDS)}."))
    if outcome.words is not None:
        parts.append(tag("p", f"{plain(outcome.words.sentence(), _WORDS)}."))
    if outcome.seeds:
        classes = ", ".join(
            f"{h} is {plain(name, _CLASS)}" for name, h in outcome.cluster_of_class.items()
        )
        kept = f"{outcome.kept_seeds:,} of {count(outcome.seeds, 'labelled document')}"
        parts.append(tag("p", f"{kept} in the cluster of their class: {classes}."))
    if outcome.accuracy is not None:
        parts.append(tag("p", f"{outcome.confidence}."))
    if outcome.sizes is not None:
        parts.append(tag("p", f"{outcome.sizes.sentence()}."))
    if outcome.links:
        parts.append(_links(outcome, labels))
    return tag("section", *parts)


def _links(outcome: SupervisionOutcome, labels: list[int]) -> Markup:
    overruled = outcome.overruled_links
    notes = [f"{len(overruled):,} of {count(outcome.links, 'link')} overruled"]
    if not overruled:
        return tag("p", f"{notes[0]}.")
    notes = [f"{notes[0]}, which adds {outcome.price:.3f} to the energy."]
    if len(overruled) > _MOST:
        notes.append(f"The {_MOST} most expensive are listed.")
    heads = ("Document", "Document", "Link", "In clusters", "Price")
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    rows = [_row(left, right, link, labels) for left, right, link in overruled[:_MOST]]
    table = tag("table", head, tag("tbody", *rows), class_="listing")
    return joined([tag("p", " ".join(notes)), tag("div", table, class_="scroll", tabindex="0")])


def _row(left: str, right: str, link: Link[int], labels: list[int]) -> Markup:
    where = " and ".join(map(str, dict.fromkeys((labels[link.left], labels[link.right]))))
    price = "–" if link.price is None else f"{link.price:.3f}"
    ids = [tag("td", tag("bdi", plain(name, _ID) or "(no id)")) for name in (left, right)]
    return tag("tr", *ids, tag("td", link.kind), tag("td", where), tag("td", price))
