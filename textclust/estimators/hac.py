"""Hierarchical agglomerative clustering as scikit-learn knows it."""

from __future__ import annotations

from typing import Self

from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Matrix
from textclust.methods.hac import HACSolver
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision

__all__ = ["HAC"]


@estimator_of("hac")
class HAC(PrototypeClusterer):
    """Hierarchical agglomerative clustering of sparse documents (Basu 2005, 2.2.1).

    Merges the two nearest clusters until `n_clusters` are left. Nothing is drawn at random.

    Parameters
    ----------
    n_clusters : int, default=8
    linkage : {"average", "complete", "single", "ward"}, default="average"
        The distance of two clusters: the mean, the largest or the least distance of their
        documents; or by how much their merge raises the sum of squared distances to the mean.
    distortion : {"cosine", "euclidean"}, default="cosine"
        The distance of two documents: 1 - cosine, or Euclidean (not squared, as in scipy).
        "ward" is Euclidean by nature; with "cosine" it takes rows at unit length.
    n_jobs : int or None, default=None
        Threads of `predict`.
    random_state : int, RandomState or None, default=None
        Without effect; all estimators have it.

    Attributes
    ----------
    labels_ : array of n
        The largest cluster is 0. Rows that coincide share a cluster, so there may be fewer
        clusters than asked for.
    children_ : array of (n - 1) x 2
        The two clusters that each merge joins, in the order of their heights: numbers below n
        are rows, and merge t makes cluster n + t, as in scikit-learn and scipy.
    distances_ : array of n - 1
        The heights of the merges, those of `scipy.cluster.hierarchy.linkage`.
    cluster_centers_ : array of k x d
        The mean directions, or means, of the clusters.
    objective_ : float
        The distortion of all documents from the centres of their clusters, as `KMeans` has it
        (for "euclidean" the squared distance); HAC does not minimise it.
    n_features_in_ : int

    Notes
    -----
    - Formula: ``sum_(i in A, j in B) d(x_i, x_j) / (|A| |B|)`` is the distance of clusters A
      and B under average linkage; max and min of d for complete and single, ``sqrt(2 |A| |B| /
      (|A| + |B|)) |mu_A - mu_B|`` for Ward.
    - Complexity: O(n nnz) time. O(n) memory beside the data for average linkage under the
      cosine, for Ward and for single linkage; at most 256 MB of distances in the other cases.
    - Paper: Basu 2005, 2.2.1; Davidson and Ravi 2005 for links.

    No table of all pairs is kept. Average linkage under the cosine and Ward take O(n) memory
    beside the data, single linkage too; complete linkage, the average of Euclidean distances and
    single linkage with cannot-links keep at most 256 MB of distances and work out the others
    when they are needed. Time grows with n times the stored entries: see docs/hierarchy.md.
    Rows of zeros have no direction under the cosine: they join last and are in cluster 0.

    Must-links are merged first, at height 0, and clusters with a cannot-link between them never
    (Davidson and Ravi 2005). The tree then ends where no merge is allowed, with fewer than n - 1
    of them; `fit` raises an InputError if that is before `n_clusters`.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 1.0]]
    >>> tc.HAC(2, distortion="euclidean").fit(X).labels_.tolist()
    [1, 1, 0, 0, 0]
    >>> links = tc.Constraints(must_link=[(0, 4)], cannot_link=[(0, 1)])
    >>> tc.HAC(3, distortion="euclidean").fit(X, constraints=links).labels_.tolist()
    [0, 2, 1, 1, 0]
    """

    def fit(self, X: Matrix, y: object = None, constraints: Constraints | None = None) -> Self:
        """Cluster the rows of X under constraints, if there are any; y is ignored."""
        X = self._validated(X, reset=True)
        solver = self.solver
        assert isinstance(solver, HACSolver)
        found = solver.find(X, Supervision(constraints=constraints))
        self.children_, self.distances_ = found.tree.merges, found.tree.heights
        self._keep(found.solution)
        return self
