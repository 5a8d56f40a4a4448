"""From terms to counts: one pass over the texts, a growing vocabulary, flat arrays."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.progress import track

__all__ = ["Counts", "count_terms"]

Analyse = Callable[[str], Iterable[str]]


@dataclass(frozen=True)
class Counts:
    """How often each term occurs in each text; terms in alphabetical order."""

    matrix: Any  # CSR of n x terms
    terms: list[str]

    def renamed(self, rename: Callable[[str], str]) -> Counts:
        """Counts by new names; terms that come to share one are added up."""
        names = [rename(term) for term in self.terms]
        terms = sorted(set(names))
        column = {term: place for place, term in enumerate(terms)}
        return Counts(_renumbered(self.matrix, names, column), terms)

    def aligned(self, vocabulary: Mapping[str, int]) -> Counts:
        """Counts of the terms of a vocabulary, in its columns; all others are dropped."""
        known = [place for place, term in enumerate(self.terms) if term in vocabulary]
        terms = [self.terms[place] for place in known]
        return Counts(_renumbered(self.matrix[:, known], terms, vocabulary), list(vocabulary))


def count_terms(
    texts: Iterable[str],
    analyse: Analyse,
    vocabulary: Mapping[str, int] | None = None,
    n_jobs: int | None = None,
) -> Counts:
    """Count the terms of each text: all of them, or those of a given vocabulary."""
    if n_jobs in (None, 1):
        return _count(texts, analyse, vocabulary)
    from joblib import Parallel, cpu_count, delayed

    listed = [_checked(position, text) for position, text in enumerate(texts)]
    workers = n_jobs if n_jobs > 0 else max(1, cpu_count() + 1 + n_jobs)
    parts = [part.tolist() for part in np.array_split(np.array(listed, dtype=object), workers)]
    counted = Parallel(n_jobs=workers)(
        delayed(_count)(part, analyse, vocabulary) for part in parts if part
    )
    return _merged(counted) if counted else _count([], analyse, vocabulary)


def _count(texts: Iterable[str], analyse: Analyse, vocabulary: Mapping[str, int] | None) -> Counts:
    if vocabulary is None:
        growing: defaultdict[str, int] = defaultdict()
        growing.default_factory = growing.__len__
        known: Mapping[str, int] = growing
    else:
        known = vocabulary
    indices, values, ends = array("i"), array("i"), array("q", [0])
    total = len(texts) if isinstance(texts, Sized) else None
    for position, text in enumerate(track(texts, "counting words", total)):
        terms = analyse(_checked(position, text))
        if vocabulary is not None:
            terms = [term for term in terms if term in vocabulary]
        tally = Counter(map(known.__getitem__, terms))
        indices.extend(tally.keys())
        values.extend(tally.values())
        ends.append(len(indices))
    # other libraries take 32-bit index arrays only, so wider ones are for what needs them
    rows = np.array(ends, dtype=np.int32 if len(indices) <= np.iinfo(np.int32).max else np.int64)
    matrix = sp.csr_array(
        (np.frombuffer(values, np.int32), np.frombuffer(indices, np.int32), rows),
        shape=(len(ends) - 1, len(known)),
    )
    matrix.sort_indices()
    counts = Counts(matrix, list(known))
    return counts.renamed(str) if vocabulary is None else counts


def _checked(position: int, text: str) -> str:
    if not isinstance(text, str):
        kind = type(text).__name__
        raise InputError(f"text {position} is of type {kind}; every text must be a string")
    return text


def _renumbered(matrix: Any, terms: list[str], column: Mapping[str, int]) -> Any:
    """The matrix with each term moved to its column; those that meet are added up."""
    place = np.array([column[term] for term in terms], dtype=np.int32)
    shape = (matrix.shape[0], len(column))
    moved = sp.csr_array((matrix.data, place[matrix.indices], matrix.indptr), shape=shape)
    moved.sum_duplicates()
    return moved


def _merged(parts: list[Counts]) -> Counts:
    """One matrix over the union of the parts' vocabularies."""
    terms = sorted(set().union(*(part.terms for part in parts)))
    column = {term: place for place, term in enumerate(terms)}
    moved = [_renumbered(part.matrix, part.terms, column) for part in parts]
    return Counts(sp.vstack(moved, format="csr"), terms)
