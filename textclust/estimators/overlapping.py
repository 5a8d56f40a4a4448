"""Overlapping k-means as a scikit-learn estimator."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.blends import Blend, blend_of
from textclust.geometry.distortion import Distortion
from textclust.methods.overlapping import OverlappingKMeansSolver, cheapest_sets, primary
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision

__all__ = ["OverlappingKMeans"]


@estimator_of("overlapping")
class OverlappingKMeans(PrototypeClusterer):
    """Documents in one cluster or in several (Banerjee et al. 2005; Basu 2005, 7.3).

    A document is near the combination of the prototypes of its clusters: their sum under the
    Euclidean distance, the I-divergence and Itakura-Saito, the direction of their sum under the
    cosine, their mean under KL.

    Parameters
    ----------
    n_clusters : int, default=8
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"
    price : float, default=0.0
        What each cluster beyond the first costs a document; 0 is the paper. Under the cosine
        a fifth to a third of the texts are then in several clusters, at 0.02 next to none.
    weight : float or "auto", default="auto"
        What it costs to break a link of weight 1: a must-link between documents that share no
        cluster, a cannot-link between documents that share one. "auto" is as for `HMRFKMeans`.
    search : {"auto", "exact", "greedy"}, default="auto"
        How the clusters of a document are found: among all sets of clusters, or by adding the
        best further one from each single cluster (dynamicM of the paper). "auto" is "exact" for
        up to 8 clusters.

    The other parameters are those of `KMeans`, which it starts from.

    Attributes
    ----------
    memberships_ : array of n x k, bool
        Which clusters each document is in: at least one.
    labels_ : array of n
        The nearest of them.
    broken_ : array of bool
        Which of the links given are broken, must-links first; empty without links.

    The other attributes are those of `KMeans`. `predict` says the nearest cluster of new rows, and
    `memberships` all of them.

    Notes
    -----
    - Formula: ``sum_i w_i [D(x_i, Z_i A) + price (|Z_i| - 1)]``, plus the weight of every link
      it breaks. Z_i is the set of clusters of a document, A has the prototypes.
    - Complexity: O(nnz k) time for an iteration, and the sets that are tried for each document:
      all 2^k - 1, or at most k^3 when greedy.
    - Paper: Banerjee et al. 2005 (dynamicM); Basu 2005, 7.3.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[3.0, 0.0], [3.1, 0.1], [0.0, 3.0], [0.1, 3.1], [3.0, 3.0]]
    >>> model = tc.OverlappingKMeans(2, distortion="euclidean", init=[[3.0, 0.0], [0.0, 3.0]])
    >>> model.fit(X).memberships_.sum(axis=1).tolist()
    [1, 1, 1, 1, 2]
    """

    fitted_distortion_: Distortion

    def fit(
        self,
        X: Matrix,
        y: object = None,
        constraints: Constraints | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Cluster the rows of X, under these constraints if any; y is ignored."""
        solution = self._solved(X, sample_weight, Supervision(constraints=constraints))
        self._keep(solution)
        assert solution.memberships is not None
        self.memberships_: Array = solution.memberships
        judged = solution.links
        self.broken_ = np.zeros(0, bool) if judged is None else judged.violated
        return self

    def memberships(self, X: Matrix) -> Array:
        """Which clusters each row is in."""
        return self._found(X)[1]

    def predict(self, X: Matrix) -> Labels:
        """The nearest of the clusters that each row is in."""
        blend, found = self._found(X)
        return primary(blend, self.cluster_centers_, found)

    def _found(self, X: Matrix) -> tuple[Blend, Array]:
        check_is_fitted(self)
        prepared = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        each = np.broadcast_to(1.0, prepared.shape[0])
        solver = self.solver
        assert isinstance(solver, OverlappingKMeansSolver)
        blend = blend_of(prepared, each, self.fitted_distortion_)
        price, exact = float(self.price), solver.is_exact
        return blend, cheapest_sets(blend, self.cluster_centers_, price, exact=exact)
