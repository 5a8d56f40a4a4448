"""What clusters cost at their best prototypes, and what single moves would make of that.

It follows from `affine` and `joined` of any distortion; one that knows a closed form gives the same
from the lengths of the sums, sooner.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from textclust.geometry.affine import Array, Labels, Matrix, Moments, costs
from textclust.geometry.assignment import AssignmentBackend
from textclust.geometry.capabilities import has, of_clusters
from textclust.geometry.distortion import Distortion
from textclust.geometry.optimum import ClusterOptimum, joining_costs_by_products

__all__ = ["ClosedForm", "by_prototypes", "images", "joining_costs", "optimum", "squared_lengths"]


@runtime_checkable
class ClosedForm(Protocol):
    """A distortion whose cluster energies are functions of the lengths of the sums."""

    def optimum(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum: ...

    def squared_lengths(self, X: Matrix) -> Array: ...


@runtime_checkable
class WithImages(Protocol):
    """One whose slopes are not the sums of the rows, but of something else for each."""

    def images(self, X: Matrix) -> Matrix: ...


def images(distortion: Distortion, X: Matrix, rows: Labels) -> Matrix | None:
    """What some rows add to the slopes of a cluster that they join; None where that is the row."""
    return distortion.images(X[rows]) if has(distortion, WithImages) else None


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


def squared_lengths(distortion: Distortion, X: Matrix) -> Array:
    """<x, x> of each row in the geometry of a distortion with a closed form; else nothing."""
    if has(distortion, ClosedForm):
        return distortion.squared_lengths(X)
    return np.broadcast_to(0.0, X.shape[0])


def joining_costs(
    distortion: Distortion, X: Matrix, weights: Array, labels: Labels, moments: Moments
) -> Array:
    """n x k: what each row adds to the energy of each cluster, its own without it."""
    best = optimum(distortion, *moments)
    best = best._replace(energies=np.where(moments.masses > 0, best.energies, 0.0))
    if best.growth is not None:
        products = -costs(X, best.products)
        squares = squared_lengths(distortion, X)
        return joining_costs_by_products(best, products, labels, weights, squares)
    added = distortion.joined(X, weights, *moments) - best.energies
    for cluster in np.unique(labels):
        rows, one = np.flatnonzero(labels == cluster), slice(cluster, cluster + 1)
        alone = (moments.sums[one], moments.masses[one])
        own = of_clusters(distortion, np.array([cluster]))
        left = own.joined(X[rows], -weights[rows], *alone)[:, 0]
        added[rows, cluster] = best.energies[cluster] - left
    return np.asarray(added)
