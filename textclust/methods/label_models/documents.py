"""Documents as label models see them: their terms, a latent space, and anchors in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.engine.latent_starts import latent_vectors
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.cosine import inverse
from textclust.geometry.products import product
from textclust.geometry.rows import squared_norms
from textclust.methods.label_models.anchors import AnchorGraph, anchor_graph, unit_rows

__all__ = ["Documents", "balanced", "memberships", "unit_means"]

_LATENT = 100  # dimensions, if there are enough documents:
_DOCUMENTS_PER_DIMENSION = 10


@dataclass(frozen=True, eq=False)
class LatentSpace:
    """Documents in the leading directions of others beside them."""

    vectors: Array
    anchors: AnchorGraph


@dataclass(frozen=True, eq=False)
class Documents:
    """Rows of unit length, what each counts, and the clusters found without supervision."""

    X: Matrix
    weights: Array
    clusters: Labels
    k: int
    random_state: int
    threads: int | None = None
    seen: LatentSpace | None = None  # None is the space of these documents
    numbered: bool = False  # whether cluster h is that of class h, whatever the seeds say

    def subset(self, rows: Labels) -> Documents:
        """Some of the documents, with a latent space of their own."""
        return replace(
            self,
            X=self.X[rows],
            weights=self.weights[rows],
            clusters=self.clusters[rows],
            seen=None,
        )

    def sample(self, rows: Labels) -> Documents:
        """Some of the documents, in the latent space of all."""
        space = LatentSpace(self.latent[rows], self.anchors.subset(rows))
        return replace(self.subset(rows), seen=space)

    def without_columns(self, columns: Labels) -> Documents:
        """The same without these terms, rows of unit length again."""
        kept = np.ones(self.X.shape[1])
        kept[columns] = 0.0
        X = self.X @ sp.diags_array(kept) if sp.issparse(self.X) else self.X * kept
        lengths = inverse(np.sqrt(squared_norms(X)))
        X = sp.diags_array(lengths) @ X if sp.issparse(X) else X * lengths[:, None]
        return replace(self, X=X.tocsr() if sp.issparse(X) else X, seen=None)

    @cached_property
    def counts(self) -> Documents | None:
        """The same by the features that are counts: all of them, or the terms beside vectors.

        None where there are no such features.
        """
        if self.X.min() >= 0:
            return self
        if not sp.issparse(self.X):
            return None
        below = np.zeros(self.X.shape[1], dtype=bool)
        below[self.X.indices[self.X.data < 0]] = True
        if below[self.X.indices].all():
            return None
        found = self.without_columns(np.flatnonzero(below))
        found.X.eliminate_zeros()
        return found

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @cached_property
    def rows(self) -> Matrix:
        """The rows in single precision."""
        return self.X.astype(np.float32, copy=False)

    @cached_property
    def columns(self) -> Matrix:
        """The same transposed, so that sums over documents are products too."""
        return self.rows.T.tocsr() if sp.issparse(self.X) else np.ascontiguousarray(self.rows.T)

    def times(self, table: Array) -> Array:
        """n x k: every document times each row of a table, k x d."""
        return product(self.rows, np.ascontiguousarray(table.T, dtype=np.float32), self.threads)

    def sums(self, shares: Array) -> Array:
        """k x d: the sum of all documents, each by its share in every class, n x k."""
        counted = shares.astype(np.float32)
        counted *= self.weights.astype(np.float32)[:, None]
        return product(self.columns, counted, self.threads).T

    @cached_property
    def latent(self) -> Array:
        """Unit rows in the leading directions of the truncated SVD."""
        if self.seen is not None:
            return self.seen.vectors
        n, d = self.X.shape
        size = max(1, min(_LATENT, max(5, n // _DOCUMENTS_PER_DIMENSION), n - 1, d - 1))
        if d <= _LATENT and not sp.issparse(self.X):
            return np.asarray(self.X, dtype=np.float32)
        rng = np.random.default_rng(self.random_state)
        exact = latent_vectors(self.X, size, rng, self.threads).astype(np.float64)
        return unit_rows(exact).astype(np.float32)

    @cached_property
    def anchors(self) -> AnchorGraph:
        """What links documents that are near each other in the latent space."""
        if self.seen is not None:
            return self.seen.anchors
        return anchor_graph(self.latent, np.random.default_rng(self.random_state))

    def prepare(self) -> None:
        """Find what several label models need, before they run at the same time."""
        _ = self.columns, self.anchors.solved, self.prototypes

    @cached_property
    def prototypes(self) -> Array:
        """Where the clusters lie that were found without supervision, k x d."""
        return unit_means(self, memberships(self.clusters, self.k))


def unit_means(documents: Documents, shares: Array) -> Array:
    """The direction of the mean of every class, k x d."""
    sums = documents.sums(shares)
    lengths = np.sqrt((sums**2) @ np.ones(sums.shape[1], dtype=sums.dtype))
    sums *= inverse(lengths)[:, None]
    return sums


def balanced(y: Labels) -> Array:
    """What each seed counts, nothing for -1, so that all classes count the same: 1 on average.

    How many seeds a class has says more of the reader than of the documents.
    """
    known = y >= 0
    counts = np.zeros(len(y))
    sizes = np.bincount(y[known])
    counts[known] = known.sum() / ((sizes > 0).sum() * sizes[y[known]])
    return counts


def memberships(labels: Labels, k: int) -> Array:
    """n x k: 1 for the label of each row, nothing for -1."""
    found = np.zeros((len(labels), k))
    rows = np.flatnonzero(labels >= 0)
    found[rows, labels[rows]] = 1.0
    return found
