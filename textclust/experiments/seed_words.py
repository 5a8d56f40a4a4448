"""What words of each class bring, good and poor ones, beside none, and beside named documents.

Accuracy is as named, but for clusters that nobody named, which are matched with classes as fits
best. Poor words are drawn anew in every run: at random; good ones of which some are under another
class; and those that are in most documents. They must not make a result worse than none do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from textclust import metrics
from textclust.estimators.guided import GuidedClustering
from textclust.experiments.as_named import error_as_named
from textclust.experiments.collections import classes, collection
from textclust.experiments.declared import Case, Experiment, Row, grid
from textclust.experiments.supervision import named_documents
from textclust.experiments.words_of_classes import OTHERS, WORDS
from textclust.geometry.affine import Array, Matrix
from textclust.text.termspace import TermSpace

__all__ = ["EXPERIMENTS", "LISTS", "unit"]

COLLECTIONS = tuple(WORDS)
_NAMED = (2, 5)
_WRONG = 0.3  # of the words, under another class
_COMMON = 100  # terms that are in most documents, from which common words are drawn

Lists = dict[int | str, list[str]]  # of words, by the number of the class


class Terms(NamedTuple):
    """A collection as its terms."""

    X: Matrix
    names: list[str]
    truth: Array
    classes: list[str]

    def listed(self, words: Mapping[str, str]) -> Lists:
        """The words of each class that are terms."""
        known = set(self.names)
        return {
            number: [word for word in words[name].split() if word in known]
            for number, name in enumerate(self.classes)
        }


def _good(terms: Terms, name: str, rng: np.random.Generator) -> Lists:
    return terms.listed(WORDS[name])


def _others(terms: Terms, name: str, rng: np.random.Generator) -> Lists:
    return terms.listed(OTHERS[name])


def _mixed_up(terms: Terms, name: str, rng: np.random.Generator) -> Lists:
    """Good words, some of them under another class, each class with one at least."""
    good = _good(terms, name, rng)
    pairs = [(n, word) for n, words in enumerate(good.values()) for word in words[1:]]
    wrong = rng.permutation(len(pairs))[: round(_WRONG * sum(map(len, good.values())))]
    found = {label: words[:1] for label, words in good.items()}
    for place, (number, word) in enumerate(pairs):
        shift = int(rng.integers(1, len(found))) if place in wrong else 0
        found[(number + shift) % len(found)].append(word)
    return found


def _random(terms: Terms, name: str, rng: np.random.Generator) -> Lists:
    return _dealt(terms, name, rng.permutation(len(terms.names)))


def _common(terms: Terms, name: str, rng: np.random.Generator) -> Lists:
    frequencies = np.bincount(terms.X.indices, minlength=len(terms.names))
    return _dealt(terms, name, rng.permutation(np.argsort(-frequencies)[:_COMMON]))


def _dealt(terms: Terms, name: str, columns: Array) -> Lists:
    """These terms one after the other, to each class as many as there are good words."""
    words = iter([terms.names[column] for column in columns])
    good = terms.listed(WORDS[name])
    return {label: [next(words) for _ in listed] for label, listed in good.items()}


LISTS: dict[str, Callable[[Terms, str, np.random.Generator], Lists]] = {
    "words": _good,
    "other words": _others,
    "30% under another class": _mixed_up,
    "random": _random,
    "common": _common,
}
_NONE = "none"


def unit(case: Case, run: int) -> Iterator[Row]:
    """Accuracy and NMI on the documents that are not named."""
    name, kind = case["collection"], case["words"]
    terms, rng = _terms(name), np.random.default_rng((run, case["named"]))
    truth, k = terms.truth, len(terms.classes)
    y = named_documents(truth, case["named"], rng) if case["named"] else None
    words = None if kind == _NONE else LISTS[kind](terms, name, np.random.default_rng(run))
    model = GuidedClustering(k, random_state=run)
    model.fit(terms.X, y=y, seed_words=words, feature_names=terms.names)
    scored = np.ones(len(truth), dtype=bool) if y is None else y < 0
    labels = model.labels_[scored].astype(np.intp)
    unnamed = y is None and words is None
    clusters = [-1] * k if unnamed else list(range(k))
    yield {
        "accuracy": 1 - error_as_named(truth[scored], labels, clusters),
        "best match": 1 - error_as_named(truth[scored], labels, [-1] * k),
        "NMI": metrics.nmi(truth[scored], labels),
    }


@lru_cache(maxsize=2)
def _terms(name: str) -> Terms:
    documents, space = collection(name), TermSpace(sublinear_tf=True)
    X = space.fit_transform(documents.texts)
    known, truth = np.unique(classes(documents), return_inverse=True)
    return Terms(X, list(space.vocabulary_), truth, known.tolist())


_POOR = ("30% under another class", "random", "common")
EXPERIMENTS = (
    Experiment(
        name="seed-words",
        title="Accuracy and NMI on the documents that are not named, by the words that are given",
        source="",
        unit=unit,
        cases=(
            *grid(collection=COLLECTIONS, named=[0], words=(_NONE, "words")),
            *grid(collection=OTHERS, named=[0], words=["other words"]),
            *grid(collection=COLLECTIONS, named=[0], words=_POOR),
            *grid(collection=COLLECTIONS, named=_NAMED, words=(_NONE, "words")),
        ),
        runs=5,
        axes=("collection", "named", "words"),
        x="named",
        lines="words",
        across="words",
        baseline=_NONE,
        measures=("accuracy", "best match", "NMI"),
        notes=(
            "named: documents of each class, drawn at random; the same with and without words",
            "words: those of experiments/words_of_classes.py, three to five for each class",
            "accuracy: by the class that a cluster is named with; best match: clusters are matched "
            "with classes as fits best, as they also are for accuracy where nothing was given",
            "poor words, drawn anew in each run, as many as there are words: good ones of which "
            f"{_WRONG:.0%} are under another class, random terms, and some of the {_COMMON} terms "
            "that are in most documents",
        ),
    ),
)
