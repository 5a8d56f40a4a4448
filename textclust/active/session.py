"""A dialogue that is kept on disk: every answer is saved before the next question is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    def __init__(
        self, n_clusters: int | None, file: AnswerFile | None = None, *, fallible: bool = False
    ) -> None:
        self.dialogue = Dialogue(n_clusters, fallible=fallible)
        for event in () if file is None else file.events:
            self.dialogue.record_all(event)
        self._file = file

    @property
    def saved(self) -> int:
        """How many questions have answers, in the file where there is one."""
        return self.dialogue.questions if self._file is None else self._file.saved

    def answer(self, left: int, right: int, same: bool | None) -> None:
        """Save an answer, then take it in."""
        self.answer_all([Answer(left, right, same)])

    def answer_all(self, answers: Sequence[Answer]) -> None:
        """Save the pairs that one question has settled, then take them in."""
        if self._file is not None:
            self._file.append_all(answers)
        self.dialogue.record_all(answers)

    def undo(self) -> Answer | None:
        """Take back what the last question was answered with, here and in the file, if any."""
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
