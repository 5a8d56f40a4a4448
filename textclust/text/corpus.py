"""A collection that was counted: its documents and their weighted terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import scipy.sparse as sp

from textclust.errors import InputError
from textclust.text.catalogue import Catalogue
from textclust.text.reading import Reading
from textclust.text.termspace import Shares, TermSpace

__all__ = ["Corpus"]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents without their texts, a row of weighted terms for each, and what the terms are."""

    documents: Catalogue
    X: sp.csr_array
    vectorizer: TermSpace
    known: Shares  # the share of each document's different terms that are among the terms

    @classmethod
    def read(cls, reading: Reading, vectorizer: TermSpace, at_least: int = 1) -> Corpus:
        """Count the texts as they go by; an InputError if they are fewer than the clusters."""
        X = vectorizer.fit_transform(_at_least(at_least, reading))
        documents = reading.catalogue()
        if len(documents) < X.shape[0]:
            return cls.read(reading.without_replaced(), vectorizer, at_least)
        in_order = documents.rows == list(range(len(documents)))
        known = vectorizer.known_shares_
        if not in_order:
            X, known = X[documents.rows], known[documents.rows]
        return cls(documents, X, vectorizer, known)

    def __len__(self) -> int:
        return len(self.documents)


def _at_least(k: int, texts: Iterable[str]) -> Iterator[str]:
    """The same texts; an error at their end if they are fewer than the clusters."""
    count = 0
    for text in texts:
        count += 1
        yield text
    if count < k:
        raise InputError(
            f"{k} clusters cannot be made of one document; give more documents"
            if count == 1
            else f"{k} clusters cannot be made of {count} documents; ask for fewer"
        )
