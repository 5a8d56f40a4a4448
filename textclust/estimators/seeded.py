"""Seeded-KMeans and Constrained-KMeans as scikit-learn knows them."""

from __future__ import annotations

from typing import Self

from numpy.typing import ArrayLike

from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Matrix
from textclust.supervision.given import Supervision
from textclust.supervision.seeds import Seeds

__all__ = ["ConstrainedKMeans", "SeededClusterer", "SeededKMeans"]


class SeededClusterer(PrototypeClusterer):
    """An estimator that takes the classes of some rows."""

    def fit(
        self, X: Matrix, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Cluster the rows of X from the seeds in y: a class for each row, -1 or None for none.

        Classes are whole numbers or strings. Cluster h is class h; strings, and numbers that
        are not all below n_clusters, are numbered in their order.
        """
        self._keep(self._solved(X, sample_weight, Supervision(seeds=y)))
        self.classes_ = list(Seeds.of(y, len(self.labels_), self.cluster_centers_.shape[0]).classes)
        return self


@estimator_of("seeded")
class SeededKMeans(SeededClusterer):
    """k-means that starts where labelled documents lie (Basu 2005, 3.2).

    A label may turn out wrong: after the start the seeds are documents like all others.

    Parameters
    ----------
    n_clusters : int, default=8
        k; there may be clusters without seeds.
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"
    init : {"auto", "seeds", "lsa", "k-means++", "perturbed", "farthest"} or array, default="auto"
        "seeds" is the start of the thesis: each cluster at the centroid of its seeds, one
        without seeds near the centroid of all documents. "auto" first finds the clustering of
        lowest energy that keeps every seed in its cluster, also from a small latent space,
        and starts there; `refine` then bears on that alone. An array is k centres: seeds as
        centres.

    as_published : bool, default=False
        init="seeds", n_init=1 and refine=False where these are left open.

    Attributes
    ----------
    classes_ : list
        The class of each cluster, None for one without seeds.

    The other parameters, the attributes and `predict` are those of `KMeans`.

    Notes
    -----
    - Formula: ``sum_i w_i D(x_i, mu_{y_i})``, as for `KMeans`; the seeds decide where the
      search begins.
    - Complexity: O(nnz k) time for an iteration.
    - Paper: Basu 2005, 3.2.

    Examples
    --------
    >>> from textclust import SeededKMeans
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2]]
    >>> SeededKMeans(2).fit(X, [1, -1, 0, -1]).labels_.tolist()
    [1, 1, 0, 0]
    >>> SeededKMeans(2).fit(X, ["up", None, "along", None]).classes_
    ['along', 'up']
    """


@estimator_of("constrained")
class ConstrainedKMeans(SeededClusterer):
    """k-means in which labelled documents stay where their label says (Basu 2005, 3.2).

    The right choice where labels are to be trusted; `SeededKMeans` bears wrong ones. The
    parameters are those of `SeededKMeans`. `predict` says the nearest cluster, of a seed
    too; `labels_` has every seed in its own.

    Notes
    -----
    - Formula: ``sum_i w_i D(x_i, mu_{y_i})`` over labels y that have every seed in the cluster
      of its class.
    - Complexity: O(nnz k) time for an iteration.
    - Paper: Basu 2005, 3.2.

    Examples
    --------
    >>> from textclust import ConstrainedKMeans
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2]]
    >>> ConstrainedKMeans(2).fit(X, [1, 0, 0, -1]).labels_.tolist()
    [1, 0, 0, 0]
    """
