"""The documents to search in, within a bounded size: columns for the script, rows to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textclust.answer.clustering import Clustering
from textclust.geometry.affine import Labels
from textclust.report.content import Shown, class_name, shown
from textclust.report.elements import data, passage
from textclust.report.layout import spread_sample

__all__ = ["Table", "tabulate"]

_WITH_EXCERPTS = 20_000  # documents; beyond them titles only
_MOST = 50_000  # documents; beyond them a sample
_BUDGET = 12_000_000  # bytes of words
_SHORTEST = 8  # characters worth showing


@dataclass(frozen=True)
class Table:
    """Documents that can be found on the page; the rows are theirs in the clustering."""

    rows: Labels
    documents: list[Shown]
    classes: list[str | None]
    has_titles: bool
    has_excerpts: bool

    def columns(self, names: list[str]) -> dict[str, Any]:
        """What the script reads: a list for each column, names given once."""
        kinds = sorted({name for name in self.classes if name is not None})
        place = {name: i for i, name in enumerate(kinds)}
        columns = {
            "names": names,
            "ids": [document.id for document in self.documents],
            "clusters": [document.cluster for document in self.documents],
            "scores": [document.score for document in self.documents],
        }
        if self.has_titles:
            columns["titles"] = [document.title for document in self.documents]
        if self.has_excerpts:
            columns["excerpts"] = [document.excerpt for document in self.documents]
        if kinds:
            columns["kinds"] = kinds
            columns["classes"] = [place.get(name or "", -1) for name in self.classes]
        return columns


def tabulate(clustering: Clustering, texts: bool) -> Table:
    """All documents, or a sample spread over the clusters where there are too many."""
    rows = spread_sample(clustering.labels, clustering.scores, _MOST)
    documents = [shown(clustering, row, texts) for row in rows.tolist()]
    has_excerpts = texts and len(clustering.cards) <= _WITH_EXCERPTS
    ids = _fitted([document.id for document in documents], _BUDGET // 3)
    titles = _fitted([document.title or "" for document in documents], _BUDGET // 3)
    left = _BUDGET - _bytes(ids) - _bytes(titles)
    excerpts = _fitted([document.excerpt if has_excerpts else "" for document in documents], left)
    return Table(
        rows=rows,
        documents=[
            Shown(ids[i], titles[i] if texts else None, excerpts[i], old.cluster, old.score)
            for i, old in enumerate(documents)
        ],
        classes=[class_name(clustering.cards[row]) if texts else None for row in rows.tolist()],
        has_titles=texts,
        has_excerpts=any(excerpts),
    )


def _fitted(texts: list[str], budget: int) -> list[str]:
    """The texts as they are, or cut to one length that fits the budget."""
    longest = max(map(len, texts), default=0)
    while (size := _bytes(texts)) > budget and longest > _SHORTEST:
        longest = max(_SHORTEST, int(longest * min(0.9, budget / size)))
        texts = [passage(text, longest) for text in texts]
    return texts


def _bytes(texts: list[str]) -> int:
    return len(data(texts).encode())
