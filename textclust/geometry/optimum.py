"""Where clusters do best, and what a row that joins or leaves one does to its energy.

The energy of a cluster is its best sum of costs less the own costs of its documents, a function
of its sum S and its mass W alone. Where that is -||S|| or -||S||^2 / W, a row x of weight w changes
it by a function of the product <x, S>, of <x, x> and of w: a product with the slopes of a form, as
a cost is, so that whoever assigns rows can look for single moves in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels

__all__ = [
    "ClusterOptimum",
    "Growth",
    "best_moves",
    "joining_costs_by_products",
    "leaving_costs",
]


class Growth(NamedTuple):
    """How energies change with a row: functions of its products with the slopes of a form."""

    by_length: bool  # the energy is -||S||; else it is -||S||^2 / W
    squares: Array  # ||S||^2, k
    masses: Array  # W, k
    adds_up: bool = True  # the slopes are sums of something of each row: the row, or its image

    def of(self, clusters: Array) -> Growth:
        """That of some of the clusters."""
        return self._replace(squares=self.squares[clusters], masses=self.masses[clusters])

    def energies(self, products: Array, weights: Array, squares: Array) -> Array:
        """Of clusters with a row each, or without it where its weight is below zero."""
        length = self.squares + 2.0 * weights * products + weights**2 * squares
        if self.by_length:
            return -np.sqrt(np.maximum(length, 0.0))
        mass = self.masses + weights
        return np.where(mass > 0, -length / np.where(mass > 0, mass, 1.0), 0.0)


class ClusterOptimum(NamedTuple):
    """Where clusters do best: the form of their best prototypes, and what they cost there."""

    form: AffineForm
    energies: Array  # k, less the own costs of the documents
    growth: Growth | None = None  # with rows, by products with the slopes of the form

    @property
    def products(self) -> AffineForm:
        """The form whose costs are minus the products with the slopes."""
        form = self.form
        return AffineForm(form.slopes, np.zeros(len(form.offsets)), packed=form.packed)


def joining_costs_by_products(
    best: ClusterOptimum, products: Array, labels: Labels, weights: Array, squares: Array
) -> Array:
    """n x k: what each row adds to the energy of each cluster, its own without it.

    `products` are those with the slopes of the form, `squares` <x, x>.
    """
    assert best.growth is not None
    every = np.arange(len(labels))
    costs = best.growth.energies(products, weights[:, None], squares[:, None]) - best.energies
    costs[every, labels] = leaving_costs(best, products[every, labels], labels, weights, squares)
    return costs


def best_moves(
    best: ClusterOptimum, products: Array, labels: Labels, weights: Array, squares: Array
) -> tuple[Labels, Array]:
    """The cluster that each row had best move to, and what that takes off the energy."""
    added = joining_costs_by_products(best, products, labels, weights, squares)
    every = np.arange(len(labels))
    here = added[every, labels]
    added[every, labels] = np.inf
    targets = added.argmin(axis=1)
    return targets, here - added[every, targets]


def leaving_costs(
    best: ClusterOptimum, products: Array, labels: Labels, weights: Array, squares: Array
) -> Array:
    """What each row adds to the energy of its own cluster, by the product with its slope."""
    assert best.growth is not None
    left = best.growth.of(labels).energies(products, -weights, squares)
    return np.asarray(best.energies[labels] - left)
