"""A question about a set of documents: do these belong together, and which are strangers?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from textclust.active.dialogue import Answer

__all__ = ["SetQuestion", "nobody_knows", "settled_pairs"]


@dataclass(frozen=True)
class SetQuestion:
    """Do these belong together? The first was there before, the others are to be placed."""

    documents: tuple[int, ...]

    @property
    def reference(self) -> int:
        """The document whose group the answer is about."""
        return self.documents[0]

    @property
    def placed(self) -> tuple[int, ...]:
        """The documents that the answer places."""
        return self.documents[1:]


def settled_pairs(documents: Sequence[int], strangers: Collection[int]) -> list[Answer]:
    """The pairs that an answer settles; all others follow from them, or are left open.

    Those that are no strangers belong together, and each stranger is apart from them. Strangers
    among each other are not settled. Where all are strangers, no two are said to belong together;
    as k clusters rarely have room for that, no more is taken from it than that the others are
    apart from the first.

    >>> for answer in settled_pairs([5, 6, 7, 8], strangers=[7]):
    ...     print(answer.left, answer.right, answer.same)
    6 5 True
    8 5 True
    7 5 False
    """
    first, apart = documents[0], set(strangers)
    together = [row for row in documents if row not in apart] or [first]
    centre = together[0]
    same = [Answer(row, centre, True) for row in together[1:]]
    others = [row for row in documents if row in apart and row != centre]
    different = [
        Answer(centre, row, False) if row == first else Answer(row, centre, False) for row in others
    ]
    return same + different


def nobody_knows(documents: Sequence[int]) -> list[Answer]:
    """What "don't know" says of a set: none of it is asked about with the first again."""
    return [Answer(row, documents[0], None) for row in documents[1:]]
