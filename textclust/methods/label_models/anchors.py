"""A graph of near documents through anchors instead of all pairs (Liu, He and Chang 2010).

With Q the links of documents with anchors and L the weights of the anchors, documents are linked by
P = Q L^-1 Q' = B B' with B = Q L^-1/2, and what a document gets from others in the end is

    (I - a P)^-1 Y = Y + a B (I - a B'B)^-1 B'Y,

which takes one system of as many equations as there are anchors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.cosine import inverse
from textclust.geometry.rows import squared_norms

__all__ = ["AnchorGraph", "anchor_graph", "unit_rows"]

_ANCHORS = 500
_NEAREST = 5  # anchors that a document is linked with
_WIDTH = 0.1  # of a cosine: how fast the weight of an anchor falls
_ROUNDS = 4  # of moving anchors to the middle of their documents,
_MOVED_BY = 4_000  # documents at most
_SPREAD = 0.95  # a: what is taken from the neighbours


@dataclass(frozen=True, eq=False)
class AnchorGraph:
    """How near each document is to its nearest anchors."""

    links: Matrix  # Q, n x m, sparse; rows sum to one

    def subset(self, rows: Labels) -> AnchorGraph:
        """Some of the documents, linked through the same anchors."""
        return AnchorGraph(self.links[rows])

    @cached_property
    def scaled(self) -> Matrix:
        """B."""
        masses = np.asarray(self.links.sum(axis=0)).ravel()
        return self.links.multiply(1.0 / np.sqrt(np.where(masses > 0, masses, 1.0))).tocsr()

    @cached_property
    def solved(self) -> Array:
        """(I - a B'B)^-1."""
        identity = np.eye(self.scaled.shape[1])
        return np.linalg.inv(identity - _SPREAD * ((self.scaled.T @ self.scaled) @ identity))

    def spread(self, known: Array) -> Array:
        """What arrives at every document of what is known of some, n x k."""
        return np.asarray(known + _SPREAD * (self.scaled @ (self.solved @ (self.scaled.T @ known))))


def anchor_graph(Z: Array, rng: np.random.Generator) -> AnchorGraph:
    """The graph of unit rows; anchors are means of near ones."""
    Z, n = Z.astype(np.float32, copy=False), len(Z)
    count = min(_ANCHORS, max(1, n // 3))
    some = Z if n <= _MOVED_BY else Z[rng.choice(n, _MOVED_BY, replace=False)]
    anchors = some[rng.choice(len(some), count, replace=False)]
    for _ in range(_ROUNDS):
        owners = (some @ anchors.T).argmax(axis=1)
        anchors = unit_rows(moments(some, owners, np.ones(len(some)), count).sums)
    near = min(_NEAREST, count)
    which, value = _largest(Z @ anchors.T.astype(np.float32), near)
    value = np.exp((value - value[:, :1]) / _WIDTH)
    value /= value.sum(axis=1, keepdims=True)
    pointers = np.arange(0, n * near + 1, near)
    return AnchorGraph(sp.csr_array((value.ravel(), which.ravel(), pointers), shape=(n, count)))


def _largest(table: Array, count: int) -> tuple[Labels, Array]:
    """Where each row has its largest values, in order, and what they are; the table is used up.

    One at a time is several times as fast as a partition while they are few.
    """
    rows = np.arange(len(table))
    which = np.empty((len(table), count), dtype=np.intp)
    values = np.empty((len(table), count))
    for place in range(count):
        which[:, place] = table.argmax(axis=1)
        values[:, place] = table[rows, which[:, place]]
        table[rows, which[:, place]] = -np.inf
    return which, values


def unit_rows(rows: Array) -> Array:
    """The same at unit length, nothing for nothing."""
    return np.asarray(rows * inverse(np.sqrt(squared_norms(rows)))[:, None])
