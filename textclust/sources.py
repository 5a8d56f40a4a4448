"""Supervision as it is given, by document id, and from there by row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from textclust.errors import InputError
from textclust.examples import Examples, ExamplesLike
from textclust.geometry.affine import Labels
from textclust.supervision.constraint_files import row_of_each
from textclust.supervision.given import Supervision, given_kinds
from textclust.text.catalogue import Catalogue
from textclust.text.decoding import encodable
from textclust.text.frames import id_of, index_of, is_missing, is_table, label_of, values_of
from textclust.text.reading import Reading
from textclust.text.word_lists import given_words
from textclust.writing import known_as, quoted

if TYPE_CHECKING:
    from textclust.knowledge import BackgroundLike
    from textclust.supervision.background.labelled import Background
    from textclust.supervision.constraints import Constraints
    from textclust.supervision.links import Link
    from textclust.supervision.seed_words import SeedWords
    from textclust.text.corpus import Corpus
    from textclust.text.termspace import TermSpace

__all__ = ["ConstraintsLike", "SeedWordsLike", "SeedsLike", "SupervisionSource"]

# A Series of labels by id, and a DataFrame of pairs, are taken too.
SeedsLike = str | os.PathLike[str] | Mapping[Any, object] | Any
SeedWordsLike = str | os.PathLike[str] | Mapping[str, Iterable[str]]
ConstraintsLike: TypeAlias = "str | os.PathLike[str] | Constraints | Any"


@dataclass(frozen=True)
class SupervisionSource:
    """All that was given beforehand, before the documents are known."""

    seeds: Mapping[str, str] | None = None  # the class of some documents by id
    constraints: Constraints | Sequence[Link[str]] | None = None
    background: Background | None = None
    examples: Examples | None = None
    seeds_from: str = "what is given"
    constraints_from: str = "what is given"
    seed_words: Mapping[str, Sequence[str]] | None = None  # words by class
    seed_words_from: str = "seed_words"

    @classmethod
    def read(
        cls,
        seeds: SeedsLike | None = None,
        constraints: ConstraintsLike | None = None,
        *,
        background: BackgroundLike | None = None,
        vectorizer: TermSpace | None = None,
        examples: ExamplesLike | None = None,
        source: object = None,
        seed_words: SeedWordsLike | None = None,
    ) -> Self:
        """Read what is a file; what is wrong with it shows before the documents are read.

        The documents of a background are counted as `vectorizer` does; folders of examples may be
        named as they are below `source`.
        """
        return cls(
            seeds=_seeds(seeds),
            constraints=_constraints(constraints),
            background=_background(background, vectorizer),
            examples=Examples.read(examples, source) if examples is not None else None,
            seeds_from=_where(seeds),
            constraints_from=_where(constraints),
            seed_words=None if seed_words is None else given_words(seed_words),
            seed_words_from=_where(seed_words, "seed_words"),
        )

    @property
    def links(self) -> Sequence[Link[str]]:
        """The links by id, where they were given so."""
        return self.constraints if isinstance(self.constraints, Sequence) else ()

    @property
    def named(self) -> set[str]:
        """The ids that seeds and links may name."""
        ends = {name for link in self.links for name in (link.left, link.right)}
        names = ends | set(self.seeds or ())
        return names | {quoted(name) for name in names}

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of supervision that were given."""
        return given_kinds(
            seeds=self.seeds,
            constraints=self.constraints,
            background=self.background,
            examples=self.examples,
            seed_words=self.seed_words,
        )

    @property
    def least_clusters(self) -> int:
        """How many clusters there are at least: one for each class of a background."""
        return 1 if self.background is None else len(self.background.classes)

    def joined(self, reading: Reading) -> Reading:
        """The documents of a collection, and those that examples add."""
        return reading if self.examples is None else self.examples.joined(reading)

    def resolve(
        self, documents: Catalogue, k: int | None = None, corpus: Corpus | None = None
    ) -> Supervision:
        """The same by row, for k clusters of documents, which are counted in `corpus`."""
        found = self.resolve_ids(row_of_each(documents.ids), len(documents), documents.ids, k)
        if self.examples is not None:
            rows = self.examples.rows(documents)
            found = replace(found, examples=rows, classes=tuple(self.examples.belongs))
        if corpus is None:
            return found
        if self.background is not None:
            found = replace(found, features=list(corpus.vectorizer.vocabulary_))
        return replace(found, seed_words=self._seed_words_by_row(found.classes, corpus))

    def resolve_ids(
        self, rows: Mapping[str, int], n: int, ids: Sequence[str], k: int | None = None
    ) -> Supervision:
        """Seeds and links by row, of n documents; `rows` has at least those that they name."""
        classes = tuple(
            sorted({*(self.seeds or {}).values(), *(self.seed_words or ())}, key=_in_order)
        )
        seeds = self._seeds_by_row(rows, n, classes)
        if k is not None and len(classes) > k:
            where = self.seed_words_from if self.seeds is None else self.seeds_from
            raise InputError(f"{where}: {len(classes)} classes for {k} clusters; use more clusters")
        return Supervision(
            seeds=seeds,
            constraints=self._constraints_by_row(rows),
            background=self.background,
            classes=classes,
            ids=ids,
        )

    def _seed_words_by_row(self, classes: tuple[str, ...], corpus: Corpus) -> SeedWords | None:
        if self.seed_words is None:
            return None
        from textclust.supervision.seed_words import SeedWords

        every = {word for words in self.seed_words.values() for word in words}
        return SeedWords.of(
            {h: self.seed_words[name] for h, name in enumerate(classes) if name in self.seed_words},
            {word: corpus.vectorizer.column_of(word) for word in every},
            corpus.X,
            dict(enumerate(classes)),
            self.seed_words_from,
        )

    def _seeds_by_row(
        self, rows: Mapping[str, int], n: int, classes: tuple[str, ...]
    ) -> Labels | None:
        if self.seeds is None:
            return None
        seeds = {known_as(name, rows): label for name, label in self.seeds.items()}
        unknown = [name for name in seeds if name not in rows]
        if unknown:
            more = f" ({len(unknown) - 1} more like it)" if len(unknown) > 1 else ""
            raise InputError(
                f"{self.seeds_from}: no document has the id {unknown[0][:80]!r}{more}; "
                "an id is a path below the folder, or what the id column says"
            )
        number = {name: h for h, name in enumerate(classes)}
        y = np.full(n, -1)
        for name, label in seeds.items():
            y[rows[name]] = number[label]
        return y

    def _constraints_by_row(self, rows: Mapping[str, int]) -> Constraints | None:
        if not isinstance(self.constraints, Sequence):
            return self.constraints
        from textclust.supervision.constraint_files import match_links, refuse_wrong
        from textclust.supervision.constraints import Constraints

        matched = match_links(self.constraints, rows)
        refuse_wrong(matched, self.constraints_from)
        return Constraints.from_links(matched.links)


