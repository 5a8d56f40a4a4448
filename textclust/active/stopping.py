"""When to stop asking: how often the last answers were a surprise."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.active.dialogue import Dialogue

__all__ = ["RecentSurprises", "recent_surprises"]

_RECENT = 10  # documents


@dataclass(frozen=True)
class RecentSurprises:
    """Of the documents placed last, how many did not belong where they were expected."""

    recent: int
    surprises: int

    @property
    def chance(self) -> float:
        """The probability that the next document is a surprise too, by the rule of succession."""
        return (self.surprises + 1) / (self.recent + 2)

    @property
    def is_settled(self) -> bool:
        """Whether the last answers were all as expected, and asking may stop."""
        return self.recent == _RECENT and self.surprises == 0


def recent_surprises(dialogue: Dialogue) -> RecentSurprises:
    """The surprises of a dialogue in which each document is first compared with its nearest.

    Such a question is expected to be answered with "same": what the words say already need
    not be asked, and what they do not say is worth asking.

    >>> dialogue = Dialogue(2)
    >>> for row, same in enumerate([False, True, True, True], start=1):
    ...     dialogue.record(row, 0, same)
    >>> recent_surprises(dialogue)
    RecentSurprises(recent=4, surprises=1)
    """
    first: dict[int, bool] = {}
    for answer in dialogue.answers:
        if answer.same is not None:
            first.setdefault(answer.left, answer.same)
    recent = list(first.values())[-_RECENT:]
    return RecentSurprises(len(recent), sum(not same for same in recent))
