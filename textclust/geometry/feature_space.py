"""Squared distance in the feature space of a kernel, from the values of the kernel alone.

The rows are those of the identity, so the sum of a cluster is the weight of each document in
it and its prototype the share of each, alpha_h. With K the kernel between all documents

    ||phi(x_i) - m_h||^2 = K_ii + <alpha_h, K alpha_h> - 2 (K alpha_h)_i

is affine like all others: a = K_ii, B = 2 K alpha, c = <alpha, K alpha> (Yan and Domeniconi
2006, 2.1, whose norms are squared and whose A_ii is K_ii).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import AffineForm, Array, Labels, Matrix
from textclust.geometry.assignment import AssignmentBackend, pack_slopes
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.expansion import Expansion
from textclust.geometry.optimum import ClusterOptimum, Growth
from textclust.geometry.rows import squared_norms
from textclust.geometry.similarity import Similarity

__all__ = ["InFeatureSpace", "identity"]


def identity(n: int) -> sp.csr_array:
    """The rows of n documents that are known by their number alone."""
    each = np.arange(n, dtype=np.int32)
    bounds = np.arange(n + 1, dtype=np.int32)
    return sp.csr_array((np.ones(n), each, bounds), shape=(n, n))


@dataclass(frozen=True, eq=False)
class InFeatureSpace(Euclidean):
    """Euclidean with K between the coordinates; its rows are those of the identity.

    A toll is what a document pays for the space itself, wherever it is in it.
    """

    gram: Matrix  # K: n x n, symmetric, without negative eigenvalues; dense or sparse
    similarity: Similarity  # that K is of
    degrees: Array | None = None  # that it has been divided by, on both sides
    masses: Array | None = None  # of the documents, in these degrees
    toll: float = 0.0

    name = "in feature space"

    def own_costs(self, X: Matrix) -> Array:
        return self.squared_lengths(X) + self.toll

    def affine(self, prototypes: Array) -> AffineForm:
        return self._form(self._images(prototypes), prototypes, np.ones(len(prototypes)), None)

    def optimum(
        self, sums: Array, masses: Array, backend: AssignmentBackend | None = None
    ) -> ClusterOptimum:
        inverse = np.divide(1.0, masses, out=np.zeros_like(masses), where=masses > 0)
        form = self._form(self._images(sums), sums, inverse, backend)
        growth = Growth(False, form.offsets * masses**2, masses)
        return ClusterOptimum(form, -form.offsets * masses, growth)

    def least_costs(self, labels: Labels) -> Array:
        return np.broadcast_to(self.toll, len(labels))

    def expansion(self, prototypes: Array) -> Expansion:
        """Clusters with these prototypes as new documents meet them."""
        lengths = self.affine(prototypes).offsets
        return Expansion(self.similarity, lengths, self.degrees, self.masses)

    def _form(
        self, images: Array, sums: Array, inverse: Array, backend: AssignmentBackend | None
    ) -> AffineForm:
        """The form of the prototypes sums times inverse, from what K makes of the sums."""
        squares, packed = pack_slopes(images, backend)
        reach = float(np.max(2.0 * inverse * np.sqrt(squares)))
        offsets = (sums * images).sum(axis=1) * inverse**2
        return AffineForm(images, offsets, 2.0 * inverse, reach, packed)

    def images(self, X: Matrix) -> Matrix:
        """What each row adds to the slopes of a cluster that it joins."""
        return X @ self.gram

    def _images(self, sums: Array) -> Array:
        """What K makes of each row, term by term in memory."""
        return np.asarray(self.gram @ np.ascontiguousarray(sums.T)).T

    def squared_lengths(self, X: Matrix) -> Array:
        if not sp.issparse(X):
            return np.asarray((X * self._images(X)).sum(axis=1))
        if X.nnz == X.shape[0] and (np.diff(X.indptr) == 1).all():
            return squared_norms(X) * self.gram.diagonal()[X.indices]
        return np.asarray(X.multiply(X @ self.gram).sum(axis=1)).ravel()

    def _products(self, X: Matrix, sums: Array) -> Array:
        return np.asarray(X @ self._images(sums).T)
