"""How words are written in the documents of clusters: their capitals, and what they stand next to.

What is read is the beginning of some documents of every cluster, evenly spread, as much as is kept
of each to show it; so a model that was loaded finds the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import Self

import numpy as np
import numpy.typing as npt

from textclust.geometry.affine import Array, Labels

__all__ = ["TIED", "Extent", "Joint", "Wording", "sampled_rows"]

_GOLDEN = (5**0.5 - 1) / 2
_PARTS = re.compile(r"(\W+)")
_END = "\n\n"
_APOSTROPHES = "'’"
_SHOUTED, _TITLED = 0.5, 0.6  # of the words of a line: more are in capitals, or begin with one


@dataclass(frozen=True)
class Extent:
    """How much is read: characters in all, about, and of a document; documents of a cluster."""

    characters: int = 1 << 18
    each: int = 400
    fewest: int = 20  # documents of a cluster, where they are long; fewer past 1,000 clusters
    most: int = 400  # where they are short
    documents: int = 5_000  # looked at in all, about


_USUAL = Extent()
_CLUSTERS = 1_000  # of more, fewer documents of each are read


class Joint(IntEnum):
    """What is between two words."""

    APART = 0
    SPACE = 1
    HYPHEN = 2
    DOT = 3
    APOSTROPHE = 4
    TIGHT = 5  # signs without a space, as in addresses


TIED = np.isin(np.arange(len(Joint)), (Joint.DOT, Joint.TIGHT))  # which joints addresses have


@dataclass(frozen=True, eq=False)
class Wording:
    """The words of the documents that were read, one after the other, and all forms they have."""

    forms: list[str]  # as they are written, each once
    words: list[str]  # the same in lower case, each once
    word_of: Labels  # of each form
    form: Labels  # of each word that was read, as are all below
    cluster: Labels
    document: Labels
    joint: npt.NDArray[np.int8]  # to the word after it
    fair: npt.NDArray[np.bool_]  # where its capital, or none, tells how it is written

    @classmethod
    def of(cls, texts: Sequence[str], labels: Labels, k: int, extent: Extent = _USUAL) -> Self:
        """Read the beginnings of some documents of each of k clusters."""
        read = list(_once(texts, labels, sampled_rows(labels, k, extent), extent))
        rows = np.array([row for row, _ in read], dtype=np.intp)
        parts = [[*_PARTS.split(text), _END] for _, text in read]
        strings = list(chain.from_iterable(parts))  # words and what is between them by turns
        forms, separators = _Numbers(), _Numbers()
        form, between = forms.of(strings[::2]), separators.of(strings[1::2])
        document = np.repeat(np.arange(len(rows)), [len(part) // 2 for part in parts])
        said = np.array([bool(word) for word in forms], dtype=bool)[form]
        return cls._read(list(forms), form, list(separators), between, said, document, labels[rows])

    @classmethod
    def _read(
        cls,
        forms: list[str],
        form: Labels,
        separators: list[str],
        between: Labels,
        said: npt.NDArray[np.bool_],
        document: Labels,
        labels: Labels,
    ) -> Self:
        joints = np.array([_joint(s) for s in separators], dtype=np.int8)[between]
        joints[:-1][~said[1:]] = Joint.APART
        before = np.concatenate([[-1], between[:-1]])
        soft = np.array([*map(_is_soft, separators), False])[before]
        breaks = np.array([*("\n" in s for s in separators), True])[before]
        words = _Numbers()
        word_of = words.of([form.lower() for form in forms])
        fair = _fair(forms, form, soft & ~breaks, np.cumsum(breaks) - 1, said)
        return cls(
            forms,
            list(words),
            word_of,
            form[said],
            labels[document][said],
            document[said],
            joints[said],
            fair[said],
        )


class _Numbers(defaultdict[str, int]):
    """Strings numbered as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.default_factory = self.__len__

    def of(self, strings: list[str]) -> Labels:
        return np.fromiter(map(self.__getitem__, strings), np.intp, len(strings))


def sampled_rows(labels: Labels, k: int, extent: Extent = _USUAL) -> Labels:
    """The rows that may be read: of each cluster about as many, evenly spread; none of label -1.

    They are in such an order that the first few of a cluster are evenly spread too.
    """
    fewest = min(extent.fewest, max(3, _CLUSTERS * extent.fewest // max(k, 1)))
    each = int(np.clip(extent.documents // max(k, 1), fewest, extent.most))
    order = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[order], np.arange(k + 1))
    found = [np.arange(0)]
    for begin, size in zip(ends[:-1].tolist(), np.diff(ends).tolist(), strict=True):
        numbers = np.arange(min(each, size))
        places = numbers * size // max(len(numbers), 1)
        found.append(order[begin + places[np.argsort(numbers * _GOLDEN % 1, kind="stable")]])
    return np.concatenate(found)


def _once(
    texts: Sequence[str], labels: Labels, rows: Labels, extent: Extent
) -> Iterator[tuple[int, str]]:
    """The beginnings of texts, until enough of a cluster is read, with the row of each.

    They are without the lines that another of the cluster has had: what stands in many documents to
    the letter is the title of a discussion, or nobody's words.
    """
    seen: defaultdict[int, set[str]] = defaultdict(set)
    k = len(np.unique(labels[rows]))
    share = max(extent.characters // max(k, 1), extent.fewest * extent.each)
    left = defaultdict[int, int](lambda: share)
    for row, cluster in zip(rows.tolist(), labels[rows].tolist(), strict=True):
        if left[cluster] <= 0:
            continue
        text, before = texts[row][: extent.each], seen[cluster]
        left[cluster] -= len(text)
        lines = text.split("\n")
        if not before.isdisjoint(lines):
            text = "\n".join("" if line in before else line for line in lines)
        yield row, text
        before.update(lines)
        before.discard("")


def _joint(separator: str) -> Joint:
    if separator.isspace():
        return Joint.SPACE if separator.count("\n") < 2 else Joint.APART
    if separator in _APOSTROPHES:
        return Joint.APOSTROPHE
    if separator == ".":
        return Joint.DOT
    if separator == "-":
        return Joint.HYPHEN
    return Joint.TIGHT if separator[0] in "@./:\\=" and not separator[-1].isspace() else Joint.APART


def _is_soft(separator: str) -> bool:
    """True between words of one sentence."""
    return not separator.strip(" \t,-" + _APOSTROPHES)


def _fair(
    forms: list[str],
    form: Labels,
    inside: npt.NDArray[np.bool_],
    line: Labels,
    said: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]:
    """Where a capital is the word's own: not at the beginning of a sentence, nor in a headline.

    A capital inside the word, or none at the beginning, tells in these places too, but nothing does
    in a line that is all capitals.
    """
    capital = np.array([word[:1].isupper() for word in forms])[form]
    only_first = np.array([word[:1].isupper() and word[1:].islower() for word in forms])[form]
    loud = np.array([len(word) > 1 and word.isupper() for word in forms])[form]
    shouted = _share(loud, line, said)[line] > _SHOUTED
    shouted &= np.bincount(line, said)[line] >= 3
    titled = _share(capital, line, said)[line] > _TITLED
    return np.asarray(~shouted & (inside & ~titled | ~only_first))


def _share(flags: npt.NDArray[np.bool_], line: Labels, said: npt.NDArray[np.bool_]) -> Array:
    return np.bincount(line, flags & said) / np.maximum(np.bincount(line, said), 1)
