"""Answers that contradict each other: found, reported, and asked once more."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain

from textclust.active.dialogue import Answer, Dialogue, Question
from textclust.active.state import State

__all__ = ["evidence_against", "reask"]

_ENOUGH = 2  # times that an answer is given before it is not asked again
_AT_MOST = 3  # times that a pair is asked


def reask(state: State) -> Question | None:
    """Ask once more what contradicts the rest, then what it contradicts, the newest first.

    Nobody is asked more than three times about a pair, nor about one that was confirmed.
    """
    candidates = chain(state.dialogue.suspect_answers, _contradictory(state.dialogue))
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
    """The fewest answers from which the opposite of a disputed one follows, the oldest first.

    A chain of documents that belong together from one end to the other contradicts
    "different"; one with a single "different" contradicts "same".
    """
    order = {answer.pair: number for number, answer in enumerate(dialogue.answers)}
    links: dict[int, list[tuple[int, Answer]]] = {}
    disputed_answers = dialogue.disputed
    for answer in dialogue.answers:
        if answer.same is not None and answer not in disputed_answers:
            links.setdefault(answer.left, []).append((answer.right, answer))
            links.setdefault(answer.right, []).append((answer.left, answer))
    found = _shortest(links, disputed.left, (disputed.right, bool(disputed.same)))
    return sorted(found, key=lambda answer: order[answer.pair])


def _shortest(
    links: dict[int, list[tuple[int, Answer]]], source: int, goal: tuple[int, bool]
) -> list[Answer]:
    """Breadth first over documents, and whether one answer on the way was "different"."""
    came: dict[tuple[int, bool], tuple[tuple[int, bool], Answer]] = {}
    waiting = deque([(source, False)])
    while waiting and goal not in came:
        here = waiting.popleft()
        for document, answer in links.get(here[0], ()):
            apart = here[1] or not answer.same
            there = (document, apart)
            once = not (here[1] and not answer.same)
            if once and there not in came and there != (source, False):
                came[there] = (here, answer)
                waiting.append(there)
    way: list[Answer] = []
    while goal in came:
        goal, answer = came[goal]
        way.append(answer)
    return way
