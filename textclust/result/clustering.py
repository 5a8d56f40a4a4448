"""The answer: what the clusters are about, which documents stand for them, and why.

A `Clustering` is the only thing that reports, model files and the command line read.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from textclust.display import Displayed, Sheet
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.capabilities import importance, is_among_terms
from textclust.geometry.cosine import Cosine
from textclust.result import tables
from textclust.result.additions import Additions
from textclust.result.beside import VectorsBeside
from textclust.result.cards import Card, Whole, group_sizes
from textclust.result.changes import Changes
from textclust.result.drawn import Drawn
from textclust.result.explaining import explain_document, explain_new
from textclust.result.explanation import Explanation
from textclust.result.extending import Extending
from textclust.result.fit import Fit, fit_of
from textclust.result.identities import Identities
from textclust.result.lookup import Lookup
from textclust.result.naming import Naming
from textclust.result.outcome import SupervisionOutcome
from textclust.result.placement import (
    FITS_NOWHERE,
    NOWHERE,
    Placement,
    Prediction,
    Space,
    outside,
)
from textclust.result.prediction import as_read, fits_somewhere, predicted
from textclust.result.renaming import with_names
from textclust.result.stability import Stability
from textclust.result.terms import KINDS, Term, TermWeights, weigh_terms
from textclust.result.tree import LEVELS, Tree, tree_of
from textclust.result.wording import Wording
from textclust.stopping import Stopped
from textclust.text.catalogue import if_any, moment
from textclust.text.dates import utc
from textclust.text.frames import Keys

if TYPE_CHECKING:
    from textclust.text.termspace import TermSpace

__all__ = ["Card", "Clustering", "Whole"]

_LEADING = 20  # terms kept ready for each cluster
_NEW = " (new)"  # of a name, beside a background or an earlier run


@dataclass(frozen=True, repr=False)
class Clustering(Displayed, Drawn, Extending):
    """Documents in named clusters. Made by `textclust.cluster` or `textclust.load`."""

    cards: list[Card]
    placement: Placement
    space: Space
    vectorizer: TermSpace
    texts: Matrix  # the weighted terms of the documents
    objective: float
    settings: dict[str, Any]  # everything needed to repeat the run
    of_vectors: bool = False  # True where the clusters lie in ready-made vectors, not in terms
    outcome: SupervisionOutcome = field(default_factory=SupervisionOutcome)
    memberships: Array | None = None  # n x k, where documents may be in several clusters
    whole: Whole | None = None  # where the documents here are only some of all
    stopped: Stopped | None = None  # where the search was ended early
    beside: VectorsBeside | None = None  # where dense vectors count beside the terms
    known: Array | None = None  # the share of each document's different terms that are among ours
    vectors: Array | None = None  # of the documents that others are compared with, where of_vectors
    outliers: Array | None = None  # which documents fit nowhere, where they were looked for
    known_fit: Fit | None = field(default=None, repr=False)  # where it was worked out already
    keys: Keys | None = None  # what the documents were called where they came from
    identities: Identities | None = None  # where it goes on from an earlier run
    changes: Changes | None = None  # from that run
    stability: Stability | None = None  # where it was asked for
    digests: Array | None = None  # n x 32 bytes: the SHA-256 of each text
    additions: Additions | None = None  # where documents were added

    @property
    def n_documents(self) -> int:
        """How many documents were clustered, with those that fit nowhere."""
        return sum(self.sizes) + self.n_outliers

    @property
    def n_outliers(self) -> int:
        """How many documents fit nowhere; 0 where they were not looked for."""
        return 0 if self.outliers is None else int(self.outliers.sum())

    @property
    def k(self) -> int:
        """The number of clusters."""
        return self.space.prototypes.shape[0]

    @cached_property
    def ids(self) -> list[Any]:
        """The documents' ids, as they were given: texts, or the values of an index."""
        return [card.id for card in self.cards] if self.keys is None else list(self.keys.ids)

    @cached_property
    def dates(self) -> list[datetime | None] | None:
        """The date of each document; None where no document has one."""
        return if_any([moment(card.date) for card in self.cards])

    @cached_property
    def moments(self) -> Array | None:
        """The same as an array of numpy, in UTC."""
        return None if self.dates is None else utc(self.dates)

    @property
    def labels(self) -> Labels:
        """The cluster of each document, -1 for one that fits nowhere."""
        return self._without_outliers.labels

    @property
    def scores(self) -> Array:
        """How firmly each document sits in its cluster, from 0 to 1; 0 where it fits nowhere."""
        return self._without_outliers.scores

    @cached_property
    def _without_outliers(self) -> Placement:
        return self.placement if self.outliers is None else outside(self.placement, self.outliers)

    @cached_property
    def sizes(self) -> list[int]:
        """How many documents each cluster has."""
        if self.whole is not None:
            return list(self.whole.sizes)
        _, labels = self._in_clusters
        return [int(size) for size in np.bincount(labels, minlength=self.k)]

    @cached_property
    def group_sizes(self) -> list[float] | None:
        """How many groups of documents each cluster has, a document as its share; None without."""
        return None if self.whole is not None else group_sizes(self.cards, self.labels, self.k)

    @cached_property
    def names(self) -> list[str]:
        """A name for each cluster: its class, or words that say what it is and others are not."""
        if self.whole is not None:
            return list(self.whole.names)
        new = "" if self.outcome.background is None else _NEW
        pairs = zip(self.known_names, self.names_by_terms, strict=True)
        return [known or name + new for known, name in pairs]

    def name_of(self, label: int) -> str:
        """The name of the cluster of this label; -1 is that of what fits nowhere."""
        return FITS_NOWHERE if label == NOWHERE else self.names[self._checked(label)]

    @cached_property
    def naming(self) -> Naming:
        """What names are made from; it names groups of clusters too."""
        inside = zip(self.cards, self.labels.tolist(), strict=True)
        excerpts = [card.excerpt for card, label in inside if label >= 0]
        wording = Wording.of(excerpts, self.labels[self.labels >= 0], self.k)
        return Naming(self._weights.evidence, self._vocabulary, wording)

    @property
    def lasting_names(self) -> list[str]:
        """The names without the mark of what was new in this run."""
        if self.outcome.background is None:
            return self.names
        pairs = zip(self.names, self.known_names, strict=True)
        return [name.removesuffix(_NEW) if known is None else name for name, known in pairs]

    @property
    def identity(self) -> Identities:
        """The number that each cluster keeps from run to run: 1 to k in a first run."""
        return self.identities or Identities.first(self.k)

    def renamed(self, names: Mapping[int, str]) -> Clustering:
        """The same with names that a person gives to clusters, by their numbers.

        They go before names of any other origin, here and in runs that go on from this one.

        Examples
        --------
        >>> import textclust as tc
        >>> r = tc.cluster(tc.corpora.path("newsgroups"), k=3)
        >>> r.renamed({0: "The night sky"}).names[0]
        'The night sky'
        """
        return with_names(self, {self._checked(h): name for h, name in names.items()})

    @property
    def in_several(self) -> int | None:
        """How many documents are in several clusters; None where none can be."""
        if self.memberships is None or self.memberships.dtype != bool:
            return None
        return int((self.memberships.sum(axis=1) > 1).sum())

    @cached_property
    def known_names(self) -> list[str | None]:
        """The name of each cluster that was known beforehand; None where it is new."""
        if self.identities is not None:
            return list(self.identities.names)
        return self.outcome.names(self.k)

    def terms(self, h: int, n: int = 10, kind: str = "descriptive") -> list[str]:
        """The leading terms of cluster h; kind is "descriptive" or "discriminating"."""
        return [term.term for term in self.weighted_terms(h, n, kind)]

    def weighted_terms(self, h: int, n: int = 10, kind: str = "descriptive") -> list[Term]:
        """The leading terms of cluster h with their weights."""
        if kind not in KINDS:
            raise InputError(f"kind must be 'descriptive' or 'discriminating'; got {kind!r}")
        leading = self._leading[kind][self._checked(h)]
        if n <= _LEADING:
            return leading[:n]
        return self._weights.leading(kind, h, self._vocabulary, n)

    def learned_terms(self, n: int = 5) -> tuple[list[Term], list[Term]]:
        """The terms that weigh most and those that weigh least, where weights were learned."""
        weights = importance(self.space.distortion) if self._by_terms_alone else None
        if weights is None:
            return [], []
        order = np.argsort(-weights, kind="stable")
        listed = [Term(self._vocabulary[t], float(weights[t])) for t in (*order[:n], *order[-n:])]
        return listed[:n], listed[: -n - 1 : -1]

    def representatives(self, h: int, n: int = 3) -> list[Any]:
        """The ids of the documents nearest to the prototype of cluster h, as they were given.

        `nearest_rows` has their row numbers.
        """
        return [self.ids[row] for row in self.nearest_rows(h, n)]

    def borderline(self, h: int, n: int = 3) -> list[Any]:
        """The ids of the documents of cluster h that are nearest to another cluster."""
        return [self.ids[row] for row in self.borderline_rows(h, n)]

    def nearest_rows(self, h: int, n: int = 3) -> list[int]:
        """The row numbers of the representatives of cluster h."""
        return self._first(h, self.placement.costs, n)

    def borderline_rows(self, h: int, n: int = 3) -> list[int]:
        """The row numbers of the borderline documents of cluster h."""
        return self._first(h, self.scores, n)

    def explain(self, document: object = None, *, row: int | None = None) -> Explanation:
        """Why a document, given by id or by row number, is in its cluster.

        An id is as it was given, such as a value of the index of a Series. Where no id is a
        number, as with the paths of files, a number is that of a row too, from 0; ``row=`` is
        always that.
        """
        number = self._lookup.row(document, row)
        why = explain_document(self, number, self._vocabulary)
        pushes, seed = self.outcome.pushes(number, self.labels), self.outcome.class_of(number)
        fits = self.outliers is None or not self.outliers[number]
        return replace(why, pushes=pushes, seed=seed, row=number, fits=fits)

    def explain_text(self, text: str, name: str = "the text") -> Explanation:
        """Where a new text would go, and why."""
        (text,) = as_read(self, [text])
        why = explain_new(self, text, name, self._vocabulary)
        return replace(why, fits=self.outliers is None or fits_somewhere(self, text))

    def predict(
        self, texts: Iterable[str] | None = None, vectors: ArrayLike | None = None
    ) -> Prediction:
        """Place new texts, or new vectors where the clustering was made from vectors.

        Both where vectors were given beside the texts; an embedding model is asked for them.
        Whether each `fits` is worked out by its terms when it is asked for. Where the clustering
        has its outliers set apart, what fits nowhere gets the label -1.
        """
        return predicted(self, texts, vectors)

    @cached_property
    def fit(self) -> Fit:
        """What says whether a document fits anywhere."""
        return self.known_fit or fit_of(self)

    def agreement(self) -> dict[str, float] | None:
        """NMI and pairwise F1 with the classes the documents came with, if all had one.

        Computed on the `documents` that no seed, link or example mentions; None where these
        are fewer than two, or all of one class. Those that fit nowhere count as one more cluster.
        """
        return self._agreement and dict(self._agreement)

    def tree(self, levels: int | None = None) -> Tree:
        """The clusters in groups, on so many levels, the last of which are the clusters.

        None is as many as `textclust.cluster` was asked for, or 3; there are fewer where there
        are few clusters.
        """
        wanted = levels if levels is not None else self.settings.get("levels") or LEVELS
        namer = partial(self.naming.names, taken=self.names)
        return tree_of(self.space.prototypes, self.sizes, self.names, wanted, namer)

    # DataFrames, each made in `textclust.result.tables`.
    info, to_frame, terms_frame, over_time = (
        tables.info,
        tables.to_frame,
        tables.terms_frame,
        tables.over_time,
    )

    def to_dict(self, terms: int = 10, documents: int = 5) -> dict[str, object]:
        """The content of clusters.json."""
        from textclust.result.summary import summary

        return summary(self, terms, documents)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the model to a folder, whole or not at all; only a model may be replaced there."""
        from textclust.result.model import save_model

        return save_model(self, path)

    def report(self, path: str | os.PathLike[str], *, texts: bool = True) -> Path:
        """Write one offline HTML page; `texts=False` leaves the documents' words out.

        Only a page that textclust wrote may be replaced.
        """
        from textclust.report import write_report

        return write_report(self, path, texts=texts)

    def _sheet(self) -> Sheet:
        from textclust.result.summary import sheet

        return sheet(self)

    @cached_property
    def _agreement(self) -> dict[str, float] | None:
        from textclust.result.agreement import agreement

        return agreement(self)

    @cached_property
    def _weights(self) -> TermWeights:
        if self.whole is not None and self.whole.weights is not None:
            return self.whole.weights
        return weigh_terms(*self._in_clusters, self.k)

    @property
    def _in_clusters(self) -> tuple[Matrix, Labels]:
        """The texts that are in some cluster, and in which."""
        if self.outliers is None:
            return self.texts, self.labels
        return self.texts[~self.outliers], self.labels[~self.outliers]

    @cached_property
    def _leading(self) -> dict[str, list[list[Term]]]:
        leading = partial(self._weights.leading, vocabulary=self._vocabulary, n=_LEADING)
        return {kind: [leading(kind, h) for h in range(self.k)] for kind in KINDS}

    @cached_property
    def _vocabulary(self) -> list[str]:
        return self.vectorizer.readable_terms()

    @cached_property
    def text_space(self) -> Space:
        """The clusters among the terms; where they lie elsewhere, the centroids of their texts."""
        if self._by_terms_alone and is_among_terms(self.space.distortion):
            return self.space
        return Space.of_centroids(*self._in_clusters, self.k, Cosine())

    @property
    def _by_terms_alone(self) -> bool:
        return not self.of_vectors and self.beside is None

    def _first(self, h: int, key: Array, n: int) -> list[int]:
        members = self._with_terms[self._checked(h)]
        return [int(row) for row in members[np.argsort(key[members], kind="stable")[:n]]]

    @cached_property
    def _with_terms(self) -> list[Labels]:
        """The rows of each cluster that have any term."""
        rows = np.flatnonzero((np.diff(self.texts.indptr) > 0) & (self.labels >= 0))
        labels = self.labels[rows]
        order = np.argsort(labels, kind="stable")
        return np.split(rows[order], np.searchsorted(labels[order], range(1, self.k)))

    def _checked(self, h: int) -> int:
        if not 0 <= h < self.k:
            raise InputError(f"there is no cluster {h}; clusters are 0 to {self.k - 1}")
        return h

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self.cards, self.keys)
