"""CLUE and CLUEDO as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from sklearn.utils.validation import check_is_fitted

from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Array, Matrix
from textclust.methods.clue import CLUESolver
from textclust.supervision.given import Supervision

__all__ = ["CLUE", "CLUEDO"]


class ExampleClusterer(PrototypeClusterer):
    """An estimator that takes example clusters, and maps rows to where it learned to see them."""

    def fit(
        self, X: Matrix, y: object = None, examples: Iterable[Iterable[int]] | None = None
    ) -> Self:
        """Cluster the rows of X by example clusters, lists of its rows; y is ignored.

        Without examples nothing is learned, and category utility alone cuts.
        """
        X = self._validated(X, reset=True)
        solver = self.solver
        assert isinstance(solver, CLUESolver)
        found = solver.find(X, Supervision(examples=examples))
        self._keep(found.solution)
        self.n_clusters_ = found.solution.prototypes.shape[0]
        self.learned_space_ = found.space
        return self

    def transform(self, X: Matrix) -> Array:
        """Rows where their Euclidean distance is the learned one."""
        check_is_fitted(self)
        rows: Array = self.learned_space_.prepare(self._validated(X, reset=False))
        return rows

    @property
    def _n_features_out(self) -> int:
        return self.cluster_centers_.shape[1]


@estimator_of("clue")
class CLUE(ExampleClusterer):
    """Clusters like a few examples of them, however many there are (Hu et al. 2013).

    A metric is learned that draws the examples together and all other rows away from them, the
    rows are linked bottom-up by it, and the dendrogram is cut where the examples are rebuilt
    best (CORI), and of such cuts where the clusters tell most of their rows (weighted category
    utility). The metric fits the examples better than anything else, so the cut comes early:
    expect too many clusters, and see `CLUEDO`.

    Parameters
    ----------
    n_clusters : int, "auto", "cori" or "refound", default="auto"
        "cori", which "auto" is here, is as above. "refound" asks k-means that knows no examples
        for which number of clusters it finds them again. A number cuts there.
    metric : str, None or learner, default="clue"
        "clue", "rca", "xing", "xing-diagonal" or "yeung-chang", or one of
        `textclust.learned_metrics`; None learns nothing.
    regularisation : float or "auto", default="auto"
        Of the metric; "auto" is 1e-6, and 1 for text.
    linkage : {"complete", "single", "average", "ward"}, default="complete"
        The paper has the first two.
    latent : int, "auto" or None, default="auto"
        Rows of more than 100 features are taken for text: placed in the leading directions of
        their SVD first, at unit length. A number says how many directions; None has none, and
        every feature is scaled to [0, 1] as in the paper.
    max_linked : int, default=2000
        Linking takes memory in the square of the rows. If there are more, k-means makes this
        many groups of near rows first, and these are linked.
    max_seconds : float or None, default=None
        After this time no further number of clusters is tried; `CLUEDO` takes no further round
        either, and what is under way is brought to an end.
    n_jobs : int or None, default=None
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    labels_ : array of n
        Clusters that most of an example are in come first, in the order of the examples.
    n_clusters_ : int
    cluster_centers_ : array
        The means of the clusters, in the learned space.
    stopped_ : Stopped or None
        Where max_seconds ended the search, as for `KMeans`.
    learned_space_ : object
        Has `prepare(X)`, which `transform` calls.

    Notes
    -----
    - Formula: ``d(x, y)^2 = (x - y)' M (x - y)`` with ``M = A_ML^-1/2 A_CL A_ML^-1/2``: A_ML is
      the scatter within the examples, A_CL that of all other rows around them. The cut has the
      highest ``CORI = (must-links kept / must-links + cannot-links kept / cannot-links) / 2``.
    - Complexity: O(n d^2 + d^3) time for the metric in d directions, O(m^2) time and memory to
      link m = min(n, max_linked) rows or groups.
    - Paper: Hu, Vens, Verstrynge and Blockeel 2013, 2.4, Algorithm 1 and eqs. 2 to 4.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 9.0], [0.1, 1.0], [0.2, 5.0], [4.0, 2.0], [4.1, 8.0], [8.0, 3.0], [8.1, 7.0]]
    >>> tc.CLUE(n_clusters=3).fit(X, examples=[[0, 1, 2]]).labels_.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """


@estimator_of("cluedo")
class CLUEDO(ExampleClusterer):
    """CLUE with a defence against overfitting (Hu et al. 2013).

    Learns and links in rounds: what was merged in the first tenth of the merges is taken
    for linked, then what was merged in the first two tenths, and so on, so that the metric
    comes to suit all clusters and not the examples alone. For text, constrained k-means among
    all terms comes at the end, with the examples held in their clusters; other documents may
    join them.

    Parameters
    ----------
    n_clusters : int, "auto", "cori" or "refound", default="auto"
        "auto" is "refound" for text, else "cori"; see `CLUE`.
    rounds : int, default=10
        1 is CLUE.
    finish : {"auto", "cut", "kmeans"}, default="auto"
        "cut" leaves the clusters of the dendrogram as they are, "kmeans" goes on from there with
        `ConstrainedKMeans`: by the cosine of all terms for text, in the learned space else, where
        "auto" leaves it.

    The other parameters, the attributes and `transform` are those of `CLUE`. After k-means the
    `cluster_centers_` of text lie among its terms, and `labels_` have example h in cluster h.

    Notes
    -----
    - Formula: those of `CLUE`, with the links of the round before added to A_ML.
    - Complexity: `rounds` times that of `CLUE`, O(n d^2 + d^3 + m^2) for each.
    - Paper: Hu, Vens, Verstrynge and Blockeel 2013, Algorithm 2.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 9.0], [0.1, 1.0], [0.2, 5.0], [4.0, 2.0], [4.1, 8.0], [8.0, 3.0], [8.1, 7.0]]
    >>> tc.CLUEDO().fit(X, examples=[[0, 1, 2]]).labels_.tolist()
    [0, 0, 0, 1, 1, 2, 2]
    """
