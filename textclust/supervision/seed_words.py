"""Words that speak for a class, and the documents that they name weakly.

A document's score for a class is the sum of its weights at the words of the class, times the root
of how many terms it has: about how many of these words it holds, by how telling they are. Where the
score is clearly higher for one class than for every other the document is named by it, which is no
more than a guess: models learn from it, and the document may be in another cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import inverse
from textclust.geometry.rows import squared_norms
from textclust.text.word_lists import two_labels

__all__ = ["NamedByWords", "SeedWords", "weakly_named"]

_RIVAL = 0.5  # of the score for a class: what that for another may be at most
_SHARE = 0.25  # of the documents that speak for a class: the clearest, which are named,
_FEWEST, _MOST = 10, 200  # if there are so many

Label = int | str


@dataclass(frozen=True, eq=False)
class NamedByWords:
    """The rows that words name, by the cluster of their class."""

    labels: Labels  # -1 for most rows
    clusters: tuple[int, ...]  # of the classes that have words
    columns: Labels | None  # of the words; None where rows are no terms

    def __bool__(self) -> bool:
        return bool((self.labels >= 0).any())

    def subset(self, rows: Labels) -> NamedByWords:
        """The same of some rows."""
        return replace(self, labels=self.labels[rows])

    def followed_by(self, count: int) -> NamedByWords:
        """The same with so many rows more at the end, which no word names."""
        return replace(self, labels=np.concatenate([self.labels, np.full(count, -1)]))


@dataclass(frozen=True, eq=False)
class SeedWords:
    """What the words of each class say of each row, and what they are."""

    labels: tuple[Label, ...]  # the classes, as seeds have them
    scores: Array  # n x classes
    columns: Labels | None  # of all words; None where rows are no terms
    words: Mapping[str, tuple[str, ...]]  # as they were given, by the name of the class
    unknown: tuple[str, ...] = ()  # those of them that are no term of any document

    @classmethod
    def of(
        cls,
        words: Mapping[Label, Sequence[str]],
        column_of: Mapping[str, int | None],
        X: Matrix,
        names: Mapping[Label, str] | None = None,
        where: str = "seed_words",
    ) -> Self:
        """From words of each class, the columns of those that are terms, and rows of terms.

        An InputError for a class without a known word, or a word of two classes. `names` are those
        of the classes, where the labels are numbers.
        """
        called = {label: str(names[label]) if names else str(label) for label in words}
        found = {label: _columns(given, column_of) for label, given in words.items()}
        class_of: dict[int, str] = {}
        for label, columns in found.items():
            if not columns:
                given = ", ".join(repr(word[:80]) for word in words[label][:3])
                raise InputError(
                    f"{where}: no word of {called[label]!r} is a term of the documents (such as "
                    f"{given}); name words that they have"
                )
            for column, word in columns.items():
                if class_of.setdefault(column, called[label]) != called[label]:
                    raise two_labels(where, word, class_of[column], called[label])
        unknown = [w for given in words.values() for w in given if column_of.get(w) is None]
        every = np.array(sorted(class_of), dtype=np.intp)
        return cls(
            tuple(words),
            _scores(X, every, [np.array(list(columns)) for columns in found.values()]),
            every,
            {called[label]: tuple(given) for label, given in words.items()},
            tuple(dict.fromkeys(unknown)),
        )

    def elsewhere(self) -> SeedWords:
        """The same of documents that are clustered by other vectors than their terms."""
        return replace(self, columns=None)

    def named_rows(self, places: Mapping[Label, int], y: Labels) -> NamedByWords:
        """The rows that words name, but for those that have a class in y, by cluster."""
        clusters = tuple(places[label] for label in self.labels)
        named = weakly_named(self.scores)
        labels = np.where((named >= 0) & (y < 0), np.array(clusters)[named], -1)
        return NamedByWords(labels, clusters, self.columns)


def weakly_named(scores: Array) -> Labels:
    """The class that each row speaks for most clearly, -1 for most rows.

    >>> scores = np.array([[0.9, 0.0], [0.5, 0.4], [0.0, 0.2], [0.0, 0.0]])
    >>> weakly_named(scores).tolist()
    [0, -1, 1, -1]
    """
    named = np.full(len(scores), -1)
    for number, own in enumerate(scores.T):
        rival = np.delete(scores, number, axis=1).max(axis=1, initial=0.0)
        clear = np.flatnonzero((own > 0) & (rival <= _RIVAL * own))
        count = min(max(int(np.ceil(_SHARE * len(clear))), _FEWEST), _MOST)
        margin = own[clear] - rival[clear]
        named[clear[np.argsort(-margin, kind="stable")[:count]]] = number
    for number in np.setdiff1d(np.arange(scores.shape[1]), named):  # whose words others have too
        own = scores[:, number] - np.delete(scores, number, axis=1).max(axis=1, initial=0.0)
        held = np.flatnonzero((scores[:, number] > 0) & (named < 0))
        named[held[np.argsort(-own[held], kind="stable")[:1]]] = number
    return named


def _columns(words: Sequence[str], column_of: Mapping[str, int | None]) -> dict[int, str]:
    """The columns of the words that are terms, each with the word."""
    columns = {word: column_of.get(word) for word in words}
    return {column: word for word, column in columns.items() if column is not None}


def _scores(X: Matrix, every: Labels, of_class: Sequence[Labels]) -> Array:
    """n x classes, by the columns of all words, ascending, and those of each class."""
    chosen = np.zeros((len(every), len(of_class)))
    for number, columns in enumerate(of_class):
        chosen[np.searchsorted(every, columns), number] = 1.0
    held = np.diff(X.indptr) if sp.issparse(X) else np.count_nonzero(X, axis=1)
    scale = np.sqrt(held) * inverse(np.sqrt(squared_norms(X)))
    return np.asarray((X[:, every] @ chosen) * scale[:, None], dtype=np.float64)
