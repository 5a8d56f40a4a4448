"""The documents that are sorted: their texts, their terms, and what can be looked up in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Labels
from textclust.supervision.background.labelled import Background
from textclust.text.corpus import Corpus
from textclust.text.documents import Documents
from textclust.text.termspace import TermSpace

__all__ = ["Collection"]

_HEAVIEST = 6  # terms by which twins are looked for,
_SHARED = 4  # of which they have so many
_TWINS = 0.9  # cosine of near duplicates
_NEIGHBOURS = 5


@dataclass(frozen=True, eq=False)
class Collection:
    """Documents with their texts, counted."""

    documents: Documents
    corpus: Corpus
    background: Background | None = None

    @classmethod
    def read(
        cls, documents: Documents, vectorizer: TermSpace, background: Background | None = None
    ) -> Collection:
        """Count the documents."""
        return cls(documents, Corpus.read(documents.reading(), vectorizer), background)

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def X(self) -> sp.csr_array:
        """The weighted terms of the documents."""
        return self.corpus.X

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of every document by its id."""
        return {name: row for row, name in enumerate(self.documents.ids)}

    @cached_property
    def titles(self) -> list[str]:
        """A title for each document."""
        return self.corpus.documents.titles

    @cached_property
    def sha256(self) -> str:
        """A digest of all ids and texts."""
        return self.corpus.documents.sha256()

    def search(self, what: str, regex: bool) -> Labels:
        """The rows whose text has this in it, without regard to case, or matches it."""
        if not regex:
            wanted = what.lower()
            found = (wanted in text for text in self._lower_case)
        else:
            try:
                pattern = re.compile(what, re.IGNORECASE)
            except re.error as error:
                raise InputError(
                    f"{what[:80]!r} is no regular expression: {error}; mend it"
                ) from None
            found = (pattern.search(text) is not None for text in self.documents.texts)
        return np.flatnonzero(np.fromiter(found, dtype=bool, count=len(self)))

    def neighbours(self, row: int) -> list[int]:
        """The rows of the documents that are nearest to one."""
        near = np.asarray((self.X @ self.X[row : row + 1].T).sum(axis=1)).ravel()
        near[row] = 0.0
        best = np.argsort(-near, kind="stable")[:_NEIGHBOURS]
        return [int(other) for other in best if near[other] > 0]

    def twins(self, row: int) -> list[int]:
        """The rows of near duplicates of a document."""
        return self._twins.get(row, [])

    @cached_property
    def with_twins(self) -> list[int]:
        """The rows of all documents that have near duplicates, these side by side."""
        seen: dict[int, None] = {}
        for row in self._twins:
            if row not in seen:
                seen.update(dict.fromkeys([row, *self._twins[row]]))
        return list(seen)

    @cached_property
    def _twins(self) -> dict[int, list[int]]:
        """Near duplicates: looked for among documents that share most of their heaviest terms."""
        X = self.X
        heaviest = [
            X.indices[begin:end][np.argsort(-X.data[begin:end], kind="stable")[:_HEAVIEST]]
            for begin, end in zip(X.indptr[:-1], X.indptr[1:], strict=True)
        ]
        ends = np.cumsum([0, *map(len, heaviest)])
        columns = np.concatenate([*heaviest, np.empty(0, dtype=np.intp)]).astype(np.int32)
        ones = np.ones(len(columns), dtype=np.float32)
        marked = sp.csr_array((ones, columns, ends), shape=X.shape)
        shared = sp.coo_array(marked @ marked.T)
        left, right = shared.coords
        likely = (left < right) & (shared.data >= _SHARED)
        left, right = left[likely], right[likely]
        lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        cosines = np.asarray(X[left].multiply(X[right]).sum(axis=1)).ravel()
        same = cosines >= _TWINS * lengths[left] * lengths[right]
        found: dict[int, list[int]] = {}
        for a, b in zip(left[same].tolist(), right[same].tolist(), strict=True):
            found.setdefault(a, []).append(b)
            found.setdefault(b, []).append(a)
        return dict(sorted(found.items()))

    @cached_property
    def _lower_case(self) -> list[str]:
        return [text.lower() for text in self.documents.texts]
