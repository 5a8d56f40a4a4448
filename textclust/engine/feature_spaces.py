"""From documents to a problem in the feature space of a kernel, or on a graph.

Kernel k-means with weights minimises the cuts of a graph A with degrees d (Dhillon, Guan and
Kulis 2004; Kulis et al. 2005):

    normalised cut    weights d,  K = D^-1 A D^-1
    ratio cut         weights 1,  K = A - D
    ratio association weights 1,  K = A

Where K has negative eigenvalues the means are not the best prototypes, and the loop could climb.
So s / w_i is added to K_ii, with the least s that mends it: that makes every clustering into k
clusterings costlier by (n - k) s, and none better than another.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from textclust.engine.problem import Problem
from textclust.engine.spectral_starts import scaled
from textclust.errors import InputError
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.expansion import Landmarks, Mapped, inverse
from textclust.geometry.feature_space import InFeatureSpace, identity
from textclust.geometry.similarity import KernelFunction, KernelValues, Similarity

__all__ = ["in_feature_space", "mapped", "on_landmarks"]

_FEW = 50  # documents whose eigenvalues are worked out one and all
_NOISE = 1e-9  # of the largest entry
_MARGIN = 1e-3  # on top of the shift, for what Lanczos left open


def in_feature_space(
    plain: Problem, values: Matrix, similarity: Similarity, cut: str | None
) -> Problem:
    """The same question, with these similarities between the documents in the place of vectors."""
    _refuse_endless(values)
    masses, degrees = plain.weights, None
    weights = masses
    if cut is not None:
        degrees = np.asarray(values @ masses)
        _refuse_negative(values)
    if cut == "normalised":
        assert degrees is not None
        weights, values = masses * degrees, scaled(values, inverse(degrees))
        if not weights.any():
            raise InputError("no document is like any other, so there is no graph to cut")
    elif cut == "ratio":
        assert degrees is not None
        values, degrees = _plus_diagonal(values, -degrees), None
    if cut == "ratio" or not isinstance(similarity, KernelValues):  # any other is a kernel
        values = _plus_diagonal(values, _shift(values, weights) * inverse(weights))
    space = InFeatureSpace(values, similarity, degrees, masses)
    return replace(plain, X=identity(len(weights)), distortion=space, weights=weights)


def on_landmarks(
    plain: Problem, kernel: KernelFunction, count: int, rng: np.random.Generator
) -> Problem:
    """The same question in the span of some of the documents in feature space."""
    from sklearn.kernel_approximation import Nystroem

    state = int(rng.integers(2**31))
    count = min(count, plain.X.shape[0])
    span = Nystroem(kernel.name, n_components=count, random_state=state, **kernel.settings)
    return mapped(plain, Landmarks(span.fit(plain.X)))


def mapped(plain: Problem, space: Euclidean) -> Problem:
    """The same question among the rows that a space makes of the documents."""
    return replace(plain, X=space.prepare(plain.X), distortion=Mapped(space))


def _refuse_endless(values: Matrix) -> None:
    if not np.isfinite(values.data if sp.issparse(values) else values).all():
        raise InputError(
            "some similarities are too large for a number; scale X down, or lower the degree"
        )


def _refuse_negative(values: Matrix) -> None:
    if values.min() < 0:
        raise InputError(
            "a cut is of similarities of at least 0, and some here are below; "
            "leave cut out, or take kernel='rbf' or 'neighbours'"
        )


def _plus_diagonal(values: Matrix, added: Array) -> Matrix:
    if sp.issparse(values):
        return sp.csr_array(values + sp.diags_array(added))
    return values + np.diag(added)


def _shift(values: Matrix, weights: Array) -> float:
    """The least s for which K + s / w has no negative eigenvalue where documents have weight."""
    there = np.flatnonzero(weights > 0)
    some = values if len(there) == len(weights) else values[there][:, there]
    weighted = scaled(some, np.sqrt(weights[there]))
    least = _least_eigenvalue(weighted)
    if least >= -_NOISE * abs(weighted).max():
        return 0.0
    return -(1.0 + _MARGIN) * least


def _least_eigenvalue(values: Matrix) -> float:
    n = values.shape[0]
    if n <= _FEW:
        return float(np.linalg.eigvalsh(values @ np.eye(n))[0])
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    start = np.random.default_rng(0).standard_normal(n)
    try:
        return float(eigsh(values, 1, which="SA", v0=start, tol=_MARGIN / 10)[0][0])
    except ArpackNoConvergence:  # Gershgorin: no eigenvalue is below the least of these
        radii = np.asarray(abs(values).sum(axis=1)).ravel() - np.abs(values.diagonal())
        return float((values.diagonal() - radii).min())
