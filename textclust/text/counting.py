"""From texts to the counts of their terms: natively where that can be, else text by text."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import partial
from itertools import pairwise

import numpy as np

from textclust import native
from textclust.errors import InputError
from textclust.progress import track
from textclust.text.analysis import Analyser
from textclust.text.native_counting import TermTable, count_natively
from textclust.text.term_counts import Part, TermCounts

__all__ = ["count_terms"]


def count_terms(
    texts: Iterable[str],
    analyse: Analyser,
    vocabulary: Mapping[str, int] | None = None,
    n_jobs: int | None = None,
) -> TermCounts:
    """Count the terms of each text: all of them, or those of a given vocabulary."""
    total = len(texts) if isinstance(texts, Sized) else None
    texts = _checked(track(texts, "counting words", total))
    if native.module("tokens") is not None and analyse.plain:
        return count_natively(texts, _table_maker(analyse, vocabulary), n_jobs)
    if n_jobs in (None, 1):
        return TermCounts.of([_count(texts, analyse, vocabulary)])
    return TermCounts.of(_count_in_processes(list(texts), analyse, vocabulary, n_jobs))


def _checked(texts: Iterable[str]) -> Iterator[str]:
    for position, text in enumerate(texts):
        if not isinstance(text, str):
            kind = type(text).__name__
            raise InputError(f"text {position} is of type {kind}; every text must be a string")
        yield text


def _table_maker(
    analyse: Analyser, vocabulary: Mapping[str, int] | None
) -> Callable[[], TermTable]:
    stops = [word for word in analyse.stop_words if isinstance(word, str)]
    known = None
    if vocabulary is not None:
        known = [term for term in vocabulary if term not in analyse.stop_words]
    return partial(native.module("tokens").TermTable, stops, known, analyse.lowercase)


def _count(
    texts: Iterable[str], analyse: Analyser, vocabulary: Mapping[str, int] | None
) -> tuple[Part, list[str]]:
    if vocabulary is None:
        growing: defaultdict[str, int] = defaultdict()
        growing.default_factory = growing.__len__
        known: Mapping[str, int] = growing
    else:
        known = vocabulary
    ends, terms, counts = array("q"), array("i"), array("i")
    for text in texts:
        found = analyse(text)
        if vocabulary is not None:
            found = [term for term in found if term in vocabulary]
        counted = Counter(map(known.__getitem__, found))
        terms.extend(counted.keys())
        counts.extend(counted.values())
        ends.append(len(terms))
    part = Part(
        np.array(ends, dtype=np.int64),
        np.array(terms, dtype=np.int32),
        np.array(counts, dtype=np.int32),
    )
    return part, list(known)


def _count_in_processes(
    texts: list[str], analyse: Analyser, vocabulary: Mapping[str, int] | None, n_jobs: int
) -> list[tuple[Part, list[str]]]:
    from joblib import Parallel, cpu_count, delayed

    workers = n_jobs if n_jobs > 0 else max(1, cpu_count() + 1 + n_jobs)
    bounds = np.linspace(0, len(texts), workers + 1).astype(int)
    shares = [texts[begin:end] for begin, end in pairwise(bounds)]
    count = delayed(_count)
    return Parallel(n_jobs=workers)(count(share, analyse, vocabulary) for share in shares if share)
