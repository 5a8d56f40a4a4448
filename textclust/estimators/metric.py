"""M-KMeans and MPC-KMeans as scikit-learn knows them."""

from __future__ import annotations

from dataclasses import dataclass

from textclust.estimators.constrained import HMRFKMeans
from textclust.estimators.face import Face
from textclust.geometry.weighted import WeightedEuclidean
from textclust.methods.mpckmeans import MKMeansRecipe, MPCKMeansRecipe
from textclust.methods.problem import Solution

__all__ = ["MKMeans", "MPCKMeans"]


class _MetricFace(Face):
    """A face that shows the metric too."""

    metric: str

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        assert isinstance(solution.distortion, WeightedEuclidean)
        weights = solution.distortion.weights
        self.metric_ = weights if self.metric == "local" else weights[0]


@dataclass(repr=False, eq=False)
class MPCKMeans(MPCKMeansRecipe, _MetricFace):
    """k-means that learns which features matter from the clusters and the links they break.

    Minimises sum_i |x_i - mu_{y_i}|_A^2 - log det A + w f for every broken link, with A a
    weight for every feature (Basu, Bilenko and Mooney 2003, eq. 4). To part a must-link costs
    f = max(0, alpha - |x_i - x_j|_A^2), to join a cannot-link f = min(|x_i - x_j|_A^2, alpha),
    where alpha is the largest squared distance of a must-link under A (of a cannot-link, where
    there are no must-links).

    Parameters
    ----------
    n_clusters : int, default=8
    metric : {"global", "local"}, default="global"
        One A for all clusters, whose log det counts once, as printed; or an A_h for each, whose
        log det counts once for every document of the cluster (Bilenko, Basu and Mooney 2004).
        Then a parted must-link costs the mean of the f of the two clusters, a joined
        cannot-link the f of its cluster.
    weight : float, default=1.0
        w, for a link of weight 1.
    init : {"auto", "neighbourhoods", "largest", "lsa", "k-means++", ...} or array, default="auto"
        "largest" is the start of the paper; see `HMRFKMeans`. Starts are found in Euclidean
        space, and the metric starts there; "auto" also starts where every feature has the same
        variance, and where the clusters would be without links, and keeps what has the lowest
        energy.

    The other parameters and attributes are those of `HMRFKMeans`, with ``distortion="euclidean"``
    fixed; `predict` says the nearest cluster under the metric.

    Attributes
    ----------
    metric_ : array of d, or of k x d for local metrics
        The weight of each feature.

    Notes
    -----
    The weights have a closed form, a_d = 1 / (scatter within clusters - parted must-links +
    joined cannot-links), which can be zero or negative: the variance of a feature within
    clusters counts as at least a hundredth of its variance in all. A metric that would raise
    the energy is not taken, but one on the way to it. A feature that never varies keeps the
    weight 1. Nothing is made dense: an iteration costs twice that of `KMeans`, and the links.

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

    fit = HMRFKMeans.fit


@dataclass(repr=False, eq=False)
class MKMeans(MKMeansRecipe, _MetricFace):
    """k-means that learns a weight for every feature, and needs no links for it.

    Minimises sum_i |x_i - mu_{y_i}|_A^2 - log det A (Basu, Bilenko and Mooney 2003, eq. 2):
    features that vary little within clusters weigh more. Links, where they are given, bear on
    the start alone. The parameters and attributes are those of `MPCKMeans`.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 90.0], [1.0, 10.0], [0.2, 50.0], [8.0, 90.0], [9.0, 10.0], [8.5, 50.0]]
    >>> tc.MKMeans(2, init=[0, 0, 0, 1, 1, 0]).fit(X).labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    """

    fit = HMRFKMeans.fit
