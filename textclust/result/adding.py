"""New documents in the clusters that were found, whose own documents stay where they are.

The documents of a batch are placed by the clusters as these were before it, in whatever order they
come. Then each cluster moves to the best place for all the documents that it was ever given
(`RunningClusters`, as `partial_fit` does), so that the next batch is placed by what it is by now.
What fits nowhere, where that is set apart, moves no cluster.

Weights of terms stay as they were, or the documents would no longer lie where they were clustered;
terms that are new get theirs as they enter the vocabulary.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from textclust.engine.online import RunningClusters
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix, Moments, as_table
from textclust.geometry.capabilities import innermost, is_among_terms, mismatch, widened
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean
from textclust.result.additions import Additions
from textclust.result.cards import as_rows, cards_of
from textclust.result.placement import Placement, Space, checked_vectors, place
from textclust.result.tree import Outline
from textclust.supervision.background.labelled import Background
from textclust.supervision.background.novelty import Fit as ClassFit
from textclust.text.catalogue import Catalogue, digest_of
from textclust.text.cleaning import Cleaning
from textclust.text.documents import Documents
from textclust.text.frames import Keys
from textclust.text.given import SourceLike, reading_of_source
from textclust.text.growth import WaitingTerms
from textclust.text.reading import Reading, open_documents
from textclust.text.termspace import CountedTexts

if TYPE_CHECKING:
    from textclust.result.clustering import Clustering

__all__ = ["Added", "add_documents"]

_SHOWN = 3  # ids in a message
_CLOSE = 1e-6  # of the largest number in a table


@dataclass(frozen=True)
class Added:
    """A clustering with documents added, and the ids of those that it had already."""

    clustering: Clustering
    rows: range  # of the new documents
    already: tuple[str, ...]

    @property
    def fits(self) -> Array:
        """Whether each new document fits anywhere."""
        found = self.clustering
        if found.additions is None or not self.rows:
            return np.zeros(0, dtype=bool)
        return np.asarray(found.additions.excess[-len(self.rows) :] >= found.fit.least)


def add_documents(
    clustering: Clustering,
    source: SourceLike,
    vectors: ArrayLike | None = None,
    columns: Mapping[str, str] | None = None,
) -> Added:
    """The same clustering with more documents."""
    _refuse_what_cannot_grow(clustering)
    read = Documents.from_reading(_reading(clustering, source, columns or {}))
    catalogue = read.reading().catalogue()
    new, already = _new_rows(clustering, catalogue)
    n = len(clustering.cards)
    if not new:
        return Added(clustering, range(n, n), already)
    table = None if vectors is None else _rows_of(checked_vectors(vectors), len(read), new)
    batch = _Batch.of(clustering, read.select(new), table)
    return Added(batch.joined(), range(n, n + len(new)), already)


def _refuse_what_cannot_grow(clustering: Clustering) -> None:
    reason = None
    if clustering.whole is not None:
        reason = "it keeps only some of its documents, as those clustered on several machines do"
    elif clustering.memberships is not None:
        reason = "its documents are in several clusters, and only its method can say in which"
    elif clustering.settings.get("groups"):
        reason = "its documents were clustered in groups, which new ones would change"
    if reason is not None:
        raise InputError(
            f"no documents can be added to this clustering: {reason}; place them with predict, or "
            "cluster them with previous="
        )


def _reading(clustering: Clustering, source: SourceLike, columns: Mapping[str, str]) -> Reading:
    """The documents, cleaned as those of the clustering were."""
    used = clustering.settings.get("collection", {}).get("cleaning")
    if used is None or not isinstance(source, str | os.PathLike):
        return reading_of_source(source, columns)
    named = {f"{name}_column": column for name, column in columns.items()}
    return open_documents(source, cleaning=Cleaning(**used), **named)  # type: ignore[arg-type]


def _new_rows(clustering: Clustering, catalogue: Catalogue) -> tuple[list[int], tuple[str, ...]]:
    """The documents that are not there yet, and the ids of those that are, with the same text."""
    row_of = {card.id: row for row, card in enumerate(clustering.cards)}
    new, already, other = list[int](), list[str](), list[str]()
    for i, (name, digest) in enumerate(zip(catalogue.ids, catalogue.digests, strict=True)):
        row = row_of.get(name)
        if row is None:
            new.append(i)
        elif clustering.digests is not None and clustering.digests[row].tobytes() == digest:
            already.append(name)
        else:
            other.append(name)
    if other:
        more = f" and {len(other) - _SHOWN:,} more" if len(other) > _SHOWN else ""
        listed = ", ".join(repr(name[:80]) for name in other[:_SHOWN])
        what = "with another text" if clustering.digests is not None else "of an earlier version"
        raise InputError(
            f"{listed}{more}: a document of this id is there already, {what}; give ids that differ"
        )
    return new, tuple(already)


def _rows_of(vectors: Array, n: int, rows: Sequence[int]) -> Array:
    if len(vectors) != n:
        raise InputError(f"{len(vectors)} vectors for {n} documents; give one for each, in order")
    return np.asarray(vectors[list(rows)])


@dataclass(frozen=True, eq=False)
class _Batch:
    """New documents beside a clustering that has all the terms they bring."""

    clustering: Clustering
    documents: Documents
    X: sp.csr_array  # their terms
    known: Array  # the share of the terms of each that are in the vocabulary
    rows: Matrix  # what is placed
    waiting: WaitingTerms
    running: RunningClusters | None

    @classmethod
    def of(cls, clustering: Clustering, documents: Documents, vectors: Array | None) -> _Batch:
        clustering = _with_a_table(clustering)
        running = _running(clustering)
        counted = clustering.vectorizer.count(documents.texts)
        clustering, waiting, running = _grown(_begun(clustering), counted, running)
        X, known = clustering.vectorizer.weighted_with_shares(counted)
        rows = _placed_rows(clustering, documents.texts, X, vectors)
        return cls(clustering, documents, X, known, rows, waiting, running)

    def joined(self) -> Clustering:
        """The clustering with these documents."""
        old, catalogue = self.clustering, self.documents.reading().catalogue()
        assert old.additions is not None
        placed, (excess, unknown) = place(self.rows, old.space), self._fits()
        nowhere = None if old.outliers is None else excess < old.fit.least
        inside = slice(None) if nowhere is None else ~nowhere
        space, moments = old.space, None
        if self.running is not None:
            moments = self.running.joined_by(self.rows[inside], placed.labels[inside]).moments
            space = replace(space, prototypes=space.distortion.prototypes(*moments))
        cards = [*old.cards, *cards_of(catalogue)]
        return replace(
            old,
            cards=cards,
            placement=_joined(old.placement, placed),
            space=space,
            texts=sp.csr_array(sp.vstack([old.texts, self.X], format="csr")),
            settings=_settings(old, catalogue, self.X),
            outcome=self._outcome([card.id for card in cards]),
            beside=self._beside(),
            known=np.concatenate([_known(old), self.known]),
            outliers=None if nowhere is None else np.concatenate([old.outliers, nowhere]),
            keys=_keys(old, catalogue),
            digests=_digests(old, catalogue),
            additions=old.additions.with_batch(self.waiting, excess, unknown, moments),
            known_fit=old.fit,
            stability=old.stability and old.stability.followed_by(len(catalogue)),
        )

    def _fits(self) -> tuple[Array, Array]:
        """How much better each document fits than it has to, and its share of unknown terms.

        Both by the terms that the clusters were made from.
        """
        old = self.clustering
        assert old.additions is not None
        X = _first_columns(self.X, old.additions.terms)
        known = self.known * np.diff(X.indptr) / np.maximum(np.diff(self.X.indptr), 1)
        seen = (self.rows, np.ones(len(known))) if old.of_vectors else (X, known)
        values = old.fit.values(*seen)
        return np.where(values > 0, old.fit.excess(values, *seen), -np.inf), 1.0 - known

    def _outcome(self, ids: list[str]) -> Any:
        old = self.clustering.outcome
        if old.background is None:
            return replace(old, ids=ids)
        background = _as_background(self.clustering)
        fit = ClassFit(background, background.X)
        novelty = fit.novelty(fit.similarities(self.X))
        every = np.concatenate([old.background.novelty, novelty])
        return replace(old, ids=ids, background=replace(old.background, novelty=every))

    def _beside(self) -> Any:
        beside = self.clustering.beside
        if beside is None or beside.said is None:
            return beside
        space = self.clustering.space
        said = beside.says(space.distortion.prepare(self.rows), space)
        return replace(beside, said=np.concatenate([beside.said, said]))


def _with_a_table(clustering: Clustering) -> Clustering:
    """The same with prototypes that can be moved: those of many clusters may be sparse."""
    space = clustering.space
    if not sp.issparse(space.prototypes):
        return clustering
    return replace(clustering, space=replace(space, prototypes=as_table(space.prototypes)))


def _begun(clustering: Clustering) -> Clustering:
    """A clustering that documents may be added to."""
    if clustering.additions is not None:
        return clustering
    tree = clustering.levels
    begun = Additions(
        fitted=len(clustering.cards),
        terms=clustering.texts.shape[1],
        names=clustering.names_by_terms,
        outline=None if tree is None else Outline.of(tree),
    )
    return replace(clustering, additions=begun, known_fit=clustering.fit)


def _running(clustering: Clustering) -> RunningClusters | None:
    """The clusters with the sums of their documents; None where these are not what they are.

    Vectors are not kept: of unit vectors, whose sum is as long as the prototype is near to all of
    them, the costs say the length of the sum.
    """
    space, labels = clustering.space, clustering.placement.labels
    k, distortion = len(space.prototypes), space.distortion
    if clustering.additions is not None:
        moments = clustering.additions.moments
        return None if moments is None else RunningClusters(distortion, moments)
    if clustering.of_vectors or clustering.beside is not None:
        masses = np.bincount(labels, minlength=k).astype(np.float64)
        if isinstance(distortion, Cosine):
            lengths = masses - np.bincount(labels, clustering.placement.costs, k)
        elif isinstance(distortion, Euclidean):
            lengths = masses
        else:
            return None
        return RunningClusters(distortion, Moments(space.prototypes * lengths[:, None], masses))
    texts, each = clustering.texts, np.ones(len(labels))
    found = RunningClusters.of(texts, each, labels, distortion, space.prototypes)
    off = np.abs(found.prototypes - space.prototypes).max(initial=0.0)
    return found if off <= _CLOSE * np.abs(space.prototypes).max() else None


def _grown(
    clustering: Clustering, counted: CountedTexts, running: RunningClusters | None
) -> tuple[Clustering, WaitingTerms, RunningClusters | None]:
    """With the terms of new documents that enter the vocabulary, and those that wait."""
    space, fitted = clustering.vectorizer, clustering.n_fitted
    assert clustering.additions is not None
    waiting = clustering.additions.waiting
    if space.vocabulary is not None:
        return clustering, waiting, running
    waiting = waiting.counted(space, counted)
    entering = waiting.entering(space, fitted)
    if not entering or not _may_grow(clustering, running, len(entering)):
        return clustering, waiting, running
    texts, more = clustering.texts, len(entering)
    wide = sp.csr_array(
        (texts.data, texts.indices, texts.indptr), shape=(texts.shape[0], texts.shape[1] + more)
    )
    every = space.with_terms(fitted + waiting.texts, entering, counted.surface_forms)
    grown = replace(clustering, texts=wide, vectorizer=every)
    if clustering.of_vectors:
        return grown, waiting.without(entering), running
    assert running is not None
    distortion = widened(clustering.space.distortion, more)
    sums = np.pad(running.moments.sums, ((0, 0), (0, more)))
    running = RunningClusters(distortion, Moments(sums, running.moments.masses))
    place_of = Space(distortion, running.prototypes, clustering.space.scale)
    grown = replace(grown, space=place_of, known_fit=clustering.fit.widened(more))
    return grown, waiting.without(entering), running


def _may_grow(clustering: Clustering, running: RunningClusters | None, more: int) -> bool:
    """Whether clusters can lie among more terms: not where the distortion learned what each says.

    Nor where vectors are in the columns after the terms.
    """
    if clustering.of_vectors:
        return True
    if running is None or clustering.beside is not None:
        return False
    distortion, (k, d) = widened(running.distortion, more), clustering.space.prototypes.shape
    as_wide = running.moments.sums.shape[1] == d and is_among_terms(innermost(distortion))
    return as_wide and mismatch(distortion, k, d + more) is None


def _placed_rows(
    clustering: Clustering, texts: Sequence[str], X: Matrix, vectors: Array | None
) -> Matrix:
    """New documents as the clusters see them."""
    if clustering.of_vectors:
        if vectors is None:
            raise InputError(
                "these clusters were made from vectors: give vectors= of the texts too"
            )
        if vectors.shape[1] != clustering.space.features:
            raise InputError(
                f"vectors must have {clustering.space.features} columns; got {vectors.shape[1]}"
            )
        return vectors
    if clustering.beside is not None:
        return clustering.beside.rows(X, texts, vectors)
    if vectors is not None:
        raise InputError("these clusters were made from texts alone; leave the vectors out")
    return X


def _first_columns(X: Matrix, count: int) -> Matrix:
    """Rows without what is in later columns; these are there."""
    kept = X.indices < count
    ends = np.concatenate([[0], np.cumsum(kept)])[X.indptr]
    return sp.csr_array((X.data[kept], X.indices[kept], ends), shape=X.shape)


def _as_background(clustering: Clustering) -> Background:
    """The documents that the clusters were made from, each cluster a class."""
    n = clustering.n_fitted
    labels = clustering.labels[:n]
    placed: Labels = np.flatnonzero(labels >= 0)
    return Background(clustering.texts[placed], labels[placed])


def _joined(old: Placement, new: Placement) -> Placement:
    columns = ("labels", "scores", "costs")
    return Placement(
        *(np.concatenate([getattr(each, name) for each in (old, new)]) for name in columns)
    )


def _known(clustering: Clustering) -> Array:
    return np.ones(len(clustering.cards)) if clustering.known is None else clustering.known


def _keys(clustering: Clustering, catalogue: Catalogue) -> Keys | None:
    """What the documents are called where they come from."""
    old, new = clustering.keys, catalogue.keys
    if old is None and new is None:
        return None
    ids = [*clustering.ids, *(catalogue.ids if new is None else new.ids)]
    if old is None or new is None or old.index is None or new.index is None:
        return Keys(ids)
    return Keys(ids, old.index.append(new.index))


def _digests(clustering: Clustering, catalogue: Catalogue) -> Array | None:
    old = clustering.digests
    return None if old is None else np.concatenate([old, as_rows(catalogue.digests)])


def _settings(clustering: Clustering, catalogue: Catalogue, X: Matrix) -> dict[str, Any]:
    """The settings of the run, of all documents by now."""
    before, digests = clustering.settings.get("collection", {}), _digests(clustering, catalogue)
    ids = [*(card.id for card in clustering.cards), *catalogue.ids]
    empty = int((np.diff(X.indptr) == 0).sum())
    collection = {
        **before,
        "documents": len(ids),
        "terms": X.shape[1],
        "without_terms": before.get("without_terms", 0) + empty,
        "skipped": before.get("skipped", 0) + len(catalogue.skipped),
    }
    if digests is not None:
        collection["sha256"] = digest_of(ids, (digest.tobytes() for digest in digests))
    return {**clustering.settings, "collection": collection}
