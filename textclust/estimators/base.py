"""What every clustering estimator has in common towards scikit-learn.

Estimators are dataclasses: the generated `__init__` does what scikit-learn asks of it,
store every parameter untouched, and a subclass names only what it changes. Each is a
solver, which solves, with this face.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from textclust import geometry
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import make_backend
from textclust.geometry.rows import canonical
from textclust.threads import thread_count

__all__ = ["BaseClusterer", "given_weights"]


class BaseClusterer(ClusterMixin, BaseEstimator):
    """Validation, what a solution leaves behind, and `predict`."""

    distortion: Any
    fitted_distortion_: Any
    n_clusters: Any
    n_jobs: int | None

    def predict(self, X: Matrix) -> Labels:
        """The nearest cluster of each row."""
        check_is_fitted(self)
        X = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        form = self.fitted_distortion_.affine(self.cluster_centers_)
        return make_backend(X, thread_count(self.n_jobs)).labels(form)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        distortion = getattr(self, "distortion", None)
        if isinstance(distortion, str):
            distortion = geometry.DISTORTIONS.get(distortion)
        tags.input_tags.positive_only = getattr(distortion, "non_negative", False)
        return tags

    def _validated(self, X: Matrix, reset: bool) -> Matrix:
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])
        return canonical(X) if sp.issparse(X) else X

    def _keep(self, solution: Solution) -> None:
        self.fitted_distortion_ = solution.distortion
        self.labels_ = solution.labels.astype(np.int32)
        self.cluster_centers_ = solution.prototypes
        self.objective_ = solution.energy
        self.history_ = solution.history
        self.objective_history_ = np.array([step.energy for step in solution.history])
        self.n_iter_ = solution.n_iter
        found = len(np.unique(self.labels_))
        if not isinstance(self.n_clusters, str) and found < self.n_clusters:
            message = f"{found} distinct clusters found where n_clusters={self.n_clusters}: "
            message += "there may be too many identical or linked documents"
            warnings.warn(message, ConvergenceWarning, stacklevel=3)


def given_weights(sample_weight: Any, n: int) -> Array:
    """The weights of n documents, 1 where nothing is said."""
    if sample_weight is None:
        return np.broadcast_to(1.0, n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,) or not np.isfinite(weights).all() or weights.min() < 0:
        raise InputError(f"sample_weight must be {n} finite numbers of at least 0")
    return weights
