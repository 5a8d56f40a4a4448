"""What the page shows, as plain data: every string in it is clean and of bounded length.

Whether documents' words may appear is decided here and nowhere else: without texts there
are no titles, no excerpts and no pulls to draw, so the page cannot leak them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Array
from textclust.parameters import Settings
from textclust.plain import plain, plain_all, tidied
from textclust.report.added import drift_of_added
from textclust.report.course import Course, gather_course
from textclust.report.old_and_new import OldAndNew, gather_past
from textclust.result.clustering import Card, Clustering
from textclust.result.outcome import SupervisionOutcome
from textclust.result.refit_due import Drift
from textclust.result.terms import Term

__all__ = [
    "Borderline",
    "Cluster",
    "Content",
    "Crossing",
    "Nowhere",
    "Shown",
    "class_names",
    "gather",
    "shown",
    "shown_excerpts",
    "shown_ids",
    "shown_titles",
]

_ID, _TITLE, _EXCERPT, _NAME, _CLASS, _TERM = 200, 160, 400, 120, 80, 60  # characters
_TERMS, _DOCUMENTS, _PULLS, _CLASSES = 10, 3, 4, 25
_STRANGERS = 10  # of the documents that fit nowhere
_WORD = 30  # characters in which a cut looks for the end of a word
WITHOUT_CLASS = "no class"


@dataclass(frozen=True)
class Shown:
    """A document on the page; without texts the title is None and the excerpt empty."""

    id: str
    title: str | None
    excerpt: str
    cluster: int
    score: float
    stability: float | None = None  # where it is shown


@dataclass(frozen=True)
class Borderline:
    """A document near a border, and the terms that pull it to either side."""

    row: int
    document: Shown
    runner_up: int
    here: list[str]
    there: list[str]


@dataclass(frozen=True)
class Cluster:
    """A cluster: what it is about and which documents show it."""

    number: int
    name: str
    size: int
    groups: float | None  # of documents, where they have any
    share: float
    score: float  # the mean of its documents
    stability: float | None  # where it was asked for
    neighbour: int | None
    described: list[Term]
    apart: list[str]
    typical: list[Shown]
    borderline: list[Borderline]
    classes: list[tuple[str, int]]


@dataclass(frozen=True)
class Crossing:
    """How many documents of each cluster are of each class; the last column may be the rest."""

    classes: list[str]
    counts: list[list[int]]
    others: int  # how many classes the last column stands for, 0 if it is a class itself


@dataclass(frozen=True)
class Nowhere:
    """How many documents fit nowhere, and some of them."""

    size: int
    first: list[Shown]


@dataclass(frozen=True)
class Content:
    """Everything but the map and the table of documents."""

    source: str | None
    documents: int
    without_terms: int
    terms: int
    method: str  # and what it was run with
    objective: float
    agreement: dict[str, float] | None
    clusters: list[Cluster]
    crossing: Crossing | None
    settings: Settings
    of_vectors: bool
    texts: bool
    outcome: SupervisionOutcome
    labels: list[int]
    past: OldAndNew | None
    course: Course | None  # of the clusters over time
    learned: tuple[list[str], list[str]]  # the terms that weigh most, and least
    in_several: int | None  # documents, where they may be in several clusters
    stopped: str | None  # that the search was ended early
    embedding: str | None  # what counts beside the terms, and how much
    nowhere: Nowhere | None  # what fits nowhere, where that was looked for
    drift: Drift | None  # of documents that were added
    stability: str | None  # of the whole, where it was asked for


def gather(clustering: Clustering, apart: Array, texts: bool) -> Content:
    """Read a clustering, with the separations of its clusters, for the page."""
    settings, stopped = clustering.settings, clustering.stopped
    source = (settings.get("collection") or {}).get("source")
    crossed = _crossed(clustering)
    neighbours = _neighbours(apart)
    return Content(
        source=plain(os.path.basename(str(source).rstrip("/\\")), _NAME) if source else None,
        documents=len(clustering.cards),
        without_terms=int((np.diff(clustering.texts.indptr) == 0).sum()),
        terms=int(clustering.texts.shape[1]),
        method=_method(settings),
        objective=clustering.objective,
        agreement=clustering.agreement(),
        clusters=[
            _cluster(clustering, h, texts, crossed[h], neighbours[h]) for h in range(clustering.k)
        ],
        crossing=_crossing(crossed),
        settings=settings,
        of_vectors=clustering.of_vectors,
        texts=texts,
        outcome=clustering.outcome,
        labels=clustering.labels.tolist(),
        past=gather_past(clustering),
        course=gather_course(clustering, texts),
        learned=_learned(clustering),
        in_several=clustering.in_several,
        stopped=None if stopped is None else stopped.sentence(clustering.objective),
        embedding=_embedding(clustering),
        nowhere=_nowhere(clustering, texts),
        drift=drift_of_added(clustering),
        stability=None if clustering.stability is None else str(clustering.stability),
    )


def _embedding(clustering: Clustering) -> str | None:
    """The vectors beside the terms, in words."""
    beside = clustering.beside
    if beside is None:
        return None
    source = "vectors given beside them" if beside.model is None else f"vectors of {beside.model}"
    return f"{plain(source, _NAME)} at weight {beside.weight:g}"


def _nowhere(clustering: Clustering, texts: bool) -> Nowhere | None:
    if clustering.outliers is None:
        return None
    rows = np.flatnonzero(clustering.outliers)[:_STRANGERS].tolist()
    return Nowhere(clustering.n_outliers, [shown(clustering, row, texts) for row in rows])


def _method(settings: Settings) -> str:
    """What was run; models of earlier versions know the method alone."""
    known = settings.get("description") or f"the method {settings.get('method', 'unknown')}"
    return plain(str(known), _NAME)


def shown(clustering: Clustering, row: int, texts: bool) -> Shown:
    """One document, with its words or without."""
    card = clustering.cards[row]
    return Shown(
        id=shown_ids([card])[0],
        title=shown_titles([card])[0] if texts else None,
        excerpt=shown_excerpts([card])[0] if texts else "",
        cluster=int(clustering.labels[row]),
        score=round(float(clustering.scores[row]), 3),
    )


def shown_ids(cards: Sequence[Card]) -> list[str]:
    """The ids of documents, or what stands for them."""
    return [name or "(no id)" for name in plain_all([card.id for card in cards], _ID)]


def shown_titles(cards: Sequence[Card]) -> list[str]:
    """The titles of documents."""
    return plain_all([card.title for card in cards], _TITLE)


def shown_excerpts(cards: Sequence[Card], longest: int = _EXCERPT) -> list[str]:
    """The beginnings of texts, less a first line that is the title; a cut is marked."""
    found = [_beginning(card, longest) for card in cards]
    texts = tidied([text for text, _ in found])
    return [
        f"{text} …" if is_cut and text else text
        for text, (_, is_cut) in zip(texts, found, strict=True)
    ]


def _beginning(card: Card, longest: int) -> tuple[str, bool]:
    """What is shown of a text, up to the end of a word, and whether there is more."""
    text = card.excerpt.lstrip()
    first, _, rest = text.partition("\n")
    if first == card.title or (len(first) < _EXCERPT and " ".join(first.split()) == card.title):
        text = rest.lstrip()
    if len(text) <= longest and len(card.excerpt) < _EXCERPT:
        return text, False
    text = text[:longest]
    last = text.rfind(" ", -_WORD)
    return text[:last] if last > 0 else text, True


def class_names(cards: list[Card]) -> list[str | None]:
    """The known classes of documents."""
    known = {card.truth for card in cards} - {None}
    names = {truth: plain(str(truth), _CLASS) or "(unnamed)" for truth in known}
    return [names.get(card.truth) for card in cards]


def _cluster(
    clustering: Clustering, h: int, texts: bool, classes: Counter[str], neighbour: int | None
) -> Cluster:
    typical = clustering.nearest_rows(h, _DOCUMENTS)
    uncertain = clustering.borderline_rows(h, 2 * _DOCUMENTS) if clustering.k > 1 else []
    uncertain = [row for row in uncertain if row not in typical][:_DOCUMENTS]
    members = clustering.scores[clustering.labels == h]
    discriminating = clustering.weighted_terms(h, _TERMS, "discriminating")
    return Cluster(
        number=h,
        name=plain(clustering.names[h], _NAME),
        size=clustering.sizes[h],
        groups=None if clustering.group_sizes is None else clustering.group_sizes[h],
        share=clustering.sizes[h] / max(len(clustering.cards), 1),
        score=float(members.mean()) if len(members) else 0.0,
        stability=None if clustering.stability is None else clustering.stability.cluster(h),
        neighbour=neighbour,
        described=[
            Term(plain(t.term, _TERM), t.weight) for t in clustering.weighted_terms(h, _TERMS)
        ],
        apart=[plain(term.term, _TERM) for term in discriminating],
        typical=[shown(clustering, row, texts) for row in typical],
        borderline=[_borderline(clustering, row, texts) for row in uncertain],
        classes=[(name, count) for name, count in classes.most_common() if name != WITHOUT_CLASS],
    )


def _borderline(clustering: Clustering, row: int, texts: bool) -> Borderline:
    why = clustering.explain(row)
    here, there = (why.here, why.there) if texts else ([], [])
    return Borderline(
        row=row,
        document=shown(clustering, row, texts),
        runner_up=why.runner_up,
        here=[plain(pull.term, _TERM) for pull in here[:_PULLS]],
        there=[plain(pull.term, _TERM) for pull in there[:_PULLS]],
    )


def _neighbours(apart: Array) -> list[int | None]:
    if len(apart) == 1:
        return [None]
    others = apart + np.diag(np.full(len(apart), np.inf))
    return [int(nearest) for nearest in others.argmin(axis=1)]


def _learned(clustering: Clustering) -> tuple[list[str], list[str]]:
    most, least = clustering.learned_terms(_PULLS)
    return [plain(term.term, _TERM) for term in most], [plain(term.term, _TERM) for term in least]


def _crossed(clustering: Clustering) -> list[Counter[str]]:
    """How many documents of each class each cluster has."""
    crossed: list[Counter[str]] = [Counter() for _ in range(clustering.k)]
    cells = Counter(zip(clustering.labels.tolist(), class_names(clustering.cards), strict=True))
    for (label, name), count in cells.items():
        if label >= 0:
            crossed[label][name or WITHOUT_CLASS] += count
    return crossed


def _crossing(crossed: list[Counter[str]]) -> Crossing | None:
    """The table, its columns in the order in which the clusters find them."""
    totals = sum(crossed, Counter[str]())
    if set(totals) <= {WITHOUT_CLASS}:
        return None
    kept = sorted(totals, key=lambda name: (-totals[name], name))[:_CLASSES]
    home = {name: max(range(len(crossed)), key=lambda h: crossed[h][name]) for name in kept}
    kept.sort(
        key=lambda name: (name == WITHOUT_CLASS, home[name], -crossed[home[name]][name], name)
    )
    others = len(totals) - len(kept)
    rest = [sum(counts.values()) - sum(counts[name] for name in kept) for counts in crossed]
    return Crossing(
        classes=[*kept, *([f"{others} smaller classes"] if others else [])],
        counts=[
            [*(counts[name] for name in kept), *([left] if others else [])]
            for counts, left in zip(crossed, rest, strict=True)
        ],
        others=others,
    )
