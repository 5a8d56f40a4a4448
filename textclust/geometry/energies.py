"""What clusters cost at their best prototypes, and what single moves would make of that.

The energy of a cluster is its best sum of costs less the own costs of its documents, a function
of its sum and its mass alone. It follows from `affine` and `joined`; a distortion that knows a
closed form gives the same from the lengths of the sums, sooner.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Margins, Matrix, Moments
from textclust.geometry.assignment import AssignmentBackend
from textclust.geometry.capabilities import has, of_clusters
from textclust.geometry.distortion import Distortion

__all__ = [
    "ClosedForm",
    "ClusterOptimum",
    "MoveCosts",
    "by_prototypes",
    "may_improve",
    "move_costs",
    "optimum",
]


class ClusterOptimum(NamedTuple):
    """Where clusters do best: the form of their best prototypes, and what they cost there."""

    form: AffineForm
    energies: Array  # k, less the own costs of the documents


class MoveCosts(NamedTuple):
    """What clusters cost, less the own costs of the documents, after single moves."""

    joined: Array  # n x k: each cluster with row i
    left: Array  # n: the cluster of row i without it


@runtime_checkable
class ClosedForm(Protocol):
    """A distortion whose cluster energies are functions of the lengths of the sums."""

    def optimum(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum: ...

    def move_costs(
        self, X: Matrix, weights: Array, labels: Labels, moments: Moments
    ) -> MoveCosts: ...

    def may_improve(
        self, margins: Margins, weights: Array, labels: Labels, best: ClusterOptimum, masses: Array
    ) -> Array: ...


def optimum(
    distortion: Distortion, sums: Array, masses: Array, backend: AssignmentBackend | None = None
) -> ClusterOptimum:
    """The affine form and the energies of clusters at their best prototypes.

    The form may share memory with `sums`: it is good until they change. A backend packs it
    for itself.
    """
    if has(distortion, ClosedForm):
        return distortion.optimum(sums, masses, backend)
    return by_prototypes(distortion, sums, masses)


def by_prototypes(distortion: Distortion, sums: Array, masses: Array) -> ClusterOptimum:
    """The same of any distortion, from its prototypes."""
    form = distortion.affine(distortion.prototypes(sums, masses))
    products = (sums * form.slopes).sum(axis=1)
    if form.scales is not None:
        products *= form.scales
    return ClusterOptimum(form, masses * form.offsets - products)


def move_costs(
    distortion: Distortion, X: Matrix, weights: Array, labels: Labels, moments: Moments
) -> MoveCosts:
    """The energies of clusters with a row that joins them, and without one that leaves."""
    if has(distortion, ClosedForm):
        return distortion.move_costs(X, weights, labels, moments)
    left = np.empty(len(labels))
    for cluster in np.unique(labels):
        rows, one = np.flatnonzero(labels == cluster), slice(cluster, cluster + 1)
        alone = (moments.sums[one], moments.masses[one])
        own = of_clusters(distortion, np.array([cluster]))
        left[rows] = own.joined(X[rows], -weights[rows], *alone)[:, 0]
    return MoveCosts(distortion.joined(X, weights, *moments), left)


def may_improve(
    distortion: Distortion,
    margins: Margins,
    weights: Array,
    labels: Labels,
    best: ClusterOptimum,
    masses: Array,
) -> Array:
    """False for the rows that no single move can help, as far as a bound can tell."""
    if has(distortion, ClosedForm):
        return distortion.may_improve(margins, weights, labels, best, masses)
    return np.ones(len(labels), dtype=bool)
