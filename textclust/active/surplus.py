"""More neighbourhoods than clusters: some answer that keeps two of them apart is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from textclust.active.dialogue import Dialogue, Question
from textclust.active.query_pool import Group
from textclust.active.state import State

__all__ = ["surplus"]

_ENOUGH = 3  # answers about the most_confirmed documents of two neighbourhoods


def surplus(state: State) -> Question | None:
    """Whether documents that are apart from all k neighbourhoods belong together.

    One of them may be there by a slip of its own. Where two agree, the slip is between the
    neighbourhoods, and it is asked once more whether these are apart, the nearest first.
    """
    extra = state.dialogue.surplus()
    questions = [*_among(state.dialogue, extra)]
    if any(len(group) > 1 for group in extra):
        questions += _once_more(state)
    wanted = (question for question in questions if state.ignored.isdisjoint(question))
    return next(wanted, None)


def _among(dialogue: Dialogue, groups: list[list[int]]) -> Iterator[Question]:
    """Those of which it is not known."""
    for one, other in combinations(groups, 2):
        if dialogue.same_group(one[0], other[0]) is None and not dialogue.unanswered(
            one[0], other[0]
        ):
            yield Question(dialogue.most_confirmed(other), dialogue.most_confirmed(one))


def _once_more(state: State) -> Iterator[Question]:
    """Through documents that are surely in their neighbourhoods, and were not compared yet."""
    groups = state.dialogue.skeleton()
    most_confirmed = [_most_confirmed_two(state.dialogue, group) for group in groups]
    for one, other in state.pool.nearest_pairs(groups):
        pairs = list(product(reversed(most_confirmed[one]), reversed(most_confirmed[other])))
        fresh = [pair for pair in pairs if not state.dialogue.times_asked(*pair)]
        if len(pairs) - len(fresh) < _ENOUGH:
            yield from (Question(*pair) for pair in fresh[:1])


def _most_confirmed_two(dialogue: Dialogue, group: Group) -> list[int]:
    first = dialogue.most_confirmed(group)
    others = [row for row in group if row != first]
    return [first, dialogue.most_confirmed(others)] if others else [first]
