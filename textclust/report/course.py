"""The course of the clusters: how many documents each has in each period, and what rises."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.plain import count, plain, plain_all
from textclust.report.elements import Markup, joined, tag
from textclust.result.clustering import Clustering
from textclust.result.over_time import over_time
from textclust.result.periods import named, within
from textclust.result.trends import KINDS

__all__ = ["ClusterCourse", "Course", "course_section", "gather_course"]

_NAME, _TERM = 120, 60  # characters
_LATEST = 3  # periods whose rising terms are shown
_WIDE, _HIGH = 10, 60  # of the room of a bar


@dataclass(frozen=True)
class ClusterCourse:
    """One cluster: its documents in each period, and the terms that rose of late."""

    number: int
    name: str
    sizes: list[int]
    rising: list[tuple[str, list[str]]]  # when, and the terms
    trend: tuple[str, str] | None  # its kind, and the whole in words


@dataclass(frozen=True)
class Course:
    """All clusters over the same periods."""

    freq: str
    first: str
    last: str
    middle: str  # that the later half of the documents begins with
    rows: list[ClusterCourse]
    undated: int
    outside: int  # documents before the first period or after the last


def gather_course(clustering: Clustering, texts: bool) -> Course | None:
    """What the page shows of dates; None where they are fewer than two periods.

    Without texts there are no rising terms, as a few documents make them.
    """
    if clustering.dates is None or clustering.whole is not None:
        return None
    found = over_time(clustering, clustering.settings.get("by", "auto")).shown
    if len(found.periods) < 2:
        return None
    assert found.middle is not None
    words = [within(period, found.freq) for period in found.periods]
    trends = {each.cluster: (each.kind, each.in_words(found.freq)) for each in found.trends}
    rows = []
    for h in range(clustering.k):
        rising = list(zip(words, found.rising[h], strict=True)) if texts else []
        rising = [(when, terms) for when, terms in rising if terms][-_LATEST:]
        rows.append(
            ClusterCourse(
                number=h,
                name=plain(clustering.names[h], _NAME),
                sizes=found.sizes[h].tolist(),
                rising=[(when, plain_all(list(terms), _TERM)) for when, terms in rising],
                trend=trends.get(h),
            )
        )
    every = (found.periods[0], found.periods[-1], found.middle)
    first, last, middle = (named(period, found.freq) for period in every)
    return Course(found.freq, first, last, middle, rows, found.undated, found.outside)


def course_section(found: Course | None) -> Markup:
    """A small chart for each cluster, all on the same scale; nothing without dates."""
    if found is None:
        return Markup()
    top = max(max(row.sizes) for row in found.rows)
    many = len(found.rows[0].sizes)
    note = [
        f"Documents of each cluster by {found.freq}, from {found.first} to {found.last}; a bar of "
        f"full height is {count(top, 'document')}."
    ]
    if any(row.rising for row in found.rows):
        note.append(
            f"Below are terms that rose: more documents of that {found.freq} hold them than those "
            "of earlier ones let expect, and than chance explains."
        )
    if found.undated:
        is_are = "is" if found.undated == 1 else "are"
        note.append(f"{count(found.undated, 'document')} without a date {is_are} not counted.")
    if found.outside:
        is_are = "is" if found.outside == 1 else "are"
        note.append(f"{count(found.outside, 'document')} of other dates {is_are} not shown.")
    charts = [_chart(row, found, top, many) for row in found.rows]
    return tag(
        "section",
        tag("h2", "Over time", id="time"),
        tag("p", " ".join(note), class_="note"),
        _trends(found),
        tag("div", *charts, class_="course"),
    )


def _trends(found: Course) -> Markup:
    """Which clusters rise and fall, are new or have vanished, in words."""
    said = [(row, row.trend) for row in found.rows if row.trend is not None]
    note = (
        f"Shares are those before {found.middle} and from then on, which halves the documents as "
        f"nearly as {found.freq}s allow. What is listed is more than chance explains: if dates "
        "meant nothing, anything would be listed for one collection in twenty at most."
    )
    if not said:
        nothing = "No cluster rises, falls, is new or has vanished by more than chance explains."
        return tag("p", nothing, class_="note trends")
    said.sort(key=lambda each: KINDS.index(each[1][0]))
    listed = [tag("li", _to_cluster(row), f": {words}") for row, (_, words) in said]
    return joined([tag("ul", *listed, class_="trends"), tag("p", note, class_="note")])


def _to_cluster(row: ClusterCourse) -> Markup:
    badge = tag("span", str(row.number), class_=f"badge c{row.number}")
    link = f"#cluster-{row.number}"
    return tag("a", badge, " ", tag("bdi", row.name), href=link, class_="to")


def _chart(row: ClusterCourse, found: Course, top: int, many: int) -> Markup:
    bars = [
        f"M{_WIDE * place} {_HIGH}v-{max(1.0, _HIGH * size / top):.3g}h{_WIDE - 1}V{_HIGH}z"
        for place, size in enumerate(row.sizes)
        if size
    ]
    sizes = ", ".join(map(str, row.sizes))
    drawing = tag(
        "svg",
        tag("path", d="".join(bars)),
        class_=f"c{row.number}",
        viewBox=f"0 0 {_WIDE * many} {_HIGH}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"Documents by {found.freq}: {sizes}",
    )
    ends = tag("p", tag("span", found.first), tag("span", found.last), class_="ends")
    rising = [tag("li", tag("b", ", ".join(terms)), f" {when}") for when, terms in row.rising]
    return tag(
        "figure",
        tag("figcaption", _to_cluster(row)),
        drawing,
        ends,
        tag("ul", joined(rising), class_="rising") if rising else Markup(),
    )
