"""The section on documents that were added: whether they still fit, and where they went."""

from __future__ import annotations

from textclust.plain import count, plain
from textclust.report.elements import Markup, tag
from textclust.result.clustering import Clustering
from textclust.result.refit_due import ClusterDrift, Drift

__all__ = ["added_section", "drift_of_added"]

_NAME, _SENTENCE = 120, 2_000  # characters
_HEADS = ("Cluster", "Before", "Added", "Fit worse", "Unlike the others")


def drift_of_added(clustering: Clustering) -> Drift | None:
    """How the documents that were added differ; None where none were."""
    return clustering.drift if clustering.additions else None


def added_section(drift: Drift | None) -> Markup:
    """Whether a refit is due, and the documents added to each cluster; nothing without any."""
    if drift is None:
        return Markup()
    were = "was" if drift.documents == 1 else "were"
    note = (
        f"{count(drift.documents, 'document')} {were} added to the {drift.fitted:,} that the "
        "clusters were made from. Fit worse: how often an added document fits worse than one of "
        "the others; half of the time is no difference."
    )
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in _HEADS)))
    table = tag("table", head, tag("tbody", *map(_line, drift.clusters)), class_="listing")
    return tag(
        "section",
        tag("h2", "Documents added", id="added"),
        tag("p", tag("strong", f"{plain(drift.sentence(), _SENTENCE)}."), class_="verdict"),
        tag("p", note, class_="note"),
        tag("div", table, class_="scroll", tabindex="0"),
    )


def _line(found: ClusterDrift) -> Markup:
    name = tag("bdi", f"{found.cluster} {plain(found.name, _NAME)}")
    return tag(
        "tr",
        tag("td", tag("a", name, href=f"#cluster-{found.cluster}")),
        tag("td", f"{found.before:,}"),
        tag("td", f"{found.added:,}"),
        tag("td", "–" if found.worse is None else f"{found.worse:.0%}"),
        tag("td", "yes" if found.differs else "–"),
    )
