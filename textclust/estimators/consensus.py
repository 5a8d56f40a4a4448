"""Consensus clustering as a scikit-learn estimator."""

from __future__ import annotations

from typing import Self

from textclust.engine.problem import Solution
from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Matrix
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision

__all__ = ["ConsensusClustering"]


@estimator_of("consensus")
class ConsensusClustering(PrototypeClusterer):
    """The clusters that several runs of k-means agree on best.

    Minimises sum_h 1 / n_h sum_(i, j in h) (1 - a_ij), with a_ij the share of the runs in which
    documents i and j have the same label, and n_h the size of cluster h, plus the weight of every
    link that it breaks. That is k-means among the documents' clusters in the runs (Topchy, Jain
    and Punch 2005), for which no pair of documents has to be looked at.

    Parameters
    ----------
    n_clusters : int, default=8
        Of the consensus, and of every run.
    n_runs : int, default=20
        How many runs of k-means, each with random numbers of its own and one start.
    distortion : {"cosine", "euclidean"}, default="cosine"
        That of the runs.
    init, n_init
        Where the consensus begins: names of starts alone, as it is not among the terms.
    refine : bool or "auto", default="auto"
        Whether single documents are moved at the end, of the runs as of the consensus.
    max_seconds : float or None, default=None
        Half of the time is for the runs: those that were finished by then count.

    The other parameters are those of `HMRFKMeans`: links take no part in the runs. Documents
    cannot have weights.

    Attributes
    ----------
    labels_ : array of n
        The largest cluster is 0. A document may be nearer to another prototype.
    cluster_centers_ : array of k x d
        The mean directions, or means, of the clusters among the documents; `predict` gives the
        nearest.
    objective_ : float
        The energy above, which is about co-associations and not about distances of documents.
        Where `max_iter` or `max_seconds` ends the search before it comes to rest, it is a bound
        of it from above.

    The other attributes are those of `HMRFKMeans`.

    Notes
    -----
    - Formula: ``sum_h 1 / n_h sum_(i, j in h) (1 - a_ij)``, plus the weights of violated links.
    - Complexity: that of `n_runs` runs of k-means and of one more with n_runs entries in a row;
      O(n n_runs) memory.
    - Paper: Topchy, Jain and Punch 2005; Fred and Jain 2005 for the shares a_ij.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [1.0, 0.0], [1.0, 0.1], [0.9, 0.0]]
    >>> tc.ConsensusClustering(2, random_state=0).fit(X).labels_.tolist()
    [1, 1, 0, 0, 0]
    """

    def fit(self, X: Matrix, y: object = None, constraints: Constraints | None = None) -> Self:
        """Cluster the rows of X under these constraints; y is ignored."""
        self._keep(self._solved(X, None, Supervision(constraints=constraints)))
        return self

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        self.violations_ = solution.violations
        self.link_prices_ = solution.link_prices
        self.emphasis_ = solution.emphasis
