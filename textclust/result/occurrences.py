"""Where the words that may name groups of clusters stand in the documents that were read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from textclust.geometry.affine import Labels
from textclust.result.forms import root
from textclust.result.wording import Wording

__all__ = ["Occurrences", "Weights"]

_SHORT = 8  # letters; of longer words a root keeps the first few
_BEGINNING = 4

Weights = list[dict[str, float]]  # of the roots of words, in each group


@dataclass(frozen=True, eq=False)
class Occurrences:
    """The wording, and which of its words may name which group.

    A root that may name a group has a place: its number among all roots of all groups. Arrays are
    of the words that were read, one after the other, unless they say otherwise.
    """

    wording: Wording
    weights: Weights
    group_of: Labels  # of each cluster; -1 for none

    @cached_property
    def keys(self) -> list[tuple[int, str]]:
        """The group and the root of each place."""
        return [(h, word) for h, weights in enumerate(self.weights) for word in weights]

    @cached_property
    def place_of(self) -> dict[tuple[int, str], int]:
        """The place of a root in a group."""
        return {key: place for place, key in enumerate(self.keys)}

    @cached_property
    def group(self) -> Labels:
        """The group of the cluster, or -1."""
        return self.group_of[self.wording.cluster]

    @cached_property
    def word(self) -> Labels:
        """The number of the word in lower case."""
        return self.wording.word_of[self.wording.form]

    @cached_property
    def distinct(self) -> Labels:
        """A number for all forms of a word that may name a group; else of that form alone."""
        number = self._root_of_word
        own = np.where(number >= 0, number, len(self._roots) + np.arange(len(number)))
        return own[self.word]

    @cached_property
    def place(self) -> Labels:
        """The place of the word in its group, or -1."""
        n_roots = max(len(self._roots), 1)
        keys = np.array([h * n_roots + self._roots[w] for h, w in self.keys], dtype=np.intp)
        number = self._root_of_word[self.word]
        wanted = np.where((number >= 0) & (self.group >= 0), self.group * n_roots + number, -1)
        if not len(keys):
            return np.full(len(wanted), -1)
        order = np.argsort(keys)
        at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
        return np.where(keys[order[at]] == wanted, order[at], -1)

    @cached_property
    def counts(self) -> Labels:
        """How often the root of each place was read."""
        return np.diff(self._bounds)

    def of_place(self, place: int) -> Labels:
        """All that was read of a root in its group."""
        return self._by_place[self._bounds[place] : self._bounds[place + 1]]

    @cached_property
    def _by_place(self) -> Labels:
        at = np.flatnonzero(self.place >= 0)
        return at[np.argsort(self.place[at], kind="stable")]

    @cached_property
    def _bounds(self) -> Labels:
        return np.searchsorted(self.place[self._by_place], np.arange(len(self.keys) + 1))

    @cached_property
    def _roots(self) -> dict[str, int]:
        return {word: number for number, word in enumerate({word: None for _, word in self.keys})}

    @cached_property
    def _root_of_word(self) -> Labels:
        """The number of the root of each word, -1 where no group may be named by it."""
        known, begins = self._roots, {word[:_BEGINNING] for word in self._roots}
        found = (
            known.get(root(word), -1)
            if len(word) < _SHORT or word[:_BEGINNING] in begins  # most are told by this alone
            else -1
            for word in self.wording.words
        )
        return np.fromiter(found, np.intp, len(self.wording.words))
