"""M-KMeans and MPC-KMeans as scikit-learn knows them."""

from __future__ import annotations

from textclust.engine.problem import Solution
from textclust.estimators.base import ConstrainedClusterer, estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.weighted import WeightedEuclidean

__all__ = ["MKMeans", "MPCKMeans"]


class _MetricClusterer(PrototypeClusterer, ConstrainedClusterer):
    """A face that shows the metric too."""

    metric: str

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        assert isinstance(solution.distortion, WeightedEuclidean)
        weights = solution.distortion.weights
        self.metric_ = weights if self.metric == "local" else weights[0]


@estimator_of("mpckmeans")
class MPCKMeans(_MetricClusterer):
    """k-means that learns which features matter from the clusters and the links they break.

    Minimises sum_i |x_i - mu_{y_i}|_A^2 - log det A + w f for every broken link, with A a
    weight for every feature or a full matrix (Basu, Bilenko and Mooney 2003, eq. 4). To part a
    must-link costs f = max(alpha_min, alpha_max - |x_i - x_j|_A^2), to join a cannot-link
    f = min(alpha_min + |x_i - x_j|_A^2, alpha_max).

    Parameters
    ----------
    n_clusters : int, default=8
    metric : {"global", "local"}, default="global"
        One A for all clusters, whose log det counts once, as printed; or an A_h for each, whose
        log det counts once for every document of the cluster (Bilenko, Basu and Mooney 2004).
        Then a violated must-link costs the mean of the f of the two clusters, a violated
        cannot-link the f of its cluster.
    matrix : {"diagonal", "full"}, default="diagonal"
        A weight for every feature, or for every two features (3.3): a full matrix sees clusters
        that are thin in a direction along no axis. It is for few features: at most 200, and
        n d^2 of at most 10^8, links counted as rows.
    weight : float, default=1.0
        w, for a link of weight 1.
    alpha_min, alpha_max : float, default="auto" and 1.0
        The least and the most that a broken link costs, as fractions of the largest squared
        distance of a must-link under A, which the paper proposes (2.4); of a cannot-link, where
        no two must-linked rows differ. The experiments of the paper have 0 and 1. Then the
        longest must-link costs nothing to break, so that a single one never counts, and nor does
        a cannot-link between two equal rows: so it is as published. "auto" is half of
        alpha_max, which keeps every link worth having while short must-links still cost twice as
        much as long ones; of seven pairs of bounds tried on a few folds of the paper's tables
        none was clearly best.
    init : {"auto", "neighbourhoods", "largest", "lsa", "k-means++", ...} or array, default="auto"
        "largest" is the start of the paper; see `HMRFKMeans`. Starts are found in Euclidean
        space, and the metric starts there; "auto" also starts where every feature has the same
        variance, and where the clusters would be without links, and keeps what has the lowest
        energy.

    The other parameters and attributes are those of `HMRFKMeans`, with ``distortion="euclidean"``
    fixed; `predict` says the nearest cluster under the metric.

    Attributes
    ----------
    metric_ : array of d, or of k x d for local metrics; d x d, or k x d x d for full matrices
        A: the weight of each feature, or of each two.

    Notes
    -----
    - Formula: ``sum_i |x_i - mu_{y_i}|_A^2 - log det A + sum of w f over violated links``, with
      f as above.
    - Complexity: O(nnz k) time for an iteration, twice that of `KMeans`, and O(nnz d) with a
      full matrix; O(1) for each link in a sweep, O(d) with a full matrix.
    - Paper: Basu, Bilenko and Mooney 2003, 2.4, section 3 and eq. 4.

    A has a closed form, the inverse of (scatter within clusters - violated must-links + joined
    cannot-links), which need not be positive: the variance within clusters counts as at least a
    hundredth of the variance in all, for each feature or, under a full matrix, in each
    direction. A metric that would raise the energy is not taken, but one on the way to it.
    Where nothing varies the weight is 1. Nothing is made dense.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 9.0], [1.0, 1.0], [0.2, 5.0], [8.0, 9.0], [9.0, 1.0], [8.5, 5.0]]
    >>> links = tc.Constraints(must_link=[(0, 1), (0, 2), (3, 4)], cannot_link=[(0, 3)])
    >>> model = tc.MPCKMeans(2, random_state=0).fit(X, constraints=links)
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> bool(model.metric_[0] > model.metric_[1])
    True
    """


@estimator_of("mkmeans")
class MKMeans(_MetricClusterer):
    """k-means that learns a metric from the clusters and, where there are links, from these.

    `MPCKMeans` from a start that looks at no links (Basu, Bilenko and Mooney 2003, 4.2: "K-Means
    clustering with the metric learning component described in Section 3.3, without utilizing
    constraints for seeding"). It needs no links: without them it minimises
    sum_i |x_i - mu_{y_i}|_A^2 - log det A (eq. 2), and features that vary little within clusters
    weigh more.

    Parameters
    ----------
    use_constraints : {"both", "metric"}, default="both"
        Section 4.2 does not say whether the assignment looks at links. "both": it does, as in
        3.2, so that M-KMeans minimises eq. (4) as `MPCKMeans` does. "metric": links teach the
        metric alone, and every document goes to its nearest cluster; where that would raise
        eq. (4) the linked documents stay where they are, and single documents are not refined.
        This can do harm: nothing mends a broken link, so with many links the sums over them
        outweigh the scatter, and the metric of 3.3 is held up by its floor alone.
    init : {"auto", "lsa", "k-means++", "perturbed", "farthest"} or array, default="auto"
        As for `KMeans`.

    The other parameters and attributes are those of `MPCKMeans`.

    Notes
    -----
    - Formula: that of `MPCKMeans`; without links ``sum_i |x_i - mu_{y_i}|_A^2 - log det A``.
    - Complexity: as for `MPCKMeans`, O(nnz k) time for an iteration.
    - Paper: Basu, Bilenko and Mooney 2003, 4.2.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 90.0], [1.0, 10.0], [0.2, 50.0], [8.0, 90.0], [9.0, 10.0], [8.5, 50.0]]
    >>> tc.MKMeans(2, init=[0, 0, 0, 1, 1, 0]).fit(X).labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    """
