"""Where clusters lie, and where documents are among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from textclust.display import Displayed, Sheet
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry import Distortion
from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.assignment import compact_moments, make_backend, moments, nearest
from textclust.geometry.capabilities import least_costs, n_features, places_rows, without_direction
from textclust.geometry.cosine import Cosine
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.sparse_sums import KNOWN_TO
from textclust.plain import count
from textclust.result.certainty import certainty, margin_scale

__all__ = [
    "FITS_NOWHERE",
    "NOWHERE",
    "Placement",
    "Prediction",
    "Space",
    "checked_vectors",
    "outside",
    "place",
]

NOWHERE = -1  # the label of what fits nowhere
FITS_NOWHERE = "fits nowhere"  # its name

_SHOWN = 5  # rows


@dataclass(frozen=True, repr=False)
class Placement(Displayed):
    """The cluster of each of some documents, how firmly it sits there, and at what cost.

    The score says how sure it is that a document like it would be in the same cluster, from 0
    on the border to 1; see `certainty`.
    """

    labels: Labels
    scores: Array
    costs: Array

    def _sheet(self) -> Sheet:
        title = f"Placement: {count(len(self.labels), 'document')}"
        columns = (self.labels[:_SHOWN], self.scores[:_SHOWN], self.costs[:_SHOWN])
        rows = zip(range(len(self.labels)), *(column.tolist() for column in columns), strict=False)
        return Sheet(title, ("row", "cluster", "score", "cost"), list(rows), len(self.labels))


@dataclass(frozen=True, repr=False)
class Prediction(Placement):
    """Where new documents were placed, and whether each `fits` anywhere at all."""

    judged: Callable[[], Array] = field(repr=False, compare=False)
    index: Any = field(default=None, compare=False)  # of the Series that the texts were, if any

    def _sheet(self) -> Sheet:
        sheet = super()._sheet()
        if self.index is None:
            return sheet
        named = zip(self.index[:_SHOWN], sheet.rows, strict=True)
        return replace(sheet, rows=[(name, *row[1:]) for name, row in named])

    @cached_property
    def fits(self) -> Array:
        """True for what fits, worked out when it is first asked for."""
        return self.judged()


@dataclass(frozen=True, repr=False)
class Space:
    """Where the clusters lie: a distortion and a prototype for each of them.

    `scale` is by how much nearer to a cluster than to the next a document has to be for one
    standard deviation (see `certainty`). Models of earlier versions have none: the score is
    (b - a) / b there, with a the distortion from the own prototype and b that from the next.
    """

    distortion: Distortion
    prototypes: Matrix  # a table, or CSR where that is large and mostly zeros
    scale: float | None = None

    def __repr__(self) -> str:
        k, d = self.prototypes.shape
        return f"Space({count(k, 'prototype')} with {self.distortion.name} distortion, {d} columns)"

    @property
    def features(self) -> int:
        """How many features a document has there."""
        return n_features(self.distortion, self.prototypes.shape[1])

    @classmethod
    def of(cls, solution: Solution, X: Matrix) -> Space:
        """Where new documents meet the clusters: at their prototypes.

        If these lie in the feature space of a kernel, at the centroids of the documents instead.
        """
        if places_rows(solution.distortion):
            return cls(solution.distortion, solution.prototypes)
        seen: Distortion = Cosine() if sp.issparse(X) else Euclidean()
        k = solution.prototypes.shape[0]
        return cls.of_centroids(seen.prepare(X), solution.labels, k, seen)

    @classmethod
    def of_centroids(cls, X: Matrix, labels: Labels, k: int, distortion: Distortion) -> Space:
        """The prototypes of clusters that were found elsewhere, among these rows."""
        summed = compact_moments if distortion.name in KNOWN_TO else moments
        found = summed(X, labels, np.ones(len(labels)), k)
        return cls(distortion, distortion.prototypes(*found))

    def calibrated(self, X: Matrix, labels: Labels) -> Space:
        """The same with the scale of its scores, by the documents and their clusters."""
        rows = self.distortion.prepare(X)
        return replace(self, scale=margin_scale(rows, labels, self.distortion, self.form))

    @cached_property
    def form(self) -> AffineForm:
        """What the cost of a document is computed from."""
        return self.distortion.affine(self.prototypes)


def checked_vectors(vectors: ArrayLike) -> Array:
    """Ready-made vectors as a table of finite floats."""
    X = np.asarray(vectors)
    if X.ndim != 2 or X.dtype.kind not in "fiu" or not np.isfinite(X).all():
        raise InputError(
            "vectors must be a table of finite numbers, a row for each document; "
            f"got shape {X.shape} and type {X.dtype}"
        )
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def place(X: Matrix, space: Space, labels: Labels | None = None) -> Placement:
    """Rows in the clusters named for them, or else in those of the nearest prototypes.

    One that is not in its nearest cluster scores 0.
    """
    X = space.distortion.prepare(X)
    found = nearest(X, space.form)
    nothing = least_costs(space.distortion, np.arange(space.prototypes.shape[0])).min()
    own = space.distortion.own_costs(X) - nothing
    a, b = np.maximum(found.cost + own, 0.0), np.maximum(found.second_cost + own, 0.0)
    if space.prototypes.shape[0] == 1:
        scores = np.ones(len(a))
    elif space.scale is None:
        scores = np.where(b > 0, (b - a) / np.where(b > 0, b, 1), 0.0)
    else:
        scores = certainty(found.second_cost - found.cost, space.scale)
    scores[without_direction(space.distortion, X)] = 0.0
    if labels is None:
        return Placement(found.labels, scores, a)
    elsewhere = np.flatnonzero(labels != found.labels)
    scores[elsewhere] = 0.0
    further = make_backend(X).costs_at(space.form, elsewhere, labels[elsewhere]) + own[elsewhere]
    a[elsewhere] = np.maximum(further, 0.0)
    return Placement(labels, scores, a)


def outside(placement: Placement, nowhere: Array) -> Placement:
    """The same with some documents in no cluster, at a score of 0."""
    labels = np.where(nowhere, NOWHERE, placement.labels)
    return replace(placement, labels=labels, scores=np.where(nowhere, 0.0, placement.scores))
