"""What a distortion is: distance, prototype and cluster energy belong together.

The mean is the right prototype only for the right distance (Banerjee et al. 2005
for Bregman divergences, Dhillon and Modha 2001 for the cosine), so one object owns
both and no caller can mix them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import AffineForm, Array, Matrix

__all__ = ["Distortion", "row_sums", "scale_rows", "squared_norms"]


class Distortion(ABC):
    """D(x, mu) = a(x) + c(mu) - <x, B(mu)>, with the prototype that minimises its sum."""

    name: str
    non_negative = False  # True where a document cannot have values below zero

    def prepare(self, X: Matrix) -> Matrix:
        """X as this geometry sees it: unit rows for the cosine, and the like."""
        return X

    @abstractmethod
    def own_costs(self, X: Matrix) -> Array:
        """a_i: the part of the cost that is the document's own, whatever its cluster."""

    @abstractmethod
    def prototypes(self, sums: Array, masses: Array) -> Array:
        """The best prototypes of clusters with these weighted sums and total weights."""

    @abstractmethod
    def affine(self, prototypes: Array) -> AffineForm:
        """B and c of the affine form."""

    @abstractmethod
    def joined(self, X: Matrix, weights: Array, sums: Array, masses: Array) -> Array:
        """n x k: the energy each cluster would have with (w > 0) or without (w < 0) row i.

        The energy of a cluster is its best sum of costs less the own costs a_i, a
        function of its sum and its mass alone; this is what the first-variation
        search weighs.
        """

    def cluster_energies(self, sums: Array, masses: Array) -> Array:
        """The energy of each cluster at its best prototype, less its own costs."""
        form = self.affine(self.prototypes(sums, masses))
        return np.asarray(masses * form.offsets - (sums * form.slopes).sum(axis=1))

    def without_direction(self, X: Matrix) -> Array:
        """True for the rows this geometry cannot place: no cluster is nearer than another."""
        return np.zeros(X.shape[0], dtype=bool)

    def cooled(self) -> Distortion:
        """The next stage of an annealed distortion; itself once it is cold."""
        return self


def squared_norms(X: Matrix) -> Array:
    """The squared length of every row."""
    if sp.issparse(X):
        return row_sums(X, np.square(X.data, dtype=np.float64))
    return np.asarray(np.einsum("ij,ij->i", X, X, dtype=np.float64))


def row_sums(X: Matrix, data: Array) -> Array:
    """Sums by row of values that lie where the stored entries of a CSR matrix lie."""
    values = sp.csr_array((data, X.indices, X.indptr), shape=X.shape)
    return np.asarray(values @ np.ones(X.shape[1]))


def scale_rows(X: Matrix, factors: Array) -> Matrix:
    """Each row times its factor; index arrays are shared with X, not copied."""
    if not sp.issparse(X):
        return X * factors[:, None].astype(X.dtype)
    data = X.data * np.repeat(factors, np.diff(X.indptr)).astype(X.dtype)
    return type(X)((data, X.indices, X.indptr), shape=X.shape)
