"""k-means without supervision, in the geometry of any distortion (Basu 2005, 2.3).

Estimators are dataclasses: the generated `__init__` does what scikit-learn asks of it,
store every parameter untouched, and a subclass names only what it changes.
"""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from textclust import geometry
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix, nearest
from textclust.methods.problem import Problem, Solution
from textclust.methods.search import STARTS, candidate_starts, in_canonical_order, lowest_energy
from textclust.parameters import Anything, Flag, Number, OneOf, Rule, Whole, check

__all__ = ["KMeans", "SphericalKMeans"]


@dataclass(repr=False, eq=False)
class KMeans(ClusterMixin, BaseEstimator):
    """k-means for sparse documents: minimises sum_i w_i D(x_i, mu_{y_i}).

    Parameters
    ----------
    n_clusters : int, default=8
        k, the number of clusters.
    distortion : {"euclidean", "cosine", "kl", "i-divergence"}, default="euclidean"
        D. The prototype is always the one that belongs to it: the mean, the mean on the
        unit sphere, or the smoothed mean distribution.
    init : {"auto", "lsa", "k-means++", "perturbed", "farthest"} or array, default="auto"
        The start. "lsa" clusters in a small latent space first; "perturbed" is the start of
        Basu 2005; "auto" takes "lsa" where there are many features and "k-means++" where
        there are few. An array is k centres, or one label per document.
    n_init : int or "auto", default="auto"
        How many starts to try, in the latent space for "lsa"; "auto" is 10.
    max_iter : int, default=200
        Iterations of one run, at most.
    tol : float, default=1e-6
        A run rests when an iteration lowers the energy by less than this share of it.
    refine : bool, default=True
        Follow each run by the first-variation search of Dhillon, Guan and Kogan 2002.
    n_jobs : int or None, default=None
        Threads to share the starts among; the result does not depend on it.
    random_state : int, RandomState or None, default=None
        Makes runs repeatable.

    Attributes
    ----------
    labels_ : array of n
        The cluster of each document; cluster 0 has the most documents of any weight.
    cluster_centers_ : array of k x d
        The prototypes.
    objective_ : float
        The energy.
    objective_history_ : array
        The energy after each iteration; under an annealed distortion, of its last stage only.
    history_ : tuple of Step
        The energy after each half-step, what moved, and seconds, for each iteration.
    n_iter_ : int
        Iterations of the best run.
    fitted_distortion_ : Distortion
        The distortion at its last stage, which `predict` uses.
    n_features_in_ : int
        d.

    Notes
    -----
    An iteration costs O(nnz k) time, and O(k d) memory beside the data. Rows of zeros
    have no direction under "cosine" and "kl": they weigh nothing and fall to cluster 0
    where all clusters are equally far.

    Examples
    --------
    >>> import numpy as np
    >>> from textclust import KMeans
    >>> X = np.array([[0.0, 1.0], [0.1, 1.0], [5.0, 0.0]])
    >>> KMeans(n_clusters=2, random_state=0).fit(X).labels_.tolist()
    [0, 0, 1]
    """

    _parameters: ClassVar[dict[str, Rule]] = {
        "n_clusters": Whole(1),
        "distortion": OneOf(tuple(geometry.DISTORTIONS), (geometry.Distortion,)),
        "init": OneOf(STARTS, (np.ndarray, list, tuple)),
        "n_init": Whole(1, ("auto",)),
        "max_iter": Whole(1),
        "tol": Number(0.0),
        "refine": Flag(),
        "n_jobs": Anything(),
    }

    n_clusters: int = 8
    _: KW_ONLY
    distortion: Any = "euclidean"
    init: Any = "auto"
    n_init: int | str = "auto"
    max_iter: int = 200
    tol: float = 1e-6
    refine: bool = True
    n_jobs: int | None = None
    random_state: Any = None

    def fit(self, X: Matrix, y: Any = None, sample_weight: Any = None) -> Self:
        """Cluster the rows of X; y is ignored."""
        check(self, self._parameters)
        X = self._validated(X, reset=True)
        problem = self._problem(X, _weights(sample_weight, X.shape[0]))
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        starts = candidate_starts(problem, self.init, self.n_init, rng)
        solution = lowest_energy(
            problem,
            starts,
            max_iter=self.max_iter,
            tol=self.tol,
            refine=self.refine,
            rng=rng,
            n_jobs=self.n_jobs,
        )
        self._keep(in_canonical_order(problem, solution))
        return self

    def predict(self, X: Matrix) -> Labels:
        """The nearest cluster of each row."""
        check_is_fitted(self)
        X = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        return nearest(X, self.fitted_distortion_.affine(self.cluster_centers_)).labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        distortion = self.distortion
        if isinstance(distortion, str):
            distortion = geometry.DISTORTIONS.get(distortion)
        tags.input_tags.positive_only = getattr(distortion, "non_negative", False)
        return tags

    def _problem(self, X: Matrix, weights: Array) -> Problem:
        distortion = geometry.get(self.distortion)
        problem = Problem(distortion.prepare(X), distortion, self.n_clusters, weights)
        if not problem.weighty.any():
            raise InputError("nothing to cluster: every row of X is zero or has weight zero")
        if not np.isfinite(distortion.own_costs(problem.X)).all():
            raise InputError("the values of X are too large to be squared; scale them down")
        return problem

    def _validated(self, X: Matrix, reset: bool) -> Matrix:
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32])
        if sp.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        if reset and X.shape[0] < self.n_clusters:
            raise InputError(
                f"n_clusters={self.n_clusters} is more than the n_samples={X.shape[0]} "
                "documents there are; ask for fewer clusters"
            )
        return X

    def _keep(self, solution: Solution) -> None:
        self.fitted_distortion_ = solution.distortion
        self.labels_ = solution.labels.astype(np.int32)
        self.cluster_centers_ = solution.prototypes
        self.objective_ = solution.energy
        self.history_ = solution.history
        self.objective_history_ = np.array([step.updated for step in solution.history])
        self.n_iter_ = solution.n_iter
        found = len(np.unique(self.labels_))
        if found < self.n_clusters:
            message = f"{found} distinct clusters found where n_clusters={self.n_clusters}: "
            message += "there may be too many identical documents"
            warnings.warn(message, ConvergenceWarning, stacklevel=3)


@dataclass(repr=False, eq=False, kw_only=True)
class SphericalKMeans(KMeans):
    """Spherical k-means: documents and prototypes on the unit sphere, D = 1 - cosine.

    The same as ``KMeans(distortion="cosine")``; see there for parameters and attributes.
    Reference: Dhillon and Modha 2001; Basu 2005, section 2.3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from textclust import SphericalKMeans
    >>> X = np.array([[1.0, 0.0], [9.0, 1.0], [0.0, 2.0]])
    >>> SphericalKMeans(n_clusters=2, random_state=0).fit(X).labels_.tolist()
    [0, 0, 1]
    """

    distortion: Any = "cosine"


def _weights(sample_weight: Any, n: int) -> Array:
    if sample_weight is None:
        return np.ones(n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,) or not np.isfinite(weights).all() or weights.min() < 0:
        raise InputError(f"sample_weight must be {n} finite numbers of at least 0")
    return weights
