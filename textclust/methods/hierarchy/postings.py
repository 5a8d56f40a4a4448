"""Distances of one row from all others, by the postings of its terms."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.rows import squared_norms

__all__ = ["ROUNDING", "Distances", "Postings"]

ROUNDING = 1e-13  # of the squared lengths of two rows: a smaller squared distance is none
_SLOWER = 4  # times as long takes an entry of a product of two sparse factors


class Postings:
    """Sparse rows, and for each term the rows that have it."""

    def __init__(self, X: Matrix) -> None:
        self.X, self._of_terms = X, X.T.tocsr()
        self._counts = np.diff(self._of_terms.indptr)

    def row(self, i: int) -> Matrix:
        """Row i, as sparse as it is."""
        part = slice(self.X.indptr[i], self.X.indptr[i + 1])
        entries = (self.X.data[part], self.X.indices[part], np.array([0, part.stop - part.start]))
        return sp.csr_array(entries, shape=(1, self.X.shape[1]))

    def products(self, row: Matrix) -> Array:
        """The inner product of a sparse row with every row."""
        if _SLOWER * self._counts[row.indices].sum() < self.X.nnz:
            found = row @ self._of_terms
            products = np.zeros(self.X.shape[0])
            products[found.indices] = found.data
            return products
        whole = np.zeros(self.X.shape[1])
        whole[row.indices] = row.data
        return np.asarray(self.X @ whole)


class Distances:
    """Between rows: Euclidean, or 1 - cosine where these are directions."""

    def __init__(self, X: Matrix, *, directions: bool) -> None:
        self.postings, self.directions = Postings(X), directions
        self.squares = squared_norms(X)

    def of(self, i: int) -> Array:
        """The distance of row i from every row; from rows that coincide with it, 0."""
        products = self.postings.products(self.postings.row(i))
        lengths = self.squares + self.squares[i]
        apart = np.maximum(lengths - 2.0 * products, 0.0)
        apart[apart <= ROUNDING * lengths] = 0.0
        if not self.directions:
            return np.sqrt(apart)
        apart /= 2.0
        apart[lengths < 1.5] = 1.0  # a row of zeros has no direction
        apart[i] = 0.0
        return apart
