"""Where documents belong if answers may be wrong: where the fewest answers are contradicted.

If every answer is wrong with the same probability, below one half, that is the most likely place
(correlation clustering; Bansal, Blum and Chawla 2004). It is searched for by moving a document to
another group or out of all, and by joining two groups, as long as that helps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textclust.active.dialogue import Answer

__all__ = ["outvoted"]

_SWEEPS = 10

_Votes = dict[int, list[tuple[int, int]]]


def outvoted(answers: Sequence[Answer], groups: Mapping[int, int]) -> set[frozenset[int]]:
    """The pairs whose answers should not count, of definite answers about documents in groups.

    >>> from textclust.active.dialogue import Answer
    >>> answers = [Answer(1, 0, True), Answer(2, 0, True)]
    >>> answers += [Answer(3, 0, True), Answer(3, 1, False), Answer(3, 2, False)]
    >>> [sorted(pair) for pair in outvoted(answers, {0: 0, 1: 0, 2: 0, 3: 0})]
    [[0, 3]]
    """
    votes: _Votes = defaultdict(list)
    for answer in answers:
        for one, other in ((answer.left, answer.right), (answer.right, answer.left)):
            votes[one].append((other, answer.times if answer.same else -answer.times))
    group = dict(groups)
    for _ in range(_SWEEPS):
        if not (_move_documents(group, votes) | _join_groups(group, answers)):
            break
    return {a.pair for a in answers if (group[a.left] == group[a.right]) is not a.same}


def _move_documents(group: dict[int, int], votes: _Votes) -> bool:
    """Move each document to the group that most answers have it in; a new one where none does."""
    moved = False
    for document, ballot in votes.items():
        totals: Counter[int] = Counter({group[document]: 0, -1 - document: 0})
        for other, vote in ballot:
            totals[group[other]] += vote
        best = max(totals, key=totals.__getitem__)
        if totals[best] > totals[group[document]]:
            group[document], moved = best, True
    return moved


def _join_groups(group: dict[int, int], answers: Sequence[Answer]) -> bool:
    """Join two groups that more answers join than separate, the most of all."""
    totals: Counter[frozenset[int]] = Counter()
    for answer in answers:
        pair = frozenset((group[answer.left], group[answer.right]))
        if len(pair) == 2:
            totals[pair] += answer.times if answer.same else -answer.times
    pair, lead = max(totals.items(), key=lambda each: each[1], default=(frozenset(), 0))
    if lead <= 0:
        return False
    one, other = pair
    group.update({document: one for document, own in group.items() if own == other})
    return True
