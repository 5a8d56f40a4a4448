"""The questions on the terminal: what is shown, what was learned, and what a key does."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from . import output
from .keys import Keys
from .side_by_side import legend, side_by_side

if TYPE_CHECKING:
    from textclust.active.dialogue import Dialogue, Question
    from textclust.active.session import Session
    from textclust.active.state import State, Strategy
    from textclust.active.words import PairWords
    from textclust.text.documents import Documents

__all__ = ["Conversation", "learned"]

_SAME = {"y": True, "n": False, "d": None}
_PROMPT = "Do they belong together? y yes, n no, d don't know, s skip, u undo, q quit: "


@dataclass
class Conversation:
    """Questions to a person about documents; everything is printed to standard error."""

    documents: Documents
    words: Callable[[int, int], PairWords]
    session: Session
    state: State
    strategy: Strategy
    queries: int
    suggested: bool = False  # to stop

    def hold(self) -> None:
        """Ask until the questions are used up, there is nothing to ask, or the person quits."""
        _say(legend())
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

    def _answered(self, question: Question, keys: Keys) -> bool:
        """Do what the next key says; False to end."""
        while True:
            print(_PROMPT, end="", file=sys.stderr, flush=True)
            key = keys.next()
            _say(key or "")
            if key is None or key == "q":
                return False
            if key in _SAME:
                self.session.answer(*question, _SAME[key])
                return True
            if key == "s":
                self.state = replace(self.state, ignored=self.state.ignored | {question.left})
                return True
            if key == "u":
                undone = self.session.undo()
                _say("There is no answer to take back." if undone is None else "Taken back.")
                return True

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

    def _show(self, question: Question) -> None:
        dialogue = self.session.dialogue
        if dialogue.times_asked(*question):
            _say("Once more, as it contradicts another answer:")
        elif dialogue.same_group(*question) is not None:
            _say("To check an earlier answer:")
        left, right = question
        ids, texts, words = self.documents.ids, self.documents.texts, self.words(left, right)
        page = side_by_side((ids[left], ids[right]), (texts[left], texts[right]), words)
        print(page, file=sys.stderr)
        _say(f"In common: {', '.join(words.shared) or 'no informative words'}.")


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
    lines = output.printable(text).split("\n")
    print("\n".join(textwrap.fill(line, width) for line in lines), file=sys.stderr, flush=True)
