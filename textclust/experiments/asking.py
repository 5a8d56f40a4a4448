"""Questions about documents whose classes are known, well-chosen or at random."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from textclust.active.dialogue import Answer, Dialogue
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["answers_about", "links_from"]

Event = tuple[Answer, ...]  # what one question was answered with


def answers_about(
    X: Matrix,
    truth: Array,
    asking: ExploreConsolidate | None,
    most: int,
    state: int,
    wrong: float = 0.0,
) -> list[Event]:
    """What so many questions were answered with, in order; about random pairs without `asking`.

    A share `wrong` of the answers is turned round; of a set, for each document.
    """
    rng = np.random.default_rng(state)

    def oracle(i: int, j: int) -> bool:
        return bool(truth[i] == truth[j]) ^ bool(rng.random() < wrong)

    if asking is not None:
        asking.query(X, oracle)
        return asking.dialogue_.events
    pairs = (map(int, rng.choice(len(truth), 2, replace=False)) for _ in range(most))
    return [(Answer(i, j, oracle(i, j)),) for i, j in pairs]


def links_from(
    events: Iterable[Event], train: Labels, k: int | None, asking: ExploreConsolidate | None = None
) -> Constraints:
    """What was answered about some rows, and inferred where k is known, as links of all rows."""
    dialogue = Dialogue(k, fallible=asking is not None and asking.is_fallible)
    for event in events:
        dialogue.record_all(event)
    known = dialogue.constraints(0.0 if asking is None else asking.error_rate_in(dialogue))
    links = known.links
    pairs = np.stack([train[links.left], train[links.right]], axis=1)
    return Constraints(pairs[links.together], pairs[~links.together], known.weights)
