"""Where documents are among the clusters, as the workers that have them find out.

What comes back does not grow with the documents: how many are in each cluster, which terms they
have, and a few documents that stand for it. Their labels are written where they lie.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from textclust.distributed.asking import ask
from textclust.distributed.documents import PieceDocuments
from textclust.distributed.part import Part
from textclust.distributed.sent import OnWorkers
from textclust.distributed.vectorising import PartitionedTexts
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.grid import exact_grid, exact_sums, row_sizes
from textclust.result.placement import Placement, Space, place
from textclust.result.telling import TermEvidence
from textclust.result.terms import TermWeights
from textclust.writing import LABELS, csv_text, write_whole

__all__ = ["Kept", "Target", "kept_documents", "terms_of_clusters", "write_labels"]

_EACH = 10  # documents kept of each cluster: those that are nearest, and those on its border
_SUMS = 8  # at most of those that come here to be added up


class Kept(NamedTuple):
    """Some documents of a collection: their rows among all, and where they are."""

    rows: Labels
    placement: Placement

    def __add__(self, other: object) -> Kept:
        """The documents of both that stand for their cluster most."""
        assert isinstance(other, Kept)
        rows = np.concatenate([self.rows, other.rows])
        pairs = zip(self.columns, other.columns, strict=True)
        both = Placement(*(np.concatenate(pair) for pair in pairs))
        return Kept(rows, both).best()

    @property
    def columns(self) -> tuple[Array, ...]:
        """Labels, scores and costs."""
        return self.placement.labels, self.placement.scores, self.placement.costs

    def of(self, places: Labels) -> Kept:
        """Some of them."""
        return Kept(self.rows[places], Placement(*(c[places] for c in self.columns)))

    def best(self) -> Kept:
        """Of each cluster the documents nearest to its prototype, and those nearest to another."""
        labels, scores, costs = self.columns
        chosen = [_first_of_each(labels, key, self.rows) for key in (costs, scores)]
        return self.of(np.unique(np.concatenate(chosen)))


def _first_of_each(labels: Labels, key: Array, rows: Labels) -> Labels:
    """The places of the documents of each cluster with the smallest keys."""
    order = np.lexsort((rows, key, labels))
    ordered = labels[order]
    begins = np.searchsorted(ordered, ordered)
    return np.asarray(order[np.arange(len(order)) - begins < _EACH])


@dataclass(frozen=True)
class Target:
    """Names of clusters, and the folder for tables with them, as `csv_text` writes tables."""

    names: tuple[str, ...]
    folder: str
    keep_formulas: bool


@dataclass(frozen=True)
class _Asked:
    """What every worker needs to place its documents, and to write their labels."""

    space: Space
    target: Target | None = None


def kept_documents(texts: PartitionedTexts, space: Space, labels: Labels | None) -> Kept:
    """A few documents of each cluster, in the clusters named for them or the nearest."""
    asked = OnWorkers(lambda: _Asked(space))
    firsts = map(int, texts.offsets[:-1])
    given = list(zip(firsts, _shares(texts, labels), strict=True))
    found: Kept = reduce(add, ask(texts.client, _best, texts.parts, given, asked, most=_SUMS))
    return found.of(np.argsort(found.rows))  # parts are added up in any order


def _shares(texts: PartitionedTexts, labels: Labels | None) -> list[Labels | None]:
    """The labels of each part, where there are any."""
    return [None] * len(texts.parts) if labels is None else [*texts.split(labels)]


def _best(part: Part, asked: _Asked, first: int, labels: Labels | None) -> Kept:
    placement = _placed(part, asked.space, labels)
    with_terms = np.flatnonzero(np.diff(part.rows.indptr))
    found = Kept(first + np.arange(part.rows.shape[0]), placement)
    return found.of(with_terms).best()


def _placed(part: Part, space: Space, labels: Labels | None) -> Placement:
    return place(part.rows, space, None if labels is None else labels.astype(np.intp))


def write_labels(
    texts: PartitionedTexts, space: Space, labels: Labels | None, target: Target
) -> dict[str, str]:
    """Write a table for each part into a folder that all workers see; names, with SHA-256."""
    asked = OnWorkers(lambda: _Asked(space, target))
    numbers, firsts = range(len(texts.parts)), map(int, texts.offsets[:-1])
    given = list(zip(texts.documents, numbers, firsts, _shares(texts, labels), strict=True))
    return dict(ask(texts.client, _write, texts.parts, given, asked))


def _write(
    part: Part,
    asked: _Asked,
    documents: PieceDocuments,
    number: int,
    first: int,
    labels: Labels | None,
) -> tuple[str, str]:
    target, name = asked.target, f"{number:05}.csv"
    assert target is not None
    placement = _placed(part, asked.space, labels)
    clusters = placement.labels.tolist()
    rows = zip(
        documents.ids(first),
        clusters,
        [target.names[h] for h in clusters],
        placement.scores.round(4).tolist(),
        strict=True,
    )
    table = csv_text(LABELS, rows, keep_formulas=target.keep_formulas)
    write_whole(Path(target.folder) / name, table)
    return name, hashlib.sha256(table.encode("utf-8")).hexdigest()


def terms_of_clusters(texts: PartitionedTexts, labels: Labels, k: int) -> TermWeights:
    """The weights of all terms in all clusters, as `weigh_terms` has them."""
    each = np.ones(texts.shape[0])
    grid = exact_grid(row_sizes(texts, each))
    shares = texts.split(labels.astype(np.int32))
    sums, present = (
        ask(texts.client, partial(of, k=k, grid=grid), texts.parts, [(s,) for s in shares], most=1)
        for of in (_sums, _present)
    )
    masses = np.bincount(labels, minlength=k).astype(np.float64)
    return TermWeights(TermEvidence(sums[0], present[0], masses))


def _sums(part: Part, labels: Labels, k: int, grid: float) -> Matrix:
    return exact_sums(part.rows, labels, np.ones(len(labels)), k, grid)


def _present(part: Part, labels: Labels, k: int, grid: float) -> Matrix:
    """In how many documents of each cluster each term occurs."""
    X = part.rows
    ones = sp.csr_array((np.ones_like(X.data, dtype=np.float64), X.indices, X.indptr), X.shape)
    return exact_sums(ones, labels, np.ones(len(labels)), k, 1.0)
