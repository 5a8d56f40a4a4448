"""How supervision is tried out: some documents are supervised, others scored.

Everything is clustered together; links or seeds come from one part of the documents, and the
measure is taken on the other. With two folds (Basu 2005, 4.5.2) either half is scored once, with
ten (3.5.2, 5.5.2) every tenth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np

from textclust import metrics
from textclust.experiments.collections import classes, collection
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints
from textclust.text.termspace import TermSpace

__all__ = [
    "FOLDS",
    "fold_of_run",
    "folds",
    "halves",
    "links_between",
    "nmi_of_halves",
    "random_pairs",
    "terms_and_classes",
]

FOLDS = 10

Fit = Callable[[Constraints, int], Array]


@lru_cache(maxsize=4)
def terms_and_classes(name: str, sublinear_tf: bool) -> tuple[Matrix, Array]:
    """The weighted terms of a collection, and the number of each document's class."""
    documents = collection(name)
    _, numbers = np.unique(classes(documents), return_inverse=True)
    return TermSpace(sublinear_tf=sublinear_tf).fit_transform(documents.texts), numbers


def halves(n: int, rng: np.random.Generator) -> Iterator[tuple[Labels, Labels]]:
    """The rows that are supervised and those that are scored, each way round."""
    yield from folds(n, 2, rng)


def folds(n: int, count: int, rng: np.random.Generator) -> Iterator[tuple[Labels, Labels]]:
    """The rows that are supervised and those that are scored; each is scored once."""
    parts = np.array_split(rng.permutation(n), count)
    for test in reversed(range(count)):
        train = [part for number, part in enumerate(parts) if number != test]
        yield np.concatenate(train), parts[test]


def fold_of_run(n: int, run: int) -> tuple[Labels, Labels]:
    """The supervised and the scored rows in one fold of ten; a split serves ten runs."""
    split, number = divmod(run, FOLDS)
    return list(folds(n, FOLDS, np.random.default_rng(split)))[number]


def links_between(
    truth: Array, rows: Labels, count: int, rng: np.random.Generator, wrong: float = 0.0
) -> Constraints:
    """Random pairs of some documents, each once, with the answer of their classes.

    A share `wrong` of the answers is turned round.
    """
    pairs = np.array(list(combinations(np.sort(rows).tolist(), 2)))
    drawn = pairs[rng.choice(len(pairs), min(count, len(pairs)), replace=False)]
    same = truth[drawn[:, 0]] == truth[drawn[:, 1]]
    same ^= rng.random(len(drawn)) < wrong
    return Constraints(drawn[same], drawn[~same])


def random_pairs(n: int, count: int, rng: np.random.Generator) -> Labels:
    """So many pairs of n rows, each once and in random order; all there are, if they are fewer."""
    every = n * (n - 1) // 2
    drawn = rng.choice(every, min(count, every), replace=False)
    greater = ((1 + np.sqrt(1 + 8 * drawn.astype(float))) / 2).astype(np.intp)
    return np.stack([drawn - greater * (greater - 1) // 2, greater], axis=1)


def nmi_of_halves(
    truth: Array, count: int, state: int, fit: Fit, wrong: float = 0.0
) -> Iterator[tuple[float, float]]:
    """Each way round: the NMI on the half that is scored, and on the other.

    The same state has the same halves whatever the number of links.
    """
    rng = np.random.default_rng(state)
    for train, test in halves(len(truth), rng):
        labels = fit(links_between(truth, train, count, rng, wrong), state)
        yield metrics.nmi(truth[test], labels[test]), metrics.nmi(truth[train], labels[train])
