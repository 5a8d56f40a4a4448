"""How supervision is tried out (Basu 2005, 4.5.2): one half tells, the other is asked.

Everything is clustered together; links come from a random half of the documents, NMI is
taken on the other, and then the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from textclust import metrics
from textclust.experiments.collections import classes, collection
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints
from textclust.text.termspace import TermSpace

__all__ = ["halves", "links_between", "nmi_of_halves", "terms_and_classes"]

Fit = Callable[[Constraints, int], Array]


def terms_and_classes(name: str, sublinear_tf: bool) -> tuple[Matrix, Array]:
    """The weighted terms of a collection, and the number of each document's class."""
    documents = collection(name)
    _, numbers = np.unique(classes(documents), return_inverse=True)
    return TermSpace(sublinear_tf=sublinear_tf).fit_transform(documents.texts), numbers


def halves(n: int, rng: np.random.Generator) -> Iterator[tuple[Labels, Labels]]:
    """The rows that tell and those that are asked, each way round."""
    first, second = np.array_split(rng.permutation(n), 2)
    yield first, second
    yield second, first


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


def nmi_of_halves(truth: Array, count: int, runs: int, fit: Fit, wrong: float = 0.0) -> Array:
    """For each run, each way round: the NMI on the half that is asked, and on the one that told.

    The same run has the same halves whatever the number of links.
    """
    scores = []
    for state in range(runs):
        rng = np.random.default_rng(state)
        for told, asked in halves(len(truth), rng):
            labels = fit(links_between(truth, told, count, rng, wrong), state)
            scores.append([metrics.nmi(truth[half], labels[half]) for half in (asked, told)])
    return np.array(scores)
