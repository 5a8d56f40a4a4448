"""Answers that contradict each other: found, reported, and asked once more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from textclust.active.chains import shortest_chain
from textclust.active.dialogue import Answer, Dialogue, Question
from textclust.active.state import State

__all__ = ["evidence_against", "reask", "reask_suspect"]

_ENOUGH = 2  # times that an answer is given before it is not asked again
_AT_MOST = 3  # times that a pair is asked


def reask(state: State) -> Question | None:
    """Ask once more what contradicts the rest, then what it contradicts, the newest first.

    Nobody is asked more than three times about a pair, nor about one that was confirmed.
    """
    candidates = chain(state.dialogue.suspect_answers, _contradictory(state.dialogue))
    return _once_more(state, candidates)


def reask_suspect(state: State) -> Question | None:
    """Ask once more what two people say different things of, and no other contradiction.

    For answers that may be wrong: a contradiction there is settled by the votes of documents that
    were not compared yet (`confirm`), and not by repeating its pairs.
    """
    return _once_more(state, state.dialogue.suspect_answers)


def _once_more(state: State, candidates: Iterable[Answer]) -> Question | None:
    wanted = (answer for answer in candidates if state.ignored.isdisjoint(answer.pair))
    answer = next(wanted, None)
    return None if answer is None else Question(answer.left, answer.right)


def _contradictory(dialogue: Dialogue) -> Iterator[Answer]:
    """The answers that may be wrong, the most likely first."""
    for disputed in dialogue.disputed:
        for answer in (disputed, *reversed(evidence_against(dialogue, disputed))):
            asked = dialogue.times_asked(answer.left, answer.right)
            if answer.times < _ENOUGH and asked < _AT_MOST:
                yield answer


def evidence_against(dialogue: Dialogue, disputed: Answer) -> list[Answer]:
    """The fewest answers from which the opposite of a disputed one follows, the oldest first."""
    order = {answer.pair: number for number, answer in enumerate(dialogue.answers)}
    disputed_answers = dialogue.disputed
    standing = (answer for answer in dialogue.answers if answer not in disputed_answers)
    found = shortest_chain(standing, disputed.left, disputed.right, not disputed.same)
    return sorted(found, key=lambda answer: order[answer.pair])
