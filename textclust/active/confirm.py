"""Once more, through another document: for answers that may be wrong.

A question of this kind is answered by what is known already. It compares documents that were not
compared yet: its answer is then independent of the others, also that of an oracle that says the
same of a pair every time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from textclust.active.dialogue import Dialogue, Question
from textclust.active.error_rates import answers_to_believe
from textclust.active.query_pool import Group
from textclust.active.state import PairStrategy, State

__all__ = ["confirming", "confirming_skeleton"]

_AT_MOST = 3  # times that a pair is asked

ErrorRate = Callable[[Dialogue], float]


def confirming(error_rate: ErrorRate) -> PairStrategy:
    """Whether documents are where few answers have placed them, those with the fewest first.

    Each is compared with the document of its group that most answers confirm. One that was said to
    be in no group is compared with the nearest once more. It ends where every placement is certain
    for this error rate.
    """

    def confirm(state: State) -> Question | None:
        enough = answers_to_believe(error_rate(state.dialogue))
        return next(_doubtful(state, enough), None)

    return confirm


def confirming_skeleton(error_rate: ErrorRate) -> PairStrategy:
    """Whether the groups of the skeleton are apart, the nearest first.

    A wrong "different" while exploring makes two groups of one cluster and leaves none for another.
    """

    def confirm_apart(state: State) -> Question | None:
        if not state.is_complete:
            return None
        enough = answers_to_believe(error_rate(state.dialogue))
        return next(_hardly_apart(state, enough), None)

    return confirm_apart


def _doubtful(state: State, enough: int) -> Iterator[Question]:
    dialogue, skeleton = state.dialogue, state.dialogue.skeleton()
    for homeless in dialogue.surplus():
        if skeleton and state.ignored.isdisjoint(homeless):
            likely = _likely(state, homeless, skeleton)
            if dialogue.lead(homeless[0], likely) > -2 * enough:  # or there are more clusters
                yield from _compared(dialogue, homeless[0], likely)
    found = []
    for group in skeleton:
        first = dialogue.most_confirmed(group)
        found += [(dialogue.confirmations(row), row, group) for row in group if row != first]
    for confirmations, row, group in sorted(found, key=lambda each: each[:2]):
        if confirmations < enough and row not in state.ignored:
            yield from _compared(dialogue, row, group)


def _likely(state: State, homeless: Group, skeleton: list[list[int]]) -> Group:
    """The nearest of the groups that most answers have a document in, or fewest out of."""
    leads = [state.dialogue.lead(homeless[0], group) for group in skeleton]
    likely = [group for group, lead in zip(skeleton, leads, strict=True) if lead == max(leads)]
    return likely[state.pool.nearest_group(homeless, likely)]


def _hardly_apart(state: State, enough: int) -> Iterator[Question]:
    dialogue, groups = state.dialogue, state.dialogue.skeleton()
    for pair in state.pool.nearest_pairs(groups):
        one, other = (groups[number] for number in pair)
        if sum(dialogue.times_asked(*rows) for rows in product(one, other)) < enough:
            yield from _not_compared(state, other, dialogue.most_confirmed(one))
            yield from _not_compared(state, one, dialogue.most_confirmed(other))


def _not_compared(state: State, group: Group, reference: int) -> Iterator[Question]:
    """The documents of a group with one of another, the most confirmed first."""
    for row in sorted(group, key=state.dialogue.confirmations, reverse=True):
        if row not in state.ignored and not state.dialogue.times_asked(row, reference):
            yield Question(row, reference)


def _compared(dialogue: Dialogue, row: int, group: Group) -> Iterator[Question]:
    """With the most confirmed of the documents of a group that it was least compared with."""
    asked = {other: dialogue.times_asked(row, other) for other in group if other != row}
    least = min(asked.values(), default=_AT_MOST)
    if least < _AT_MOST:
        others = [other for other, times in asked.items() if times == least]
        yield Question(row, dialogue.most_confirmed(others))
