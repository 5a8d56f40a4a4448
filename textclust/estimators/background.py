"""SemiHard and SemiFuzzy as scikit-learn knows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from textclust.engine.problem import Solution
from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Matrix
from textclust.supervision.background.labelled import Background
from textclust.supervision.given import Supervision

__all__ = ["SemiFuzzy", "SemiHard"]


class BackgroundClusterer(PrototypeClusterer):
    """An estimator that takes older, labelled documents."""

    def fit(
        self,
        X: Matrix,
        y: object = None,
        background: Background | None = None,
        feature_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Cluster the rows of X by the classes of a background; y is ignored."""
        given = Supervision(background=background, features=feature_names)
        solution = self._solved(X, sample_weight, given)
        self._keep(solution)
        self._keep_background(solution)
        return self

    def _keep_background(self, solution: Solution) -> None:
        for name in ("memberships_", "classes_", "novelty_", "known_", "cluster_weights_"):
            if hasattr(self, name):  # of an earlier fit
                delattr(self, name)
        if solution.memberships is not None:
            self.memberships_ = solution.memberships
        found = solution.background
        if found is None:
            return
        assert found.known is not None
        self.classes_ = list(found.classes)
        self.novelty_, self.known_ = found.novelty, found.known.astype(np.int32)
        self.cluster_weights_ = found.weights


@estimator_of("semihard")
class SemiHard(BackgroundClusterer):
    """New documents in the classes of older, labelled ones (Gao, Tan and Cheng 2005).

    The old documents may have other features; only the shared ones count. Cluster j is class j
    of the background; clusters beyond its classes are new.

    Parameters
    ----------
    n_clusters : int, default=8
        k. With fewer clusters than classes, those classes stay that most of the new documents
        are nearest to.
    labeller : None, {"naive-bayes", "nearest"} or classifier, default=None
        None lets the old documents take part themselves, in the features they share, each
        held in the cluster of its class; if that changes the clusters found without them by
        less than a tenth of the documents, these are taken instead and only named. (Under the
        Euclidean distance, where a feature that is not shared is not 0, it is "nearest".) With a
        labeller it is the method of the paper: the labeller learns from the old documents,
        and to leave the class it names with confidence costs R. Any classifier with
        `predict_proba` will do.
    R : float or "auto", default="auto"
        How much the background counts. Without a labeller the weight of an old document beside
        1 for a new one; "auto" is 5. With one, the price of leaving a class, times the weights
        of both clusters; "auto" is a tenth of the mean distortion of a document from the centre
        of all, as for links. 0 is k-means.
    threshold : float or "auto", default="auto"
        The confidence from which on a document counts as known; "auto" is 0.9, or less for a
        class of which fewer than a tenth of the documents named for it would be known.
        `NearestNeighbourLabeller` has a threshold of its own, `delta`.
    init : {"auto", "confident", "lsa", "k-means++", ...} or array, default="auto"
        For a labeller: "confident" is the start of the paper, the centroids of the documents
        that it is confident of. "auto" tries that and those of `KMeans`, and keeps the lowest
        energy.
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"

    The other parameters are those of `KMeans`.

    Attributes
    ----------
    classes_ : list
        The class of each cluster, None for a new one.
    novelty_ : array of n
        The share of the old documents that fit some class better than this document fits any:
        near 1 where it fits none that is known.
    known_ : array of n
        The class that the labeller is confident of, by its place in `background.classes`; -1
        for none.
    cluster_weights_ : array of k
        w_j: how well the shared features tell each cluster apart (eq. 2.5).

    The other attributes are those of `KMeans`. Without a background the four above are missing.

    Notes
    -----
    - Formula: ``sum_i D(x_i, mu_{y_i}) + R sum_l D(x_l, mu_{c_l})`` over the old documents l
      and their classes c; with a labeller ``sum_i D(x_i, mu_{y_i}) + R sum_{i known} sum_j w_j
      |t_ij - f_ij|``, with t 1 in the cluster of a document and 0 elsewhere, and f 1 in the
      class it is known for.
    - Complexity: O(nnz k) time for an iteration, old documents included.
    - Paper: Gao, Tan and Cheng 2005, 3.1; 2.2 for the labellers.

    Examples
    --------
    >>> import textclust as tc
    >>> old = tc.Background([[1.0, 0.0], [0.0, 1.0]], ["cars", "bikes"], ["engine", "pedal"])
    >>> X = [[2.0, 0.1, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 1.0]]
    >>> model = tc.SemiHard(2, random_state=0)
    >>> _ = model.fit(X, background=old, feature_names=["engine", "pedal", "clutch"])
    >>> [model.classes_[label] for label in model.labels_]
    ['cars', 'bikes', 'cars']
    """


@estimator_of("semifuzzy")
class SemiFuzzy(BackgroundClusterer):
    """The same with memberships: every document in every cluster to some degree.

    Parameters and attributes are those of `SemiHard`, but that there always is a labeller
    ("nearest" under the Euclidean distance, else "naive-bayes"), whose confidences the memberships
    are drawn to, and that R is the price of their squared difference.

    Attributes
    ----------
    memberships_ : array of n x k
        They sum to one in each row. `labels_` has the cluster of the largest.

    Notes
    -----
    - Formula: ``sum_i sum_j t_ij^2 D(x_i, mu_j) + R sum_{i known} sum_j w_j (t_ij - f_ij)^2``,
      with t the memberships and f the confidences of the labeller.
    - Complexity: O(nnz k) time for an iteration, and O(n k) memory.
    - Paper: Gao, Tan and Cheng 2005, 3.2.

    Examples
    --------
    >>> import textclust as tc
    >>> model = tc.SemiFuzzy(2, distortion="euclidean", random_state=0)
    >>> _ = model.fit([[0.0], [0.2], [4.0], [2.1]])
    >>> model.memberships_.sum(axis=1).round(6).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
