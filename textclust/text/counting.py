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

    listed = list(texts)
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
        if not isinstance(text, str):
            kind = type(text).__name__
            raise InputError(f"text {position} is of type {kind}; every text must be a string")
        terms = analyse(text)
        if vocabulary is not None:
            terms = [term for term in terms if term in vocabulary]
        counts = Counter(map(known.__getitem__, terms))
        indices.extend(counts.keys())
        values.extend(counts.values())
        ends.append(len(indices))
    matrix = sp.csr_array(
        (np.frombuffer(values, np.int32), np.frombuffer(indices, np.int32), np.array(ends)),
        shape=(len(ends) - 1, len(known)),
    )
    terms = list(known)
    return Counts(*(_alphabetical(matrix, terms) if vocabulary is None else (matrix, terms)))


def _alphabetical(matrix: Any, terms: list[str]) -> tuple[Any, list[str]]:
    ordered = sorted(terms)
    return _renumbered(matrix, terms, {term: place for place, term in enumerate(ordered)}), ordered


def _renumbered(matrix: Any, terms: list[str], column: Mapping[str, int]) -> Any:
    """The matrix with each term moved to its column."""
    place = np.array([column[term] for term in terms], dtype=np.int32)
    shape = (matrix.shape[0], len(column))
    moved = sp.csr_array((matrix.data, place[matrix.indices], matrix.indptr), shape=shape)
    moved.sort_indices()
    return moved


def _merged(parts: list[Counts]) -> Counts:
    """One matrix over the union of the parts' vocabularies."""
    terms = sorted(set().union(*(part.terms for part in parts)))
    column = {term: place for place, term in enumerate(terms)}
    moved = [_renumbered(part.matrix, part.terms, column) for part in parts]
    return Counts(sp.vstack(moved, format="csr"), terms)
