"""Rows of two blocks, terms and dense vectors of the same documents, under one distortion.

With unit rows x of terms and z of vectors, and a weight w, the row of a document is

    u = [sqrt(1 - w) x, sqrt(w) z]

Under the Euclidean distortion the energy is the weighted sum of both:

    |u - mu|^2 = (1 - w) |x - mu_x|^2 + w |z - mu_z|^2,     mu = [sqrt(1 - w) mu_x, sqrt(w) mu_z]

and under the cosine the cost is a weighted sum of both products,

    1 - <u, mu> = 1 - (1 - w) <x, p_x> - w <z, p_z>,        p_x = S_x / L,  p_z = S_z / L

where S_x and S_z are the sums of the cluster's rows in each block and L the length of both
together, L^2 = (1 - w) |S_x|^2 + w |S_z|^2: the prototype has length 1 as a whole, and what each
block has of it is how well documents agree there. A cluster's energy is -L less its documents'
own costs. Both are affine in the document, so that every method takes such rows as they are.

A document that has one block alone counts by that with its full length.

Vectors lie in the columns after the terms, all stored: for vectors of some hundred numbers that is
a few times the memory of the terms, and never a table of documents by terms.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.geometry.affine import Array, Matrix
from textclust.geometry.cosine import Cosine, inverse
from textclust.geometry.rows import scale_rows, squared_norms

__all__ = ["BESIDE_TERMS", "beside_terms"]

BESIDE_TERMS = ("cosine", "euclidean")  # the distortions that mean something for both blocks


def beside_terms(X: Matrix, vectors: Array, weight: float) -> sp.csr_array:
    """Unit rows of the terms in X and, in the columns after them, of dense vectors.

    The squared length of each row is in its terms by 1 - weight, in its vector by weight.
    """
    X, Z = Cosine().prepare(X), Cosine().prepare(vectors)
    if weight == 0.0:
        return sp.csr_array(
            (X.data, X.indices, X.indptr), shape=(X.shape[0], X.shape[1] + Z.shape[1])
        )
    if weight == 1.0:
        X = sp.csr_array(X.shape, dtype=X.dtype)
    shares = np.array([1.0 - weight, weight])
    there = np.stack([squared_norms(X) > 0, squared_norms(Z) > 0], axis=1) * shares
    factors = np.sqrt(there) * inverse(np.sqrt(there.sum(axis=1)))[:, None]
    terms, (n, d), size = scale_rows(X, factors[:, 0]), X.shape, Z.shape[1]
    counts = np.diff(X.indptr)
    ends = np.concatenate([[0], np.cumsum(counts + size)])
    data = np.empty(int(ends[-1]), dtype=X.dtype)
    columns = np.empty(len(data), dtype=np.int32 if d + size < 2**31 else np.int64)
    of_vectors = ends[1:, None] - size + np.arange(size)
    of_terms = np.ones(len(data), dtype=bool)
    of_terms[of_vectors] = False
    data[of_terms], columns[of_terms] = terms.data, terms.indices
    data[of_vectors] = Z * factors[:, 1:].astype(Z.dtype)
    columns[of_vectors] = np.arange(d, d + size)
    index = np.int32 if len(data) < 2**31 else np.int64
    return sp.csr_array((data, columns, ends.astype(index)), shape=(n, d + size))
