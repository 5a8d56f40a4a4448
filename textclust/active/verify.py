"""Questions whose answers are known, for people who err: a wrong answer shows sooner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from textclust.active.dialogue import Question
from textclust.active.state import Asked, PairStrategy, State

__all__ = ["at_most", "verify", "verifying"]

_TRIED = 2  # documents of each neighbourhood


def verifying(share: float) -> PairStrategy:
    """Spend at most a share of all questions on what follows already."""
    return at_most(share, verify)


def at_most(
    share: float, strategy: Callable[[State], Asked | None]
) -> Callable[[State], Asked | None]:
    """A strategy that asks what follows already, for at most a share of all questions."""

    def sometimes(state: State) -> Asked | None:
        due = state.dialogue.checks + 1 <= share * (state.dialogue.questions + 1)
        return strategy(state) if due else None

    return sometimes


def verify(state: State) -> Question | None:
    """Whether a document that is apart from all neighbourhoods but one belongs to that one.

    It is inferred, and asked all the same of the first two for each neighbourhood. A wrong
    "different" while exploring makes two neighbourhoods of one cluster and leaves none for
    another, whose documents are then apart from all of them.
    """
    dialogue, groups = state.dialogue, state.dialogue.skeleton()
    if not state.is_complete or len(groups) < 2:
        return None
    answers = dialogue.answers
    apart = Counter(answer.left for answer in answers if answer.same is False)
    placed = {row for answer in answers if answer.same for row in answer.pair}
    for group in groups:
        last = [row for row in group if apart[row] >= len(groups) - 1]
        if len(group) == 1 or sum(row in placed for row in last) >= _TRIED:
            continue
        for row in last:
            others = [other for other in group if other != row]
            met = row in placed or any(dialogue.times_asked(row, other) for other in others)
            if not met and state.ignored.isdisjoint(group):
                return Question(row, dialogue.most_confirmed(others))
    return None
