"""k-means as a scikit-learn estimator."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from textclust.engine.online import RunningClusters
from textclust.estimators.base import estimator_of, given_weights
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Matrix, as_table
from textclust.supervision.given import NOTHING
from textclust.threads import thread_count

__all__ = ["KMeans", "SphericalKMeans"]


@estimator_of("kmeans")
class KMeans(PrototypeClusterer):
    """k-means for sparse documents: minimises sum_i w_i D(x_i, mu_{y_i}).

    Parameters
    ----------
    n_clusters : int, default=8
        k, the number of clusters.
    distortion : {"euclidean", "cosine", "kl", "i-divergence", "itakura-saito"}, default="euclidean"
        D. The prototype is always the one that belongs to it: the mean, the mean on the
        unit sphere, or the smoothed mean. An object of `textclust.geometry` sets how it is
        smoothed: ``KL(floor=0.1)``, ``ItakuraSaito(smoothing=0, floor=0)``.
    init : {"auto", "lsa", "k-means++", "perturbed", "farthest"} or array, default="auto"
        The start. "lsa" clusters in a small latent space first; "perturbed" is the start of
        Basu 2005; "auto" takes "lsa" where there are many features and "k-means++" where
        there are few. An array is k centres, or one label per document.
    n_init : int or "auto", default="auto"
        How many starts to try, in the latent space for "lsa"; "auto" is 10, and fewer in the
        latent space of a large collection.
    max_iter : int, default=200
        Iterations of one run, at most.
    tol : float, default=1e-6
        A run rests when an iteration lowers the energy by less than this share of it.
    refine : bool or "auto", default="auto"
        Follow each run by the first-variation search of Dhillon, Guan and Kogan 2002; "auto"
        does unless as_published.
    min_size : int or None, default=None
        How many documents every cluster is to have at least, counted by their weights. It is part
        of the energy, price * sum_h max(0, min_size - n_h): a document is moved into a cluster
        that is too small where that costs less than the price. `predict` goes by the prototypes
        alone, so rows that were moved may be elsewhere for it. None has no bound.
    size_price : float or "auto", default="auto"
        That price; "auto" is the mean distortion of a document from the centre of all.
    max_seconds : float or None, default=None
        How long the search may take. It ends with the step that is under way by then, and the
        best so far is the result; one start is always run for an iteration or two, however
        little time there is. None is no limit. Where the clock ends a search, the result depends
        on the machine.
    as_published : bool, default=False
        Run the method as its paper prints it: every setting that is left open ("auto" or None)
        is that of the paper, here init="perturbed", n_init=1 and refine=False.
    n_jobs : int or None, default=None
        Threads; None is one for each processor. The result does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        Makes runs repeatable.

    Attributes
    ----------
    labels_ : array of n
        The cluster of each document; cluster 0 has the most documents of any weight.
    cluster_centers_ : array of k x d
        The prototypes. A CSR array where X is one, k x d is 2^27 or more and X has at most a third
        as many entries, under "cosine" and "euclidean": a table would take 1 GB at least. All
        methods take it as it is, but `partial_fit` has a table always.
    objective_ : float
        The energy.
    objective_history_ : array
        The energy after each iteration; under an annealed distortion, of its last stage only.
    history_ : tuple of Step
        The energy, what moved, and seconds, for each iteration.
    n_iter_ : int
        Iterations of the best run.
    lacking_ : array of k or None
        How many documents each cluster has fewer than min_size.
    stopped_ : Stopped or None
        Where max_seconds ended the search: its `reason`, `seconds`, `limit`, `starts` that were
        tried, and whether single documents were `refined`. None where it came to its end.
    fitted_distortion_ : Distortion
        The distortion at its last stage, which `predict` uses.
    n_features_in_ : int
        d.

    Notes
    -----
    - Formula: ``sum_i w_i D(x_i, mu_{y_i})``, and with `min_size` the price of what clusters
      lack.
    - Complexity: O(nnz k) time for an iteration, and O(k d) memory beside the data, or O(nnz)
      where `cluster_centers_` are CSR.
    - Paper: Basu 2005, 2.3.1; Banerjee et al. 2005 for the divergences.

    The compiled core computes in single precision, and in double precision wherever that could
    make a difference, so the labels are those of double precision. Rows of zeros have no
    direction under "cosine" and "kl": they weigh nothing and go to cluster 0 where all clusters
    are equally far.

    Examples
    --------
    >>> import numpy as np
    >>> from textclust import KMeans
    >>> X = np.array([[0.0, 1.0], [0.1, 1.0], [5.0, 0.0]])
    >>> KMeans(n_clusters=2, random_state=0).fit(X).labels_.tolist()
    [0, 0, 1]
    """

    def fit(self, X: Matrix, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Cluster the rows of X; y is ignored."""
        self._running: RunningClusters | None = None
        self._keep(self._solved(X, sample_weight, NOTHING))
        return self

    def partial_fit(
        self, X: Matrix, y: object = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn from one more batch of documents, for collections too large to hold.

        The first batch is clustered as by `fit` and should have many documents for each
        cluster. Every later one is assigned to the nearest clusters, whose prototypes
        then move to the mean of all they were ever given (Sculley 2010). `labels_` and
        `objective_` are those of the latest batch.
        """
        running = getattr(self, "_running", None)
        X = self._validated(X, reset=running is None)
        weights = given_weights(sample_weight, X.shape[0])
        if running is None:
            solution = self.solver.solve(X, weights)
            solution = replace(solution, prototypes=as_table(solution.prototypes))
            self._keep(solution)
            self._running = RunningClusters.begin(X, weights, solution)
            return self
        labels, self.objective_ = running.absorb(X, weights, thread_count(self.n_jobs))
        self.labels_, self.cluster_centers_ = labels.astype(np.int32), running.prototypes
        return self


@estimator_of("kmeans", distortion="cosine")
class SphericalKMeans(KMeans):
    """Spherical k-means: documents and prototypes on the unit sphere, D = 1 - cosine.

    The same as ``KMeans(distortion="cosine")``; see there for parameters and attributes.

    Notes
    -----
    - Formula: ``sum_i w_i (1 - <x_i, mu_{y_i}>)``, with rows and prototypes of length 1.
    - Complexity: O(nnz k) time for an iteration.
    - Paper: Dhillon and Modha 2001; Basu 2005, 2.3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from textclust import SphericalKMeans
    >>> X = np.array([[1.0, 0.0], [9.0, 1.0], [0.0, 2.0]])
    >>> SphericalKMeans(n_clusters=2, random_state=0).fit(X).labels_.tolist()
    [0, 0, 1]
    """
