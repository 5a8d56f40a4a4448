"""Words that speak for a class, and the documents that they name weakly.

A document's score for a class is the sum of its weights at the words of the class, times the root
of how many terms it has: about how many of these words it holds, by how telling they are. Where the
score is clearly higher for one class than for every other the document is named by it, which is no
more than a guess: models learn from it, and the document may be in another cluster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import inverse
from textclust.geometry.rows import squared_norms
from textclust.supervision.word_evidence import LIKE_ALL, spread_like_all, unhelpful
from textclust.text.word_lists import two_labels

__all__ = ["NamedByWords", "RejectedWord", "SeedWords", "weakly_named"]

_RIVAL = 0.5  # of the score for a class: what that for another may be at most
_SHARE = 0.25  # of the documents that speak for a class: the clearest, which are named,
_FEWEST, _MOST = 10, 200  # if there are so many

Label = int | str


@dataclass(frozen=True)
class RejectedWord:
    """A word that is not used, and why."""

    word: str
    reason: str


@dataclass(frozen=True, eq=False)
class NamedByWords:
    """The rows that words name, by the cluster of their class."""

    labels: Labels  # -1 for most rows
    clusters: tuple[int, ...]  # of the classes that have words
    columns: Labels | None  # of the words; None where rows are no terms
    rejected: tuple[RejectedWord, ...] = ()  # words that name none

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
    terms: tuple[str, ...]  # the words that are terms of a document,
    classes: Labels  # the place of the class of each among the labels,
    weights: Matrix  # and what it weighs in each row: n x terms
    columns: Labels | None  # of these terms; None where rows are no terms
    words: Mapping[str, tuple[str, ...]]  # as they were given, by the name of the class
    unknown: tuple[str, ...] = ()  # those of them that are no term of any document
    rejected: Mapping[int, str] = field(default_factory=dict)  # terms that are not used, and why

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
        of the classes, where the labels are numbers. Words that tell nothing of their class are
        set aside, as far as the documents show it.
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
        every = np.array([column for columns in found.values() for column in columns])
        classes = np.repeat(np.arange(len(found)), [len(columns) for columns in found.values()])
        weights = _weights(X, every)
        rejected = unhelpful(X, every, classes, _held(weights), list(called.values()))
        return cls(
            tuple(words),
            tuple(word for columns in found.values() for word in columns.values()),
            classes,
            weights,
            every,
            {called[label]: tuple(given) for label, given in words.items()},
            tuple(dict.fromkeys(unknown)),
            rejected,
        )

    @property
    def scores(self) -> Array:
        """n x classes: how clearly each row speaks for each of them, by the words that are used."""
        chosen = np.zeros((len(self.terms), len(self.labels)))
        for term, number in enumerate(self.classes):
            chosen[term, number] = float(term not in self.rejected)
        return np.asarray(self.weights @ chosen, dtype=np.float64)

    def subset(self, rows: Labels) -> SeedWords:
        """The same of some rows."""
        return replace(self, weights=self.weights[rows])

    def elsewhere(self) -> SeedWords:
        """The same of documents that are clustered by other vectors than their terms."""
        return replace(self, columns=None)

    def beside_clusters(self, clusters: Labels) -> SeedWords:
        """The same without words that tell nothing of the clusters, where they have no company."""
        alone = np.bincount(self.classes)[self.classes] == 1
        found = np.flatnonzero(alone & spread_like_all(_held(self.weights), clusters))
        reasons = {int(term): LIKE_ALL for term in found if int(term) not in self.rejected}
        return replace(self, rejected={**self.rejected, **reasons})

    def best_order(self, places: Mapping[Label, int], clusters: Labels, k: int) -> Labels:
        """k clusters in the order in which the words of the classes, used or not, fit them best."""
        from scipy.optimize import linear_sum_assignment

        scores = np.asarray(self.weights @ np.eye(len(self.labels))[self.classes])
        inside = sp.csr_array((np.ones(len(clusters)), (clusters, np.arange(len(clusters)))))
        each = np.zeros((k, len(self.labels)))
        each[: inside.shape[0]] = inside @ scores * inverse(np.bincount(clusters) + 0.0)[:, None]
        fits = np.zeros((k, k))
        fits[[places[label] for label in self.labels]] = (each * inverse(each.sum(axis=0))).T
        return np.asarray(linear_sum_assignment(fits, maximize=True)[1])

    def named_rows(self, places: Mapping[Label, int], y: Labels) -> NamedByWords:
        """The rows that words name, but for those that have a class in y, by cluster."""
        clusters = tuple(places[label] for label in self.labels)
        named = weakly_named(self.scores)
        labels = np.where((named >= 0) & (y < 0), np.array(clusters)[named], -1)
        rejected = tuple(
            RejectedWord(self.terms[term], why) for term, why in sorted(self.rejected.items())
        )
        used = np.setdiff1d(np.arange(len(self.terms)), list(self.rejected))
        columns = None if self.columns is None else np.sort(self.columns[used])
        return NamedByWords(labels, clusters, columns, rejected)


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


def _held(weights: Matrix) -> Matrix:
    """1 for the terms that a row holds."""
    return sp.csc_array(weights != 0, dtype=float)


def _weights(X: Matrix, columns: Labels) -> Matrix:
    """n x columns: about once for each of these terms in a row, the telling ones counting more."""
    held = np.diff(X.indptr) if sp.issparse(X) else np.count_nonzero(X, axis=1)
    scale = np.sqrt(held) * inverse(np.sqrt(squared_norms(X)))
    return sp.csr_array(sp.diags_array(scale) @ sp.csr_array(X[:, columns]))
