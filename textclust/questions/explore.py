"""Explore: find a document of every cluster, as soon as possible (Basu 2005, 5.2)."""

from __future__ import annotations

from collections.abc import Callable

from textclust.geometry.affine import Labels
from textclust.questions.dialogue import Question
from textclust.questions.state import State, place

__all__ = ["explore", "explore_dense"]

_TYPICAL = 0.5  # nearer to the centre of all than this share of the documents

Choice = Callable[[State, Labels, list[int]], int]


def explore(state: State) -> Question | None:
    """Farthest-first traversal: the next document is the one farthest from all known ones.

    It is asked about with each neighbourhood, the nearest first, until it belongs to one; if
    it belongs to none, it is the first of a new one. Ends when there are k; without k it goes
    on and on.
    """
    return _exploring(state, _farthest)


def explore_dense(state: State) -> Question | None:
    """The same among the more typical half of the documents, while there are any left (8.3).

    In the space of terms the farthest document is often one that is like nothing else, and
    says nothing about any cluster.
    """
    return _exploring(state, _farthest_typical)


def _exploring(state: State, choose: Choice) -> Question | None:
    if state.is_complete:
        return None
    return place(state) or _next_document(state, choose)


def _next_document(state: State, choose: Choice) -> Question | None:
    fresh = state.fresh()
    known = [*state.dialogue.documents, *state.aside]
    if state.dialogue.skeleton():
        return state.towards([choose(state, fresh, known)]) if len(fresh) else None
    if len(fresh) < 2:
        return None
    first = int(fresh[0])
    return Question(choose(state, fresh[1:], [*known, first]), first)


def _farthest(state: State, fresh: Labels, known: list[int]) -> int:
    return int(fresh[state.ground.from_nearest(known)[fresh].argmax()])


def _farthest_typical(state: State, fresh: Labels, known: list[int]) -> int:
    typical = fresh[state.ground.typicality[fresh] > _TYPICAL]
    return _farthest(state, typical if len(typical) else fresh, known)
