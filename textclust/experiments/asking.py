"""Questions about documents whose classes are known, well-chosen or at random."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from textclust.active.dialogue import Answer, Dialogue
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["answers_about", "links_from"]


def answers_about(
    X: Matrix,
    truth: Array,
    asking: ExploreConsolidate | None,
    most: int,
    state: int,
    wrong: float = 0.0,
) -> list[Answer]:
    """The answers to so many questions, in order; about random pairs without `asking`.

    A share `wrong` of them is turned round.
    """
    rng = np.random.default_rng(state)
    answers: list[Answer] = []

    def oracle(i: int, j: int) -> bool:
        same = bool(truth[i] == truth[j]) ^ bool(rng.random() < wrong)
        answers.append(Answer(i, j, same))
        return same

    if asking is None:
        for _ in range(most):
            oracle(*map(int, rng.choice(len(truth), 2, replace=False)))
    else:
        asking.query(X, oracle)
    return answers


def links_from(answers: Iterable[Answer], train: Labels, k: int | None) -> Constraints:
    """What was answered about some rows, and inferred where k is known, as links of all rows."""
    known = Dialogue(k, list(answers)).constraints()
    links = known.links
    pairs = np.stack([train[links.left], train[links.right]], axis=1)
    return Constraints(pairs[links.together], pairs[~links.together], known.weights)
