"""Questions whose answers are known, for people who err: a wrong answer shows sooner."""

from __future__ import annotations

from collections import Counter

import numpy as np

from textclust.questions.dialogue import Question
from textclust.questions.state import State, Strategy

__all__ = ["verify", "verifying"]


def verifying(share: float) -> Strategy:
    """Spend a share of all questions on what follows already."""

    def sometimes(state: State) -> Question | None:
        due = state.dialogue.checks + 1 <= share * (state.dialogue.questions + 1)
        return verify(state) if due else None

    return sometimes


def verify(state: State) -> Question | None:
    """Whether the document that looks most out of place belongs to its neighbourhood.

    One that another neighbourhood is nearer to, by most; each is looked at once, and with a
    document it was not compared with. A surprising answer is a contradiction.
    """
    dialogue, groups = state.dialogue, state.dialogue.skeleton()
    rows = np.array([row for group in groups for row in group], dtype=np.intp)
    if len(groups) < 2 or len(rows) <= len(groups):
        return None
    own = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    away = state.ground.from_centres(groups)[rows]
    at_home = away[np.arange(len(rows)), own]
    away[np.arange(len(rows)), own] = np.inf
    seen = Counter(row for answer in dialogue.answers if answer.same for row in answer.pair)
    for place in np.argsort(away.min(axis=1) - at_home, kind="stable"):
        row, group = int(rows[place]), groups[own[place]]
        others = [o for o in group if o != row and not dialogue.times_asked(row, o)]
        if others and seen[row] == 1 and state.aside.isdisjoint(group):
            return Question(row, dialogue.surest(others))
    return None
