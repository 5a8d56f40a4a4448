"""What a strategy sees, and what it is: a pure function from the state to the next question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np

from textclust.active.dialogue import Dialogue, Question
from textclust.active.query_pool import Group, QueryPool
from textclust.active.set_questions import SetQuestion
from textclust.geometry.affine import Labels

__all__ = ["Asked", "PairStrategy", "State", "Strategy", "in_turn", "place"]


@dataclass(frozen=True)
class State:
    """The documents, the dialogue about them so far, and which to leave alone for now."""

    pool: QueryPool
    dialogue: Dialogue
    ignored: frozenset[int] = frozenset()

    @property
    def is_complete(self) -> bool:
        """Whether a document of each of the k clusters is known."""
        k = self.dialogue.n_clusters
        return k is not None and (k <= 1 or self.dialogue.n_found >= k)

    def fresh(self) -> Labels:
        """The documents that nothing was asked about, in the random order."""
        known = np.zeros(self.pool.n, dtype=bool)
        known[[*self.dialogue.documents, *self.ignored]] = True
        order = self.pool.order
        return order[~known[order]]

    def towards(self, group: Group) -> Question | None:
        """Whether a group belongs to the nearest of the skeleton that it could belong to."""
        dialogue, one = self.dialogue, group[0]
        open_places = [
            place
            for place in dialogue.skeleton()
            if dialogue.same_group(one, place[0]) is None and not dialogue.unanswered(one, place[0])
        ]
        if not open_places:
            return None
        nearest = open_places[self.pool.nearest_group(group, open_places)]
        return Question(dialogue.most_confirmed(group), dialogue.most_confirmed(nearest))


PairStrategy: TypeAlias = Callable[[State], Question | None]
Strategy: TypeAlias = Callable[[State], Question | SetQuestion | None]
Asked = TypeVar("Asked", bound=Question | SetQuestion)


def in_turn(*strategies: Callable[[State], Asked | None]) -> Callable[[State], Asked | None]:
    """The question of the first strategy that has one."""

    def first(state: State) -> Asked | None:
        questions = (strategy(state) for strategy in strategies)
        return next((question for question in questions if question is not None), None)

    return first


def place(state: State) -> Question | None:
    """Go on with a document that has no place yet: the nearest neighbourhoods first."""
    for group in state.dialogue.open_groups():
        if state.ignored.isdisjoint(group):
            question = state.towards(group)
            if question is not None:
                return question
    return None
