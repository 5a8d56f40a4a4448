"""Questions whose answers are known, for people who err: a wrong answer shows sooner."""

from __future__ import annotations

from collections import Counter

import numpy as np

from textclust.questions.dialogue import Question
from textclust.questions.state import State, Strategy

__all__ = ["verify", "verify_apart", "verifying"]

_TWICE = 2  # answers that keep two neighbourhoods apart, so that no single slip does


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


def verify_apart(state: State) -> Question | None:
    """Whether two neighbourhoods are apart, where a single answer says so, the nearest first.

    One wrong "different" while exploring makes two neighbourhoods of one cluster, and leaves
    none for another. Of k neighbourhoods the k nearest pairs are looked at, each through the
    surest two documents of both.
    """
    dialogue, groups = state.dialogue, state.dialogue.skeleton()
    if not state.is_complete or len(groups) < 2:
        return None
    pillars = [dialogue.pillars(group) for group in groups]
    for one, other in state.ground.nearest_pairs(groups):
        pairs = [(i, j) for j in pillars[other] for i in reversed(pillars[one])]
        known = sum(dialogue.times_asked(*pair) > 0 for pair in pairs)
        if known < _TWICE <= min(len(pillars[one]), len(pillars[other])):
            fresh = (pair for pair in pairs if not dialogue.times_asked(*pair))
            question = next((p for p in fresh if state.aside.isdisjoint(p)), None)
            if question is not None:
                return Question(*question)
    return None
