"""Names of clusters: a few words or phrases that say what a cluster is and the others are not.

Forms of one word are taken for one and shown as most documents write it; phrases stand for their
words where they carry most of them (`phrases`); numbers and leftovers are in no name while anything
else is left; no two clusters have the same words for a name, in whatever form or order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from textclust.geometry.affine import Labels
from textclust.result.forms import akin, root
from textclust.result.occurrences import Occurrences
from textclust.result.phrases import Phrase, Phrases
from textclust.result.spelling import Spelling
from textclust.result.telling import Candidates, Groups, TermEvidence
from textclust.result.wording import Wording

__all__ = ["Naming", "name_key"]

_WORDS_IN_NAME = 3
_LONGEST = 60  # letters of a word
_MOSTLY = (
    0.5  # of the occurrences of a word: if more are beside a word of the name, it is not needed
)
_JOINED = 0.25  # of those of the other word: if more are there too, the two join as a phrase
_WITHOUT = "without terms"


class _Choice(NamedTuple):
    """What a name may be made of: a word, given by a term, or a phrase."""

    weight: float
    roots: tuple[str, ...]
    term: str = ""
    forms: int = 0  # how many terms are forms of the word
    phrase: Phrase | None = None


@dataclass(frozen=True, eq=False)
class Naming:
    """All that names are made from: the terms of clusters, and how words are written in them."""

    evidence: TermEvidence
    vocabulary: Sequence[str]
    wording: Wording

    def names(self, groups: Groups | None = None, taken: Collection[str] = ()) -> list[str]:
        """A name for each cluster, none twice and none of those `taken`.

        Given groups of clusters, such as the children of a node of a hierarchy, a name for each
        group: what its members share, and what sets it apart from the other groups. Clusters in no
        group are left out.
        """
        k = self.evidence.k
        terms = [self._choices(candidates) for candidates in self.evidence.candidates(groups)]
        of_cluster = np.arange(k) if groups is None else _places(groups, k)
        weights = [{c.roots[0]: c.weight for c in each if len(c.roots) == 1} for each in terms]
        read = Occurrences(self.wording, weights, of_cluster)
        spelling, phrases = Spelling(read), Phrases(read)
        keys, names = {name_key(name) for name in taken}, list[str]()
        for h, of_group in enumerate(terms):
            one = _NameOf(h, of_group, spelling, phrases)
            names.append(one.unlike(keys, len(names) + 1))
            keys.add(name_key(names[-1]))
        return names

    def _choices(self, candidates: Candidates) -> list[_Choice]:
        """Terms that say something; of forms of a word the commonest, with the greatest weight."""
        found: dict[tuple[str, ...], _Choice] = {}
        most: dict[tuple[str, ...], float] = {}
        for column, weight, documents in zip(*candidates, strict=True):
            term = self.vocabulary[column]
            roots = tuple(root(word) for word in term.split(" "))
            if not any(letter.isalpha() for letter in term):
                continue
            first = found.setdefault(roots, _Choice(float(weight), roots, term))
            if documents > most.setdefault(roots, documents):
                most[roots] = documents
                found[roots] = first._replace(term=term)
            found[roots] = found[roots]._replace(forms=found[roots].forms + 1)
        return list(found.values())


@dataclass(frozen=True, eq=False)
class _NameOf:
    """How one group finds its name."""

    h: int
    terms: list[_Choice]
    spelling: Spelling
    phrases: Phrases

    def unlike(self, taken: set[frozenset[str]], number: int) -> str:
        """The best few that make a name nobody has: more if need be, or with a number."""
        chosen: list[_Choice] = []
        name = ""
        for choice in self._in_order():
            if any(_overlap(choice, other) for other in chosen) or self._joins(choice, chosen):
                continue
            chosen.append(choice)
            if len(chosen) >= _WORDS_IN_NAME:
                name = self._written(chosen)
                if name_key(name) not in taken:
                    return name
        name = plain = self._written(chosen) or _WITHOUT
        while name_key(name) in taken:
            name, number = f"{plain} ({number})", number + 1
        return name

    def _in_order(self) -> list[_Choice]:
        """Words and phrases, the best first; leftovers last."""
        phrases = (
            _Choice(each.weight, each.roots, phrase=each)
            for each in self.phrases.of(self.h)
            if each.replaces
        )
        return sorted(
            [*self.terms, *phrases], key=lambda c: (self._is_left_over(c), -c.weight, c.roots)
        )

    def _is_left_over(self, choice: _Choice) -> bool:
        return len(choice.roots) == 1 and self.spelling.is_left_over(self.h, choice.roots[0])

    def _joins(self, choice: _Choice, chosen: list[_Choice]) -> bool:
        """True for a word that is mostly read beside a word already chosen; the two become one."""
        word, words = choice.roots[0], {c.roots[0]: i for i, c in enumerate(chosen) if c.term}
        for phrase in self.phrases.of(self.h) if choice.term else ():
            if len(phrase.roots) != 2 or word not in phrase.roots:
                continue
            mine = phrase.roots.index(word)
            place = words.get(phrase.roots[1 - mine])
            enough = phrase.carried[mine] > _MOSTLY and phrase.carried[1 - mine] > _JOINED
            if place is not None and enough:
                chosen[place] = _Choice(phrase.weight, phrase.roots, phrase=phrase)
                return True
        return False

    def _written(self, chosen: list[_Choice]) -> str:
        return ", ".join(map(self._text, chosen))

    def _text(self, choice: _Choice) -> str:
        if choice.phrase is not None:
            return _tidy(self.phrases.written(choice.phrase))
        if len(choice.roots) > 1:
            return _tidy(choice.term)
        word = (
            choice.term.lower() if choice.forms > 1 else None
        )  # of one alone, a stem stands for all
        return _tidy(self.spelling.written(self.h, choice.roots[0], word) or choice.term)


def name_key(name: str) -> frozenset[str]:
    """What two names have in common that say the same: their words in any form and order."""
    letters = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in name)
    return frozenset(root(word) for word in letters.split())


def _overlap(one: _Choice, other: _Choice) -> bool:
    return any(akin(a, b) for a in one.roots for b in other.roots)


def _tidy(text: str) -> str:
    """A word that can be shown anywhere: no control characters, none that turn the direction."""
    if not text.isalnum():
        shown = (" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
        text = " ".join("".join(shown).split()).strip("_ ,")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _places(groups: Groups, k: int) -> Labels:
    """The group of each cluster, -1 for none."""
    found = np.full(k, -1)
    for number, group in enumerate(groups):
        found[list(group)] = number
    return found
