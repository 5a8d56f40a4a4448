"""Phrases by statistics: words that stand side by side far more often than by chance.

A phrase weighs as much of the weight of its words as it carries of their occurrences in the group:
"human rights" half of what "human" and "rights" weigh, where half of either is in it. So it comes
before its words in a name when it carries most of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from textclust.geometry.affine import Array, Labels
from textclust.result.forms import root
from textclust.result.occurrences import Occurrences
from textclust.result.wording import TIED, Joint

__all__ = ["Phrase", "Phrases"]

_FEWEST_DOCUMENTS = 3  # of those that were read of a group: how many have a phrase
_SIGNIFICANT = 10.83  # of the likelihood ratio: one in a thousand by chance
_GAIN = 1.3  # how much more a phrase says than the same words one by one
_JOINED = np.isin(np.arange(len(Joint)), (Joint.SPACE, Joint.HYPHEN, Joint.DOT))
_SIGNS = {Joint.HYPHEN: "-", Joint.DOT: "."}

Flags = npt.NDArray[np.bool_]


class Phrase(NamedTuple):
    """Words that belong together."""

    roots: tuple[str, ...]
    carried: tuple[float, ...]  # the share of each word's occurrences that are in the phrase
    weight: float
    replaces: bool  # whether it weighs more than each of its words
    at: Labels  # where it was read


@dataclass(frozen=True, eq=False)
class Phrases:
    """Those that were read in each group."""

    read: Occurrences

    def of(self, h: int) -> list[Phrase]:
        """The phrases of a group."""
        return self._of_group[h]

    def written(self, phrase: Phrase) -> str:
        """As most write it, where a first capital tells; else the first in lower case."""
        wording, words = self.read.wording, len(phrase.roots)
        fair = phrase.at[wording.fair[phrase.at]]
        at = fair if len(fair) else phrase.at
        spelled = Counter(map(tuple, wording.form[at[:, None] + np.arange(words)].tolist()))
        signs = Counter(
            map(tuple, wording.joint[phrase.at[:, None] + np.arange(words - 1)].tolist())
        )
        best = min(spelled, key=lambda s: (-spelled[s], [wording.forms[form] for form in s]))
        between = min(signs, key=lambda s: (-signs[s], s))
        found = [wording.forms[form] for form in best]
        if not len(fair):
            found = [word.lower() if word[1:].islower() else word for word in found]
        later = zip(between, found[1:], strict=True)
        return found[0] + "".join(_SIGNS.get(Joint(sign), " ") + word for sign, word in later)

    @cached_property
    def _of_group(self) -> list[list[Phrase]]:
        found: list[list[Phrase]] = [[] for _ in self.read.weights]
        if len(self.read.place):
            pairs = self._pairs()
            for repeated in (pairs, self._triples(pairs)):
                for at in repeated:
                    found[int(self.read.group[at[0]])].append(self._phrase(at, repeated.length))
        return found

    def _phrase(self, at: Labels, length: int) -> Phrase:
        read, first = self.read, int(at[0])
        places = read.place[first : first + length].tolist()
        keys = [
            read.keys[p] if p >= 0 else (0, self._own_root(first + i)) for i, p in enumerate(places)
        ]
        counts = [max(int(read.counts[p]), 1) if p >= 0 else len(at) for p in places]
        weights = [
            read.weights[h][word] if p >= 0 else 0.0
            for p, (h, word) in zip(places, keys, strict=True)
        ]
        carried = tuple(min(len(at) / count, 1.0) for count in counts)
        weight = _GAIN * sum(w * share for w, share in zip(weights, carried, strict=True))
        roots = tuple(word for _, word in keys)
        return Phrase(roots, carried, weight, weight > max(weights), at)

    def _own_root(self, at: int) -> str:
        return root(self.read.wording.words[self.read.word[at]])

    def _pairs(self) -> _Repeated:
        """Neighbours that are side by side in several documents, and not by chance.

        Each of the two may name the group, or both are written as names are.
        """
        read, joint, forms = self.read, self.read.wording.joint, self.read.wording.forms
        capital = np.array([word[:1].isupper() for word in forms])[read.wording.form]
        number = np.array([word.isdigit() for word in forms])[read.wording.form]
        joined = _JOINED[joint[:-1]]
        left, right = read.place[:-1] >= 0, read.place[1:] >= 0
        fit = (left & right) | ((left | right) & capital[:-1] & capital[1:])
        word = read.distinct
        fit &= joined & ~number[:-1] & ~number[1:] & (word[:-1] != word[1:])
        tied = np.concatenate([[False], TIED[joint]])
        fit &= (joint[:-1] != Joint.DOT) | ~(tied[:-2] | tied[2:])  # in no longer address
        at = np.flatnonzero(fit)
        n_words = int(word.max()) + 1
        keys = (read.group[at] * n_words + word[at]) * n_words + word[at + 1]
        return _Repeated.of(at, keys, 2, read).those(
            lambda found: self._is_significant(found, n_words)
        )

    def _triples(self, pairs: _Repeated) -> _Repeated:
        """Pairs that overlap."""
        read = self.read
        of_pair = np.full(len(read.place) + 1, -1)
        of_pair[pairs.at] = pairs.number
        at = np.flatnonzero((of_pair[:-1] >= 0) & (of_pair[1:] >= 0))
        at = at[read.distinct[at] != read.distinct[at + 2]]
        keys = of_pair[at] * max(len(pairs.sizes), 1) + of_pair[at + 1]
        return _Repeated.of(at, keys, 3, read)

    def _is_significant(self, pairs: _Repeated, n_words: int) -> Flags:
        """By the likelihood ratio of the two words being independent, in all that was read."""
        word, firsts = self.read.distinct, pairs.at[pairs.starts]
        single = np.bincount(word, minlength=n_words).astype(float)
        one, other = word[firsts], word[firsts + 1]
        key, back = np.unique(one * n_words + other, return_inverse=True)
        both = np.bincount(back, pairs.sizes, minlength=len(key))[back]
        n = float(len(word))
        ratio = 2 * _likelihood_gain(both, single[one] - both, single[other] - both, n)
        return (ratio > _SIGNIFICANT) & (both * n > single[one] * single[other])


@dataclass(frozen=True, eq=False)
class _Repeated:
    """Sequences of words that were read in several documents of a group."""

    at: Labels  # where each begins, sorted by its number
    number: Labels  # of the sequence that begins there
    sizes: Labels  # how often each was read
    length: int

    @classmethod
    def of(cls, at: Labels, keys: Labels, length: int, read: Occurrences) -> _Repeated:
        found = cls._sorted(at, np.unique(keys, return_inverse=True)[1], length)
        return found.those(lambda each: each._documents(read.wording.document) >= _FEWEST_DOCUMENTS)

    @classmethod
    def _sorted(cls, at: Labels, number: Labels, length: int) -> _Repeated:
        order = np.argsort(number, kind="stable")
        return cls(at[order], number[order], np.bincount(number), length)

    def __iter__(self) -> Iterator[Labels]:
        """Where each sequence begins."""
        return iter(np.split(self.at, self.starts[1:]) if len(self.sizes) else [])

    @property
    def starts(self) -> Labels:
        """Of the places of each sequence."""
        return np.cumsum(self.sizes) - self.sizes

    def those(self, which: Callable[[_Repeated], Flags]) -> _Repeated:
        """Some of the sequences."""
        kept = which(self)
        chosen = kept[self.number]
        return self._sorted(
            self.at[chosen], (np.cumsum(kept) - 1)[self.number[chosen]], self.length
        )

    def _documents(self, document: Labels) -> Labels:
        """How many documents each was read in."""
        n = int(document.max(initial=0)) + 1
        return np.bincount(np.unique(self.number * n + document[self.at]) // n)


def _likelihood_gain(both: Array, one: Array, other: Array, n: float) -> Array:
    """How much likelier the counts of two words are if one depends on the other, as a logarithm."""
    cells = np.maximum(np.stack([both, one, other, n - both - one - other]), 0.0)
    first, second = cells[0] + cells[1], cells[0] + cells[2]
    expected = np.stack(
        [first * second, first * (n - second), (n - first) * second, (n - first) * (n - second)]
    )
    ratios = np.divide(
        cells * n, expected, out=np.ones_like(cells), where=(cells > 0) & (expected > 0)
    )
    return np.asarray((cells * np.log(ratios)).sum(axis=0))
