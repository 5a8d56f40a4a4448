"""Texts to a matrix in parts: read, cleaned and counted where they lie.

Each piece of the collection is counted by itself. How many documents have each term is added up on
the workers; what is kept of the terms is the vocabulary that all agree on, the same that one
machine finds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from distributed import Client, Future

from textclust.distributed.asking import added_up, ask
from textclust.distributed.documents import PieceDocuments
from textclust.distributed.matrix import PartitionedMatrix
from textclust.distributed.part import Part
from textclust.errors import InputError
from textclust.estimators.vectorizer import TextVectorizer
from textclust.text.reading import NothingToReadError
from textclust.text.splitting import Piece, ReadingSettings, split_source
from textclust.text.term_counts import CountMatrix
from textclust.text.termspace import CountedTexts, SurfaceForms, TermSpace

__all__ = ["PartitionedTexts", "vectorise"]


@dataclass(frozen=True, eq=False, repr=False)
class PartitionedTexts(PartitionedMatrix):
    """The weighted terms of documents, a piece of the collection in each part."""

    vectorizer: TermSpace = field(default_factory=TermSpace)
    documents: tuple[Future[Any], ...] = ()  # a `PieceDocuments` beside each part


class _Counted(NamedTuple):
    """A piece that was counted."""

    texts: CountedTexts
    documents: PieceDocuments


@dataclass(frozen=True)
class _Terms:
    """In how many of n texts each term is, and what stems stand for; those of pieces add up."""

    n: int
    frequencies: dict[str, int]
    surface_forms: SurfaceForms

    @classmethod
    def of(cls, counted: _Counted) -> _Terms:
        counts = counted.texts.counts
        frequencies = dict(zip(counts.vocabulary, counts.frequencies.tolist(), strict=True))
        return cls(counts.matrix.shape[0], frequencies, counted.texts.surface_forms)

    def __add__(self, other: _Terms) -> _Terms:
        frequencies, forms = Counter(self.frequencies), dict(self.surface_forms)
        frequencies.update(other.frequencies)
        for stem, word in other.surface_forms.items():
            forms[stem] = min(word, forms.get(stem, word), key=lambda each: (len(each), each))
        return _Terms(self.n + other.n, dict(frequencies), forms)


class _Kept(NamedTuple):
    """The terms that are kept of all, and how many are not."""

    n: int
    frequencies: dict[str, int]
    n_pruned: dict[str, int]
    surface_forms: SurfaceForms


def vectorise(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    client: Client,
    vectorizer: TermSpace | None = None,
    settings: ReadingSettings | None = None,
    pieces: Sequence[Piece] | None = None,
) -> PartitionedTexts:
    """The weighted terms of documents that the workers read; estimators take them as they are.

    Parameters
    ----------
    paths : one or more paths, or patterns such as ``"crawl/*.jsonl"``
        Folders, tables and archives as `read_documents` takes them, seen by all workers under the
        same names. A large .jsonl file is cut into pieces; every other file is read as a whole by
        one worker.
    client : distributed.Client
    vectorizer : TextVectorizer, TermSpace or None
        None is ``TextVectorizer()``. It is fitted, and is `vectorizer` of the result.
    settings : ReadingSettings or None
        How texts are cleaned, and what the columns of tables are called.
    pieces : what `split_source` makes of the paths, if they are to be cut otherwise

    Notes
    -----
    Each document is a row, in the order of the paths; the matrix is that of one machine to the last
    digit. Terms and their frequencies are agreed on with memory for the vocabulary, not for the
    documents. What a lost worker had read is read again.
    """
    space = TextVectorizer() if vectorizer is None else vectorizer
    space.prepare()
    plain = _without_threads(space)
    found = split_source(paths) if pieces is None else list(pieces)
    how = ReadingSettings() if settings is None else settings
    counted = [client.submit(_count, piece, plain, how, pure=False) for piece in found]
    _agree(client, counted, space)
    learned = client.submit(_itself, _without_threads(space), pure=False)
    parts = [client.submit(_rows, piece, learned, pure=False) for piece in counted]
    documents = [client.submit(_documents, piece, pure=False) for piece in counted]
    matrix = PartitionedMatrix.of_parts(client, parts)
    ask(client, _ready, documents)  # so that the counts are no longer needed
    return PartitionedTexts(client, matrix.parts, matrix.sizes, space, tuple(documents))


def _without_threads(space: TermSpace) -> TermSpace:
    """The same on one thread, with its stop words: a worker has other pieces, and other files."""
    from copy import copy

    alone = copy(space)
    alone.n_jobs, alone.stop_words = 1, space.plain_stop_words()
    return alone


def _agree(client: Client, counted: Sequence[Future[Any]], space: TermSpace) -> None:
    """Learn the terms to keep from what was counted."""
    terms = [client.submit(_Terms.of, piece, pure=False) for piece in counted]
    (kept,) = ask(client, _kept, added_up(client, terms), [(_without_threads(space),)])
    if kept.n == 0:
        raise InputError("there are no texts to learn a vocabulary from")
    space.learn(*kept)


def _count(piece: Piece, space: TermSpace, settings: ReadingSettings) -> _Counted:
    try:
        reading = piece.open(settings)
        texts = space.count(reading)
        catalogue = reading.catalogue()
        if len(catalogue) < texts.counts.matrix.shape[0]:  # of files that a later one replaced
            reading = reading.without_replaced()
            texts, catalogue = space.count(reading), reading.catalogue()
    except NothingToReadError:
        return _Counted(_no_texts(), PieceDocuments.none(piece.where))
    if catalogue.rows != list(range(len(catalogue))):
        texts = _in_order(texts, catalogue.rows)
    return _Counted(texts, PieceDocuments.of(catalogue))


def _no_texts() -> CountedTexts:
    empty = CountMatrix(sp.csr_array((0, 0), dtype=np.int32), {}, np.zeros(0, dtype=np.int64))
    return CountedTexts(empty, {})


def _in_order(texts: CountedTexts, rows: list[int]) -> CountedTexts:
    counts = texts.counts
    matrix = sp.csr_array(counts.matrix[rows])
    return CountedTexts(
        CountMatrix(matrix, counts.vocabulary, counts.frequencies), texts.surface_forms
    )


def _kept(terms: _Terms, space: TermSpace) -> _Kept:
    """The terms that one machine keeps, by the alphabet, or those of a given vocabulary."""
    fixed = space.fixed_vocabulary()
    if fixed is not None:
        found = {term: terms.frequencies.get(term, 0) for term in fixed}
        return _Kept(terms.n, found, {}, terms.surface_forms)
    names = list(terms.frequencies)
    frequencies = np.fromiter(terms.frequencies.values(), np.int64, len(names))
    kept, pruned = space.chooser(terms.n)(frequencies, lambda some: [names[i] for i in some])
    chosen = sorted(names[i] for i in kept)
    found = {term: terms.frequencies[term] for term in chosen}
    return _Kept(terms.n, found, pruned, terms.surface_forms)


def _itself(space: TermSpace) -> TermSpace:
    return space


def _rows(counted: _Counted, space: TermSpace) -> Part:
    return Part(space.weighted(counted.texts))


def _documents(counted: _Counted) -> PieceDocuments:
    return counted.documents


def _ready(documents: PieceDocuments) -> int:
    return len(documents)
