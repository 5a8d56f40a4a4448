"""How most documents of a group write a word, and which words are left over from something else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from textclust.geometry.affine import Labels
from textclust.result.occurrences import Occurrences
from textclust.result.wording import TIED, Joint

__all__ = ["Spelling"]

_LEFT_OVER = 0.5  # of the occurrences of a word: more are in addresses, or cut off by an apostrophe
_ENOUGH = 5  # occurrences that show how a word is written


@dataclass(frozen=True, eq=False)
class Spelling:
    """What the documents that were read say of single words."""

    read: Occurrences

    def written(self, h: int, word_root: str, word: str | None = None) -> str | None:
        """A word as it is written in a group, or the commonest word of a root; None if not read.

        Where nothing tells how, as in headlines and at the beginning of sentences, in lower case.
        """
        place = self.read.place_of.get((h, word_root))
        at = self.read.of_place(place) if place is not None else np.arange(0)
        words, spelled = self.read.wording.words, self.read.wording.forms
        said = Counter(self.read.word[at].tolist())
        if word is None and not said:
            return None
        number = (
            min(said, key=lambda w: (-said[w], len(words[w]), words[w]))
            if word is None
            else self._number_of.get(word)
        )
        if number is None:
            return word
        fair = at[self.read.wording.fair[at] & (self.read.word[at] == number)]
        forms = Counter(self.read.wording.form[fair].tolist())
        if len(fair) < _ENOUGH:
            forms = Counter(
                {form: int(self._fair_of_form[form]) for form in self._forms_of(number)}
            )
        lower = words[number]
        best = min(forms, key=lambda f: (-forms[f], spelled[f] != lower, spelled[f]))
        return spelled[best] if forms[best] else lower

    def is_left_over(self, h: int, word_root: str) -> bool:
        """True for parts of addresses, and of words with an apostrophe, such as "edu" and "ve"."""
        place = self.read.place_of.get((h, word_root))
        return place is not None and bool(self._left_over[place])

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.read.wording.words)}

    @cached_property
    def _fair_of_form(self) -> Labels:
        """How often each form was read where it tells, in all clusters."""
        wording = self.read.wording
        return np.bincount(wording.form[wording.fair], minlength=len(wording.forms))

    def _forms_of(self, word: int) -> list[int]:
        """The forms of a word."""
        order, begins = self._forms_by_word
        return order[begins[word] : begins[word + 1]].tolist()

    @cached_property
    def _forms_by_word(self) -> tuple[Labels, Labels]:
        word_of, n = self.read.wording.word_of, len(self.read.wording.words)
        order = np.argsort(word_of, kind="stable")
        return order, np.searchsorted(word_of[order], np.arange(n + 1))

    @cached_property
    def _left_over(self) -> npt.NDArray[np.bool_]:
        """Of each place."""
        words, joint = self.read.wording.words, self.read.wording.joint
        before = np.concatenate([[Joint.APART], joint])[:-1]
        short = np.array([len(word) <= 2 for word in words], dtype=bool)[self.read.word]
        is_s = np.array([word == "s" for word in words], dtype=bool)[self.read.word]
        cut = (joint == Joint.APOSTROPHE) & ~np.concatenate([is_s, [False]])[1:]
        cut |= (before == Joint.APOSTROPHE) & short
        tied = TIED[joint] | TIED[before]
        place, among = self.read.place, self.read.place >= 0
        left = np.bincount(place[among], (cut | tied)[among], minlength=len(self.read.keys))
        return np.asarray(left > _LEFT_OVER * self.read.counts)
