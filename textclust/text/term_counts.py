"""Counts of terms in the order they were found, before it is known which terms are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from textclust import native

__all__ = ["CountMatrix", "Ends", "Numbers", "Part", "TermCounts", "index_type"]

Numbers = npt.NDArray[np.int32]  # of terms, or how often they occur
Ends = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CountMatrix:
    """How often each term of a vocabulary occurs in each text."""

    matrix: sp.csr_array  # n x terms
    vocabulary: dict[str, int]  # the columns of the terms, ascending
    frequencies: npt.NDArray[np.int64]  # in how many texts each term occurs

    def aligned(
        self, vocabulary: Mapping[str, int], dtype: npt.DTypeLike = np.int32
    ) -> sp.csr_array:
        """The matrix of the terms of another vocabulary, in its columns; all others are dropped."""
        column = np.array([vocabulary.get(term, -1) for term in self.vocabulary], dtype=np.int32)
        indptr = self.matrix.indptr[1:].astype(np.int64)
        part = Part(indptr, self.matrix.indices, self.matrix.data)
        counts = TermCounts(deque([part]), self.frequencies, lambda chosen: [])
        return counts.matrix(column, len(vocabulary), dtype)


@dataclass(frozen=True)
class Part:
    """The counts of some texts that follow each other."""

    ends: Ends  # of the entries of each text
    terms: Numbers  # of each entry
    counts: Numbers  # of each entry

    def renumber(self, numbers: Numbers) -> None:
        """Give each term another number, in place."""
        np.take(numbers, self.terms, out=self.terms, mode="clip")


@dataclass(frozen=True)
class TermCounts:
    """The counts of all texts; terms have numbers, and are spelled when they are asked for.

    Whatever is made of them uses the parts up, so that counts are not held twice.
    """

    parts: deque[Part]
    frequencies: npt.NDArray[np.int64]  # in how many texts each term occurs
    spelled: Callable[[npt.NDArray[np.integer]], list[str]]  # the terms of some numbers

    @classmethod
    def of(cls, counted: Iterable[tuple[Part, list[str]]]) -> Self:
        """Parts with terms of their own, made one."""
        numbers: dict[str, int] = {}
        parts: deque[Part] = deque()
        for part, terms in counted:
            known = [numbers.setdefault(term, len(numbers)) for term in terms]
            part.renumber(np.array(known, dtype=np.int32))
            parts.append(part)
        frequencies = np.zeros(len(numbers), dtype=np.int64)
        for part in parts:
            frequencies += np.bincount(part.terms, minlength=len(numbers))
        names = list(numbers)
        return cls(parts, frequencies, lambda chosen: [names[number] for number in chosen])

    @property
    def n(self) -> int:
        """The number of texts."""
        return sum(len(part.ends) for part in self.parts)

    @property
    def sizes(self) -> Ends:
        """How many different terms each text has."""
        sizes = [np.diff(part.ends, prepend=0) for part in self.parts]
        return np.concatenate(sizes) if sizes else np.zeros(0, dtype=np.int64)

    def chosen(self, kept: npt.NDArray[np.intp], dtype: npt.DTypeLike = np.int32) -> CountMatrix:
        """The counts of some terms alone, in alphabetical order."""
        found = self.spelled(kept)
        vocabulary = {term: place for place, term in enumerate(sorted(found))}
        places = np.array([vocabulary[term] for term in found], dtype=np.int32)
        column = np.full(len(self.frequencies), -1, dtype=np.int32)
        column[kept] = places
        frequencies = np.empty(len(kept), dtype=np.int64)
        frequencies[places] = self.frequencies[kept]
        return CountMatrix(self.matrix(column, len(kept), dtype), vocabulary, frequencies)

    def aligned(
        self, vocabulary: Mapping[str, int], dtype: npt.DTypeLike = np.int32
    ) -> sp.csr_array:
        """The matrix of the terms of a vocabulary, in its columns; all others are dropped."""
        column = [vocabulary.get(term, -1) for term in self._terms()]
        return self.matrix(np.array(column, dtype=np.int32), len(vocabulary), dtype)

    def renamed(self, rename: Callable[[str], str]) -> TermCounts:
        """Counts by new names; terms that come to share one are added up."""
        names = [rename(term) for term in self._terms()]
        number = {name: place for place, name in enumerate(dict.fromkeys(names))}
        column = np.array([number[name] for name in names], dtype=np.int32)
        matrix = self.matrix(column, len(number), np.int32)
        matrix.sum_duplicates()
        part = Part(matrix.indptr[1:].astype(np.int64), matrix.indices, matrix.data)
        return TermCounts.of([(part, list(number))])

    def _terms(self) -> list[str]:
        return self.spelled(np.arange(len(self.frequencies)))

    def matrix(self, column: Numbers, width: int, dtype: npt.DTypeLike) -> sp.csr_array:
        """CSR with each term in its column, and without those in column -1."""
        size = int(self.frequencies[column >= 0].sum())
        columns, counts = np.empty(size, dtype=np.int32), np.empty(size, dtype=dtype)
        indptr = np.zeros(self.n + 1, dtype=np.int64)
        row = 0
        while self.parts:
            part = self.parts.popleft()
            begin, ends = indptr[row], indptr[row + 1 : row + 1 + len(part.ends)]
            _arrange(part, column, ends, columns[begin:], counts[begin:])
            ends += begin
            row += len(ends)
        # other libraries take 32-bit index arrays only, so wider ones are for what needs them
        indptr = indptr.astype(index_type(size), copy=False)
        matrix = sp.csr_array((counts, columns, indptr), shape=(row, width))
        matrix.has_sorted_indices = True
        return matrix


def index_type(size: int) -> type[np.int32] | type[np.int64]:
    """The narrowest type for where the rows of so many entries end."""
    return np.int32 if size <= np.iinfo(np.int32).max else np.int64


def _arrange(
    part: Part, column: Numbers, ends: Ends, columns: Numbers, counts: npt.NDArray[np.number]
) -> None:
    """Write a part by column, in order within each row, and where its rows end then."""
    rows = native.module("rows")
    if rows is not None:
        rows.arrange(part.ends, part.terms, part.counts, column, ends, columns, counts)
        return
    place = column[part.terms]
    kept = place >= 0
    indptr = np.concatenate([[0], np.cumsum(kept)])[np.concatenate([[0], part.ends])]
    shape = (len(ends), len(column))
    matrix = sp.csr_array((part.counts[kept], place[kept], indptr), shape=shape)
    matrix.sort_indices()
    ends[:] = indptr[1:]
    columns[: matrix.nnz], counts[: matrix.nnz] = matrix.indices, matrix.data
