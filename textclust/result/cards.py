"""What a clustering keeps of its documents to show them, or of all where it has some of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from textclust.result.terms import TermWeights

__all__ = ["Card", "Whole"]


class Card(NamedTuple):
    """What is kept of a document to show it: its id, a title, the beginning of its text."""

    id: str
    title: str
    excerpt: str
    truth: str | None = None  # the class it came with, if it had one


@dataclass(frozen=True)
class Whole:
    """What is known of a collection of which only some documents are kept."""

    names: tuple[str, ...]  # of the clusters
    sizes: tuple[int, ...]
    weights: TermWeights | None = None  # of the terms; a model has those of the documents it keeps
