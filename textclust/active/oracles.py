"""Who answers: a function about two documents, or an object that is asked about whole sets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from textclust.active.dialogue import Answer, Question
from textclust.active.set_questions import SetQuestion, nobody_knows, settled_pairs
from textclust.errors import InputError

__all__ = ["Oracle", "SetOracle", "answers_to"]


@runtime_checkable
class SetOracle(Protocol):
    """An oracle that is asked about whole sets.

    Where it can also be called with two documents, it is called about pairs; otherwise a pair is
    a set of two.
    """

    def strangers(self, documents: Sequence[int], /) -> Collection[int] | None:
        """Those that do not belong with the others, perhaps none; None is "I don't know"."""


Oracle: TypeAlias = Callable[[int, int], bool | None] | SetOracle


def answers_to(question: Question | SetQuestion, oracle: Oracle) -> list[Answer]:
    """What an oracle answers, as pairs.

    An oracle that knows pairs alone compares each document of a set with the first.

    >>> same_kind = lambda i, j: i % 2 == j % 2
    >>> [answer.same for answer in answers_to(SetQuestion((2, 4, 5)), same_kind)]
    [True, False]
    """
    if isinstance(question, Question):
        return [_about_pair(*question, oracle)]
    if isinstance(oracle, SetOracle):
        return _about_set(question.documents, oracle)
    return [_about_pair(row, question.reference, oracle) for row in question.placed]


def _about_pair(left: int, right: int, oracle: Oracle) -> Answer:
    if callable(oracle):
        return Answer(left, right, _checked(oracle(left, right)))
    (answer,) = _about_set((right, left), oracle)
    return Answer(left, right, answer.same)


def _about_set(documents: tuple[int, ...], oracle: SetOracle) -> list[Answer]:
    found = oracle.strangers(list(documents))
    if found is None:
        return nobody_knows(documents)
    if not isinstance(found, Collection) or not set(found) <= {*documents}:
        raise InputError(
            f"the oracle must name strangers of the set {list(documents)}, or None; got {found!r}"
        )
    return settled_pairs(documents, found)


def _checked(answer: object) -> bool | None:
    if answer is None or isinstance(answer, bool | np.bool_):
        return None if answer is None else bool(answer)
    raise InputError(f"the oracle must answer True, False or None; got {answer!r}")
