"""The questions on the terminal: what is shown, what was learned, and what a key does."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from . import output
from .keys import Keys
from .set_page import set_page
from .side_by_side import legend, side_by_side

if TYPE_CHECKING:
    from textclust.active.dialogue import Answer, Dialogue, Question
    from textclust.active.session import Session
    from textclust.active.set_questions import SetQuestion
    from textclust.active.state import State, Strategy
    from textclust.active.words import PairWords
    from textclust.text.documents import Documents

__all__ = ["Conversation", "learned"]

_SAME = {"y": True, "n": False, "d": None}
_PROMPT = "Do they belong together? y yes, n no, d don't know, s skip, u undo, q quit: "
_SET_PROMPT = "Strangers: digits, then Enter; ? don't know, s skip, u undo, q quit: "
_SET_LEGEND = (
    "Do these documents belong together? Type the numbers of the strangers, then Enter; Enter "
    "alone if there are none."
)
_NOBODY_KNOWS = ("?", "d")


@dataclass
class Conversation:
    """Questions to a person about documents; everything is printed to standard error."""

    documents: Documents
    words: Callable[[int, int], PairWords]
    shared_words: Callable[[Sequence[int]], list[str]]  # by the documents of a set
    session: Session
    state: State
    strategy: Strategy
    queries: int
    in_sets: bool = False  # whether most questions are about sets
    suggested: bool = False  # to stop

    def hold(self) -> None:
        """Ask until the questions are used up, there is nothing to ask, or the person quits."""
        _say(_SET_LEGEND if self.in_sets else legend())
        with Keys() as keys:
            while self.session.dialogue.questions < self.queries:
                question = self.strategy(self.state)
                if question is None:
                    _say("There are no questions left.")
                    return
                self._tell()
                self._show(question)
                if not self._answered(question, keys):
                    return

    def _answered(self, question: Question | SetQuestion, keys: Keys) -> bool:
        """Do what the next key says; False to end."""
        while True:
            is_pair = len(question.placed) == 1
            key = self._key(keys) if is_pair else self._digits(keys)
            if key is None or key == "q":
                return False
            answers = self._answers(question, key)
            if answers is not None:
                self.session.answer_all(answers)
                return True
            if key == "s":
                self.state = replace(self.state, ignored=self.state.ignored | {*question.placed})
                return True
            if key == "u":
                undone = self.session.undo()
                _say("There is no answer to take back." if undone is None else "Taken back.")
                return True

    def _key(self, keys: Keys) -> str | None:
        output.show(_PROMPT, end="")
        key = keys.next()
        _say(key or "")
        return key

    def _digits(self, keys: Keys) -> str | None:
        output.show(_SET_PROMPT, end="")
        typed = keys.digits()
        _say("" if keys.are_shown else typed or "")
        return typed

    def _answers(self, question: Question | SetQuestion, key: str) -> list[Answer] | None:
        """What a key says about the documents; None if it says nothing, or is none."""
        from textclust.active.dialogue import Answer, Question
        from textclust.active.set_questions import nobody_knows, settled_pairs

        if isinstance(question, Question):
            return [Answer(*question, _SAME[key])] if key in _SAME else None
        if key in _NOBODY_KNOWS:
            return nobody_knows(question.documents)
        digits = [int(digit) for digit in key if digit in "0123456789"]
        if set(key) - {*"0123456789 ,"}:
            return None
        beyond = [digit for digit in digits if not 1 <= digit <= len(question.documents)]
        if beyond:
            _say(f"There is no document {beyond[0]}.")
            return None
        return settled_pairs(question.documents, {question.documents[n - 1] for n in digits})

    def _tell(self) -> None:
        """What was learned so far, what more is worth, and once that it may be enough."""
        from textclust.active.stopping import recent_surprises

        dialogue = self.session.dialogue
        _say(f"\nQuestion {dialogue.questions + 1} of {self.queries}. {learned(dialogue)}")
        ahead = recent_surprises(dialogue)
        found_all = self.state.is_complete or dialogue.n_clusters is None
        if ahead.is_settled and found_all and not self.suggested:
            self.suggested = True
            _say(
                f"The last {ahead.recent} documents all belong to the nearest cluster: "
                "further answers will change little, and you may well stop here."
            )
        elif ahead.recent:
            _say(
                f"About {ahead.chance:.0%} of further answers are expected to bring something new."
            )

    def _show(self, question: Question | SetQuestion) -> None:
        from textclust.active.dialogue import Question

        if isinstance(question, Question):
            self._show_pair(*question)
        else:
            self._show_set(question)

    def _show_pair(self, left: int, right: int) -> None:
        dialogue = self.session.dialogue
        if dialogue.times_asked(left, right):
            _say("Once more, as it contradicts another answer:")
        elif dialogue.same_group(left, right) is not None:
            _say("To check an earlier answer:")
        ids, texts, words = self.documents.ids, self.documents.texts, self.words(left, right)
        page = side_by_side((ids[left], ids[right]), (texts[left], texts[right]), words)
        output.show(page)
        _say(f"In common: {', '.join(words.shared) or 'no informative words'}.")

    def _show_set(self, question: SetQuestion) -> None:
        same_group = self.session.dialogue.same_group
        if all(same_group(question.reference, row) is not None for row in question.placed):
            _say("To check earlier answers:")
        output.show(set_page([self.documents.texts[row] for row in question.documents]))
        words = self.shared_words(question.documents)
        _say(f"In most of them: {', '.join(words) or 'no informative words'}.")


def learned(dialogue: Dialogue) -> str:
    """What the answers amount to, in words."""
    skeleton, k = dialogue.skeleton(), dialogue.n_clusters
    if not any(answer.same is not None for answer in dialogue.answers):
        return "No clusters found yet."
    sizes = ", ".join(str(len(group)) for group in skeleton)
    of_all = "" if k is None else f" of {k}"
    found = (
        f"{output.counted(len(skeleton), 'cluster')}{of_all} found, of {sizes} documents so far."
    )
    extra = sum(len(group) for group in dialogue.surplus())
    if not extra:
        return found
    many = output.counted(extra, "document")
    return f"{found} {many} in none of them: a wrong answer, or one more cluster."


def _say(text: str) -> None:
    width = get_terminal_size().columns
    output.show("\n".join(textwrap.fill(line, width) for line in text.split("\n")))
