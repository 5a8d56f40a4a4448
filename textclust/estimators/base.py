"""What every clustering estimator has in common towards scikit-learn.

An estimator has a method: its parameters are those that the registry declares for the method, and
`fit` hands them to it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import ClassVar, Self, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from textclust import geometry
from textclust.csr import sound
from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import make_backend
from textclust.geometry.expansion import Placing
from textclust.geometry.parts import PartedRows, refuse_parts
from textclust.geometry.rows import canonical
from textclust.geometry.validation import check_weights, in_range
from textclust.methods import METHODS
from textclust.methods.solver import Solver
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.threads import thread_count

__all__ = ["BaseClusterer", "ConstrainedClusterer", "estimator_of", "given_weights"]

Estimator = TypeVar("Estimator", bound="BaseClusterer")


def estimator_of(method: str, **defaults: object) -> Callable[[type[Estimator]], type[Estimator]]:
    """Give a class the parameters of a method; `defaults` are those that differ from its own."""

    def decorate(cls: type[Estimator]) -> type[Estimator]:
        solver = METHODS[method].solver_class()
        parameters = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)]
        for each in fields(solver):
            kind = Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD
            default = defaults.get(each.name, each.default)
            assert default is not MISSING, f"{each.name} of {solver.__name__} has no default"
            parameters.append(Parameter(each.name, kind, default=default))
        cls.__init__ = _initialiser(Signature(parameters))  # type: ignore[method-assign]
        cls._solver_class, cls._in_parts = solver, METHODS[method].in_parts
        return cls

    return decorate


def _initialiser(signature: Signature) -> Callable[..., None]:
    """An `__init__` that does what scikit-learn asks: store every parameter untouched."""

    def initialise(self: object, *arguments: object, **named: object) -> None:
        given = signature.bind(self, *arguments, **named)
        given.apply_defaults()
        for name, value in list(given.arguments.items())[1:]:
            setattr(self, name, value)

    initialise.__name__ = "__init__"
    initialise.__signature__ = signature  # type: ignore[attr-defined]
    return initialise


class BaseClusterer(ClusterMixin, BaseEstimator):
    """Validation, what a solution leaves behind, and `predict`."""

    _solver_class: ClassVar[type[Solver]]
    _in_parts: ClassVar[bool]
    fitted_distortion_: Placing
    n_clusters: int | str  # a word where the method chooses
    n_jobs: int | None

    def __init__(self, n_clusters: int | str = 8, **parameters: object) -> None:
        raise TypeError("a class without a method; see estimator_of")

    @property
    def solver(self) -> Solver:
        """The method with the parameters of this estimator."""
        return self._solver_class(**self.get_params(deep=False))

    def predict(self, X: Matrix) -> Labels:
        """The nearest cluster of each row."""
        check_is_fitted(self)
        X = self.fitted_distortion_.prepare(self._rows_to_place(X))
        form = self.fitted_distortion_.affine(self.cluster_centers_)
        return make_backend(X, thread_count(self.n_jobs)).assign(form).labels

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        distortion = getattr(self, "distortion", None)
        if isinstance(distortion, str) and distortion in geometry.DISTORTIONS:
            distortion = geometry.distortion_class(distortion)
        tags.input_tags.positive_only = getattr(distortion, "non_negative", False)
        return tags

    def _validated(self, X: Matrix, reset: bool) -> Matrix:
        if isinstance(X, PartedRows) and self._in_parts:
            return in_range(self._with_columns(X, reset))
        refuse_parts(X, type(self).__name__)
        X = sound(X) if sp.issparse(X) else X
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])
        return in_range(canonical(X) if sp.issparse(X) else X)

    def _rows_to_place(self, X: Matrix) -> Matrix:
        """Checked rows, sparse where the prototypes are."""
        X = self._validated(X, reset=False)
        centres = getattr(self, "cluster_centers_", None)
        to_convert = sp.issparse(centres) and isinstance(X, np.ndarray)
        return sp.csr_array(X) if to_convert else X

    def _with_columns(self, X: PartedRows, reset: bool) -> PartedRows:
        """Rows that lie elsewhere, where they were checked; as many columns as in `fit`."""
        if reset:
            self.n_features_in_ = X.shape[1]
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
        elif X.shape[1] != self.n_features_in_:
            name = type(self).__name__
            raise ValueError(
                f"X has {X.shape[1]} features, but {name} is expecting {self.n_features_in_} "
                "features as input"
            )
        return X

    def _solved(
        self, X: Matrix, sample_weight: ArrayLike | None, supervision: Supervision
    ) -> Solution:
        """What the method makes of rows to be fitted."""
        X = self._validated(X, reset=True)
        return self.solver.solve(X, given_weights(sample_weight, X.shape[0]), supervision)

    def _keep(self, solution: Solution) -> None:
        self.fitted_distortion_ = solution.distortion
        self.labels_ = solution.labels.astype(np.int32)
        self.cluster_centers_ = solution.prototypes
        self.objective_ = solution.energy
        self.history_ = solution.history
        self.objective_history_ = np.array([step.energy for step in solution.history])
        self.n_iter_ = solution.n_iter
        self.lacking_ = solution.lacking
        self.stopped_ = solution.stopped
        found = len(np.unique(self.labels_))
        if not isinstance(self.n_clusters, str) and found < self.n_clusters:
            message = f"{found} distinct clusters found for n_clusters={self.n_clusters}: "
            message += "there may be too many identical or linked documents"
            warnings.warn(message, ConvergenceWarning, stacklevel=3)


class ConstrainedClusterer(BaseClusterer):
    """An estimator that clusters under pairwise constraints."""

    def fit(
        self,
        X: Matrix,
        y: object = None,
        constraints: Constraints | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Cluster the rows of X under these constraints; y is ignored."""
        self._keep(self._solved(X, sample_weight, Supervision(constraints=constraints)))
        return self

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        self.violations_ = solution.violations
        self.link_prices_ = solution.link_prices
        self.emphasis_ = solution.emphasis


def given_weights(sample_weight: ArrayLike | None, n: int) -> Array:
    """The weights of n documents, 1 where nothing is said."""
    if sample_weight is None:
        return np.broadcast_to(1.0, n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,) or not np.isfinite(weights).all() or weights.min() < 0:
        raise InputError(f"sample_weight must be {n} finite numbers of at least 0")
    check_weights(weights, "sample_weight")
    return weights
