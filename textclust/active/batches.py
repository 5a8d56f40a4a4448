"""Several questions at once, for several people: no answer makes another one superfluous."""

from __future__ import annotations

from dataclasses import replace

from textclust.active.dialogue import Question
from textclust.active.set_questions import SetQuestion
from textclust.active.state import State, Strategy

__all__ = ["questions_at_once"]


def questions_at_once(state: State, strategy: Strategy, size: int) -> list[Question | SetQuestion]:
    """Up to `size` questions, each about another document to be placed.

    Each is about one document that no other question places, so whatever the answers, none
    of them follows from the others; and the documents are as different as the strategy would
    choose them one after the other.
    """
    questions: list[Question | SetQuestion] = []
    while len(questions) < size:
        question = strategy(state)
        if question is None:
            break
        questions.append(question)
        placed = {row for one in question.placed for row in state.dialogue.group(one)}
        state = replace(state, ignored=state.ignored | placed)
    return questions