def _seeds(given: SeedsLike | None) -> Mapping[str, str] | None:
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        from textclust.text.labels import read_labels

        return read_labels(given)
    index = index_of(given)
    if index is not None and not is_table(given):  # a Series, with gaps where nothing is known
        pairs = zip(values_of(index), values_of(given), strict=True)
        given = {id_of(name): label_of(label) for name, label in pairs if not is_missing(label)}
    if not isinstance(given, Mapping):
        raise InputError("seeds must be the path of a table, or a dict or Series of labels by id")
    unknown = [name for name, label in given.items() if label is None or label == -1]
    if unknown:
        raise InputError(f"seeds has no label for {unknown[0]!r}; leave it out")
    return {id_of(name): encodable(str(label)) for name, label in given.items()}


def _constraints(given: ConstraintsLike | None) -> Constraints | Sequence[Link[str]] | None:
    if given is None:
        return None
    if isinstance(given, str | os.PathLike):
        from textclust.supervision.constraint_files import read_links

        return read_links(given)
    if is_table(given):
        from textclust.supervision.constraint_files import frame_links

        return frame_links(given)
    from textclust.supervision.constraints import Constraints

    if not isinstance(given, Constraints):
        kind = type(given).__name__
        raise InputError(f"constraints must be a path or Constraints; got {kind}")
    return given


def _background(given: BackgroundLike | None, vectorizer: TermSpace | None) -> Background | None:
    if given is None:
        return None
    from textclust.knowledge import read_background

    return read_background(given, vectorizer)


def _in_order(label: str) -> tuple[bool, int, str]:
    """Whole numbers by size, before all other labels by the alphabet."""
    whole = label.isascii() and label.isdigit()
    return not whole, int(label) if whole else 0, label


def _where(given: object, otherwise: str = "what is given") -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else otherwise
