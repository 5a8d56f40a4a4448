"""What all learners of a metric share, and rows as the table they learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import scipy.sparse as sp

from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.validation import finite_rows
from textclust.learned_metrics.scatters import of_pairs, scatter
from textclust.parameters import Number, Rule, Settings, check, settings_of
from textclust.supervision.example_rows import example_rows

__all__ = ["MetricLearner", "as_table", "power"]

_MOST_FEATURES = 4_000


@dataclass
class MetricLearner:
    """What all learners share; by itself it learns nothing and leaves rows where they are.

    Parameters
    ----------
    regularisation : float, default=1e-6
        How much of its mean eigenvalue is added to the diagonal of A_ML.

    Attributes
    ----------
    components_ : array of d x d
        T, the symmetric root of M: rows are multiplied by it.
    matrix_ : array of d x d
        M, the Mahalanobis matrix.
    """

    regularisation: float = 1e-6

    rules: ClassVar[dict[str, Rule]] = {"regularisation": Number(0.0)}

    def fit(
        self,
        X: Matrix,
        examples: Iterable[Iterable[int]] | None = None,
        links: Matrix | None = None,
    ) -> Self:
        """Learn from example clusters, given as lists of rows of X."""
        check(self, self.rules)
        rows = as_table(finite_rows(X))
        groups = example_rows(examples, len(rows))
        rows = rows - rows.mean(axis=0)
        given = bool(groups) or links is not None
        learned = self._learned(rows, groups, links) if given else np.eye(rows.shape[1])
        self.components_: Matrix = _symmetric(learned)
        return self

    @property
    def matrix_(self) -> Matrix:
        """M, the Mahalanobis matrix."""
        return self.components_ @ self.components_.T

    def transform(self, X: Matrix) -> Matrix:
        """Rows where their Euclidean distance is the learned one."""
        if not hasattr(self, "components_"):
            raise InputError(f"{type(self).__name__} is not fitted yet; call fit first")
        rows = X if sp.issparse(X) else np.asarray(X, dtype=np.float64)
        learned = self.components_.shape[0]
        if rows.ndim != 2 or rows.shape[1] != learned:
            d = rows.shape[-1] if rows.ndim else 0
            raise InputError(f"X has {d} features, but the metric was learned from {learned}")
        return rows @ self.components_

    def fit_transform(
        self,
        X: Matrix,
        examples: Iterable[Iterable[int]] | None = None,
        links: Matrix | None = None,
    ) -> Matrix:
        """Learn, and transform the same rows."""
        return self.fit(X, examples, links).transform(X)

    def get_params(self, deep: bool = True) -> Settings:
        """The parameters by name."""
        return settings_of(self)

    def set_params(self, **parameters: object) -> Self:
        """Change some parameters."""
        for name, value in parameters.items():
            if name not in self.get_params():
                raise InputError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def _learned(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        return np.eye(X.shape[1])

    def _must(self, X: Array, examples: Sequence[Labels], links: Matrix | None) -> Array:
        """A_ML: eq. (2) of Hu et al.; with further links, each pair counts as much as any."""
        if links is None:
            total = sum(len(rows) for rows in examples)
            scatters = np.array([scatter(X[rows]) for rows in examples])
            return self._regular(scatters.sum(axis=0) / total)
        return self._regular(of_pairs(X, examples, links))

    def _regular(self, A: Array) -> Array:
        mean = float(np.trace(A)) / len(A)
        if mean == 0.0:  # nothing scatters in the examples
            return np.eye(len(A))
        return A + max(self.regularisation, 1e-12) * mean * np.eye(len(A))


def as_table(X: Matrix) -> Array:
    """Rows as a dense table of floats, where their features are few."""
    d = X.shape[1]
    if d > _MOST_FEATURES:
        raise InputError(
            f"to learn a metric of {d:,} features takes {4 * 8 * d * d / 1e9:.1f} GB; "
            "reduce them first, to the leading directions of an SVD"
        )
    return np.asarray(X @ np.eye(d) if sp.issparse(X) else X, dtype=np.float64)


def _symmetric(turn: Array) -> Array:
    """The symmetric root of T T'."""
    left, values, _ = np.linalg.svd(turn)
    return np.asarray((left * values) @ left.T)


def power(A: Array, exponent: float) -> Array:
    """A symmetric matrix without negative eigenvalues to some power."""
    values, turn = np.linalg.eigh(A)
    values = np.maximum(values, np.finfo(float).tiny if exponent < 0 else 0.0)
    return np.asarray((turn * values**exponent) @ turn.T)
