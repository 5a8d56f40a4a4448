"""Questions about sets: documents that a strategy would compare with the same one, all at once."""

from __future__ import annotations

from dataclasses import replace

from textclust.active.dialogue import Question
from textclust.active.set_questions import SetQuestion
from textclust.active.state import PairStrategy, State, Strategy

__all__ = ["in_sets"]

_TRIED = 8  # times as many questions as a set has documents


def in_sets(strategy: PairStrategy, size: int) -> Strategy:
    """A set of the documents that a strategy would place next, with the one they are compared with.

    A strategy compares a document with one that stands for the group it most likely belongs to. So
    those that are compared with the same one are likely together, and the answer names their group.
    Each is chosen as if those before it were known. Of several sets the one that is full first is
    asked about, or the largest; a set of two is a question about a pair.
    """

    def about_a_set(state: State) -> Question | SetQuestion | None:
        sets: dict[int, list[int]] = {}
        for _ in range(_TRIED * size):
            question = strategy(state)
            if question is None:
                break
            placed = sets.setdefault(question.right, [])
            placed.append(question.left)
            if len(placed) == size - 1:
                break
            state = replace(state, ignored=state.ignored | _settled_by(question, state))
        if not sets:
            return None
        reference, documents = max(sets.items(), key=lambda each: len(each[1]))
        if len(documents) == 1:
            return Question(documents[0], reference)
        return SetQuestion((reference, *documents))

    return about_a_set


def _settled_by(question: Question, state: State) -> set[int]:
    """The documents that an answer places: a whole group, or one that is asked about once more."""
    known = state.dialogue.same_group(*question) is not None
    return {question.left} if known else {*state.dialogue.group(question.left)}
