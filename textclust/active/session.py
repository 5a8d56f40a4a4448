"""A dialogue that is kept on disk: every answer is saved before the next question is asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textclust.active.answer_files import AnswerFile
from textclust.active.dialogue import Answer, Dialogue

__all__ = ["Disagreement", "Session"]


@dataclass(frozen=True)
class Disagreement:
    """A pair of which two people say different things."""

    left: int
    right: int
    mine: bool
    theirs: bool


class Session:
    """A dialogue and the file it is kept in, if any; it goes on where the file ends."""

    def __init__(self, n_clusters: int | None, file: AnswerFile | None = None) -> None:
        self.dialogue = Dialogue(n_clusters, () if file is None else file.answers)
        self._file = file

    def answer(self, left: int, right: int, same: bool | None) -> None:
        """Save an answer, then take it in."""
        if self._file is not None:
            self._file.append(left, right, same)
        self.dialogue.record(left, right, same)

    def undo(self) -> Answer | None:
        """Take back the last answer, here and in the file; None where there is none."""
        undone = self.dialogue.undo()
        if undone is not None and self._file is not None:
            self._file.undo()
        return undone

    def merge(self, theirs: Iterable[Answer]) -> list[Disagreement]:
        """Take in the answers of someone else; what both say differently is to be asked again.

        Until then my own answers stand. Where one of us does not know, the other is believed.
        """
        disagreements = []
        mine = {answer.pair: answer.same for answer in self.dialogue.answers}
        for answer in Dialogue(None, theirs).answers:
            own = mine.get(answer.pair)
            if own is None and (answer.same is not None or answer.pair not in mine):
                self.answer(answer.left, answer.right, answer.same)
            elif own is not None and answer.same is not None and own is not answer.same:
                disagreements.append(Disagreement(answer.left, answer.right, own, answer.same))
                self.dialogue.suspect(answer.left, answer.right)
        return disagreements
