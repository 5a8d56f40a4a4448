"""What a distortion is: distance, prototype and cluster energy belong together.

The mean is the right prototype only for the right distance (Banerjee et al. 2005
for Bregman divergences, Dhillon and Modha 2001 for the cosine), so one object owns
both and no caller can mix them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import numpy as np

from textclust.geometry.affine import AffineForm, Array, Labels, Margins, Matrix, Moments
from textclust.geometry.assignment import AssignmentBackend

__all__ = ["ClusterOptimum", "Distortion", "MoveCosts", "optimum_of"]


class ClusterOptimum(NamedTuple):
    """Where clusters do best: the form of their best prototypes, and what they cost there."""

    form: AffineForm
    energies: Array  # k, less the own costs of the documents


class MoveCosts(NamedTuple):
    """What clusters cost, less the own costs of the documents, after single moves."""

    joined: Array  # n x k: each cluster with row i
    left: Array  # n: the cluster of row i without it


class Distortion(ABC):
    """D(x, mu) = a(x) + c(mu) - <x, B(mu)>, with the prototype that minimises its sum."""

    name: ClassVar[str]
    non_negative = False  # True where a document cannot have values below zero
    of_terms = True  # False where prototypes lie elsewhere than documents do
    places_rows = True  # False where it knows no rows but those that were clustered

    def prepare(self, X: Matrix) -> Matrix:
        """X as this geometry sees it: unit rows for the cosine, and the like."""
        return X

    def fitted(self, X: Matrix, weights: Array) -> Distortion:
        """The same with what it takes from prepared rows as a whole; most take nothing."""
        return self

    @abstractmethod
    def own_costs(self, X: Matrix) -> Array:
        """a_i: the part of the cost that is the document's own, whatever its cluster."""

    @abstractmethod
    def prototypes(self, sums: Array, masses: Array, out: Array | None = None) -> Array:
        """The best prototypes of clusters with these weighted sums and total weights.

        `out` may be `sums`, where these are needed no more.
        """

    @abstractmethod
    def affine(self, prototypes: Array) -> AffineForm:
        """B and c of the affine form."""

    @abstractmethod
    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """n x k: the energy each cluster would have with row i (without it, where w < 0).

        The energy of a cluster is its best sum of costs less the own costs a_i, a
        function of its sum and its mass alone; this is what the first-variation
        search weighs.
        """

    def moved(self, X: Matrix, weights: Array, labels: Labels, moments: Moments) -> MoveCosts:
        """The energies of clusters with a row that joins them, and without one that leaves."""
        left = np.empty(len(labels))
        for cluster in np.unique(labels):
            rows, one = np.flatnonzero(labels == cluster), slice(cluster, cluster + 1)
            alone = (moments.sums[one], moments.masses[one])
            own = self.of(np.array([cluster]))
            left[rows] = own.joined(X[rows], -weights[rows], *alone)[:, 0]
        return MoveCosts(self.joined(X, weights, *moments), left)

    def best(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        """The affine form and the energies of clusters at their best prototypes.

        The form may share memory with `sums`: it is good until they change. A backend packs it
        for itself.
        """
        return optimum_of(self, sums, masses)

    def may_improve(
        self, margins: Margins, weights: Array, labels: Labels, best: ClusterOptimum, masses: Array
    ) -> Array:
        """False for the rows that no single move can help, as far as a bound can tell."""
        return np.ones(len(labels), dtype=bool)

    def without_direction(self, X: Matrix) -> Array:
        """True for the rows this geometry cannot place: no cluster is nearer than another."""
        return np.zeros(X.shape[0], dtype=bool)

    def least_costs(self, labels: Labels) -> Array:
        """What a document at the very prototype of its cluster costs, for these clusters."""
        return np.broadcast_to(0.0, len(labels))

    @property
    def importance(self) -> Array | None:
        """What each term counts for; None where all count the same, or not in all clusters."""
        return None

    def misfit(self, k: int, d: int) -> str | None:
        """Why it is not fit for k prototypes of d terms; None where it is."""
        return None

    def features(self, d: int) -> int:
        """How many features documents have where prototypes have d."""
        return d

    def as_rows(self, prototypes: Array) -> Array:
        """Prototypes as documents that were prepared and lie where they do."""
        return prototypes

    def of(self, clusters: Labels) -> Distortion:
        """The distortion of some of the clusters, in this order; most make no difference."""
        return self

    def cooled(self) -> Distortion:
        """The next stage of an annealed distortion; itself once it is cold."""
        return self

    def cold(self) -> Distortion:
        """The last stage of an annealed distortion."""
        return self


def optimum_of(distortion: Distortion, sums: Array, masses: Array) -> ClusterOptimum:
    """The affine form of the best prototypes of clusters, and what energy follows from it."""
    form = distortion.affine(distortion.prototypes(sums, masses))
    return ClusterOptimum(form, masses * form.offsets - (sums * form.slopes).sum(axis=1))
