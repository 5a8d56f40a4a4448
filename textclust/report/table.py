"""The documents to search in, within a bounded size: columns for the script, rows to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from textclust.geometry.affine import Labels
from textclust.plain import passage
from textclust.report.content import (
    Borderline,
    Shown,
    class_names,
    shown_excerpts,
    shown_ids,
    shown_titles,
)
from textclust.report.elements import Markup, data, members
from textclust.report.layout import spread_sample
from textclust.result.clustering import Clustering

__all__ = ["DocumentTable", "tabulate"]

_EXCERPTS = 2_000_000  # characters that all excerpts share
_LONGEST, _SHORTEST = 400, 80  # characters of an excerpt; below the shortest, titles only
_MOST = 50_000  # documents; beyond them a sample
_BUDGET = 12_000_000  # bytes of words
_FEWEST = 8  # characters of an id or a title


@dataclass(frozen=True)
class Column:
    """Texts, and the same as the script reads them."""

    texts: list[str]
    data: Markup

    @property
    def size(self) -> int:
        """The bytes it takes on the page."""
        return len(self.data.encode())


@dataclass(frozen=True)
class DocumentTable:
    """Documents that can be found on the page; the rows are theirs in the clustering."""

    rows: Labels  # in ascending order
    clusters: list[int]
    scores: list[float]
    classes: list[str | None]
    ids: Column
    titles: Column | None
    excerpts: Column | None
    longest: int  # characters of an excerpt
    stability: list[float | None] | None = None  # where it was asked for

    @property
    def has_short_excerpts(self) -> bool:
        """Whether excerpts are shorter here than on the cards, for want of room."""
        return self.excerpts is not None and self.longest < _LONGEST

    def __len__(self) -> int:
        return len(self.rows)

    def first(self, n: int) -> Iterator[Shown]:
        """The first n documents."""
        for i in range(min(n, len(self))):
            title = self.titles.texts[i] if self.titles else None
            excerpt = self.excerpts.texts[i] if self.excerpts else ""
            yield Shown(
                self.ids.texts[i],
                title,
                excerpt,
                self.clusters[i],
                self.scores[i],
                None if self.stability is None else self.stability[i],
            )

    def columns(self, names: list[str], more: Mapping[str, Markup]) -> Markup:
        """What the script reads: a list for each column, names given once, and what is more."""
        kinds = sorted({name for name in self.classes if name is not None})
        place = {name: i for i, name in enumerate(kinds)}
        columns = {
            "names": data(names),
            "ids": self.ids.data,
            "clusters": data(self.clusters),
            "scores": data(self.scores),
        }
        if self.stability is not None:
            columns["stability"] = data(self.stability)
        if self.titles:
            columns["titles"] = self.titles.data
        if self.excerpts:
            columns["excerpts"] = self.excerpts.data
        if kinds:
            columns["kinds"] = data(kinds)
            columns["classes"] = data([place.get(name or "", -1) for name in self.classes])
        return members({**columns, **more})

    def pulls(self, known: Iterable[Borderline]) -> Markup:
        """By place, the second choice of documents and the terms that pull them here and there."""
        listed = list(known)
        places = np.searchsorted(self.rows, [each.row for each in listed]).tolist()
        return data(
            {
                place: [each.runner_up, each.here, each.there]
                for place, each in zip(places, listed, strict=True)
                if place < len(self) and self.rows[place] == each.row
            }
        )


def tabulate(clustering: Clustering, texts: bool) -> DocumentTable:
    """All documents, or a sample spread over the clusters where there are too many."""
    rows = spread_sample(clustering.labels, clustering.scores, _MOST)
    cards = [clustering.cards[row] for row in rows.tolist()]
    stable = None if clustering.stability is None else clustering.stability.written(3)
    ids = _fitted(shown_ids(cards), _BUDGET // 3)
    titles = _fitted(shown_titles(cards), _BUDGET // 3) if texts else None
    longest = min(_LONGEST, _EXCERPTS // max(len(clustering.cards), 1))
    excerpts = None
    if titles and longest >= _SHORTEST:
        left = _BUDGET - ids.size - titles.size
        excerpts = _fitted(shown_excerpts(cards, longest), left)
    return DocumentTable(
        rows=rows,
        clusters=clustering.labels[rows].tolist(),
        scores=clustering.scores[rows].round(3).tolist(),
        classes=class_names(cards) if texts else [None] * len(cards),
        ids=ids,
        titles=titles,
        excerpts=excerpts if excerpts and any(excerpts.texts) else None,
        longest=longest,
        stability=None if stable is None else [stable[row] for row in rows.tolist()],
    )


def _fitted(texts: list[str], budget: int) -> Column:
    """The texts as they are, or cut to one length that fits the budget."""
    longest = max(map(len, texts), default=0)
    column = Column(texts, data(texts))
    while (size := column.size) > budget and longest > _FEWEST:
        longest = max(_FEWEST, int(longest * min(0.9, budget / size)))
        texts = [passage(text, longest) for text in texts]
        column = Column(texts, data(texts))
    return column
