"""Chains of answers: from a to b and b to c follows something about a and c."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textclust.active.dialogue import Answer

__all__ = ["shortest_chain"]

_Links = dict[int, list[tuple[int, "Answer"]]]


def shortest_chain(answers: Iterable[Answer], left: int, right: int, same: bool) -> list[Answer]:
    """The fewest answers from which it follows that two documents belong together, or not.

    A chain of documents that belong together from one end to the other says "same"; one with a
    single "different" says "different". Empty where there is none.
    """
    links: _Links = {}
    for answer in answers:
        if answer.same is not None:
            links.setdefault(answer.left, []).append((answer.right, answer))
            links.setdefault(answer.right, []).append((answer.left, answer))
    return _shortest(links, left, (right, not same))


def _shortest(links: _Links, source: int, goal: tuple[int, bool]) -> list[Answer]:
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
