"""What is kept of the documents of a clustering, and of a collection of which some are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from textclust.geometry.affine import Array, Labels
from textclust.result.terms import TermWeights
from textclust.text.catalogue import Catalogue

__all__ = ["Card", "Whole", "as_rows", "cards_of", "group_sizes"]


class Card(NamedTuple):
    """What is kept of a document to show it: its id, a title, the beginning of its text."""

    id: str
    title: str
    excerpt: str
    truth: str | None = None  # the class it came with, if it had one
    group: str | None = None  # such as who wrote it, if that was asked for
    date: datetime | str | None = None  # a header's as it was written


@dataclass(frozen=True)
class Whole:
    """What is known of a collection of which only some documents are kept."""

    names: tuple[str, ...]  # of the clusters
    sizes: tuple[int, ...]
    weights: TermWeights | None = None  # of the terms; a model has those of the documents it keeps


def cards_of(documents: Catalogue) -> list[Card]:
    """What is kept of every document to show it."""
    columns = (
        documents.ids,
        documents.titles,
        documents.excerpts,
        documents.labels or [None] * len(documents),
        documents.groups or [None] * len(documents),
        (entry.date for entry in documents.entries),
    )
    return list(map(Card, *columns))


def as_rows(digests: Sequence[bytes]) -> Array:
    """The digests of texts, a row of bytes for each."""
    return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(len(digests), -1)


def group_sizes(cards: Sequence[Card], labels: Labels, k: int) -> list[float] | None:
    """How many groups each cluster has, a document as its part of one; None without groups."""
    if all(card.group is None for card in cards):
        return None
    sizes = Counter(card.group for card in cards)
    shares = [1.0 if card.group is None else 1.0 / sizes[card.group] for card in cards]
    counts = np.bincount(labels + 1, shares, minlength=k + 1)[1:]  # what fits nowhere comes first
    return [round(float(count), 2) for count in counts]
