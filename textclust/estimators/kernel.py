"""Kernel k-means with pairwise constraints as scikit-learn knows it."""

from __future__ import annotations

from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from textclust.engine.problem import Solution
from textclust.estimators.base import ConstrainedClusterer, estimator_of
from textclust.geometry.affine import Labels, Matrix
from textclust.geometry.expansion import Mapped, placed
from textclust.geometry.feature_space import InFeatureSpace
from textclust.geometry.similarity import KernelValues

__all__ = ["AdaptiveSSKernelKMeans", "SSKernelKMeans"]


class _KernelClusterer(ConstrainedClusterer):
    """An estimator that meets new rows by their similarities with those it was fitted to."""

    kernel: str

    def predict(self, X: Matrix) -> Labels:
        """The nearest cluster of each row in feature space."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        return placed(X, self.fitted_distortion_, self.cluster_centers_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        space = solution.distortion
        if isinstance(space, InFeatureSpace | Mapped):
            self.fitted_distortion_ = space.expansion(solution.prototypes)
        if isinstance(space, InFeatureSpace) and isinstance(space.similarity, KernelValues):
            self.width_ = space.similarity.kernel.width


@estimator_of("kernel")
class SSKernelKMeans(_KernelClusterer):
    """k-means in the feature space of a kernel, or on a graph, with pairwise constraints.

    Minimises sum_i |phi(x_i) - m_{y_i}|^2 plus the weight of every link it breaks (Kulis, Basu,
    Dhillon and Mooney 2005): clusters need not be round.

    Parameters
    ----------
    n_clusters : int, default=8
    kernel : str, default="rbf"
        "linear", "rbf" (exp(-|x - y|^2 / (2 width^2))), "polynomial" ((1 + <x, y>)^degree),
        "cosine"; "neighbours", the graph of the `n_neighbors` documents nearest to each by the
        cosine, never all by all; or "precomputed": X is the kernel or the graph itself, n x n,
        dense or sparse, and `predict` takes the values of new documents with the fitted ones.
    width : float or "auto", default="auto"
        sigma, for "rbf"; "auto" is the root of an eighth of the median squared distance, or of
        half of it with landmarks, which can only tell a smooth kernel.
    degree : int, default=3
    n_neighbors : int, default=15
    cut : {"auto", None, "normalised", "ratio"}, default="auto"
        Take the similarities as a graph and minimise this cut of it: the special cases of
        weights and kernel in Kulis et al. None is plain kernel k-means; "auto" is
        "normalised" for "neighbours" and None for all others.
    n_landmarks : int or None, default=None
        Approximate the kernel in the span of so many documents (Nystroem): for more than the
        5,000 documents whose kernel is held whole.
    weight : float or "auto", default="auto"
        What it costs to break a link of weight 1; the papers have 1. "auto" is a tenth of the
        mean squared distance from the centre of all, for a cut half of what a document adds to it.
    init : {"auto", "spectral", "neighbourhoods", "largest", "k-means++", ...} or array
        "neighbourhoods" is the start of the papers: farthest-first over what must-links join.
        "spectral" begins with eigenvectors. "auto" tries both and some draws, with and without
        links, and keeps the lowest energy. An array is k centres, or one label per document.

    The other parameters are those of `HMRFKMeans`.

    Attributes
    ----------
    cluster_centers_ : array of k x n
        The share of each document in each prototype; k x d for "linear" and "cosine", and k x
        n_landmarks with landmarks.
    width_ : float
        sigma, where there is one.

    The other attributes are those of `HMRFKMeans`; `predict` says the nearest cluster in feature
    space.

    Notes
    -----
    - Formula: ``sum_i |phi(x_i) - m_{y_i}|^2 + sum of w_ij over violated links (i, j)``.
    - Complexity: O(n^2 k) time for an iteration and O(n^2) memory with a whole kernel; in place
      of n^2, n times `n_neighbors` for the graph and n times `n_landmarks` with landmarks.
    - Paper: Kulis, Basu, Dhillon and Mooney 2005; Yan and Domeniconi 2006, 2.2.

    A kernel or a graph with negative eigenvalues gets the least diagonal that mends it, so that
    the energy never rises; `objective_` has (n - k) times that on top.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [9.0]]
    >>> links = tc.Constraints(must_link=[(3, 5)])
    >>> tc.SSKernelKMeans(2, weight=1.0, random_state=0).fit(X, constraints=links).labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    """


@estimator_of("adaptive-kernel")
class AdaptiveSSKernelKMeans(_KernelClusterer):
    """Kernel k-means that learns the width of its kernel (Yan and Domeniconi 2006).

    To part a must-link costs w |phi_i - phi_j|^2, to join a cannot-link w times what their
    distance lacks of the largest there is; sigma goes down the slope of the sum of all, less the
    spread of the documents, which keeps it from growing without end.

    Parameters
    ----------
    n_clusters : int, default=8
    width : float or "auto", default="auto"
        Where sigma begins. "auto" clusters without links under a few widths and begins with that
        whose clusters break fewest of them.
    weight : float or "auto", default="auto"
        w, for a link of weight 1; the paper has 1. "auto" is such that must-links and cannot-links
        each cost 1 on average under the first width.
    reference : {"auto", "all", "random"}, default="auto"
        The documents that the spread is measured from: all, or one at random as in the paper.
        "auto" is all unless as_published.
    n_landmarks : int or None, default=None
        Cluster the linked documents and so many others; the rest go to the nearest of these
        clusters in feature space.
    init : {"auto", "neighbourhoods", ...} or array, default="auto"
        "auto" finds the best start under the first width and learns from there;
        "neighbourhoods", with n_init=1, is the paper.

    The other parameters and attributes are those of `SSKernelKMeans`, with kernel="rbf" fixed.

    Attributes
    ----------
    width_ : float
        The sigma that was learned.

    Notes
    -----
    - Formula: ``sum_h sum_(i, j in h) (1 - K_ij) / |h| + sum of 2 w (1 - K_ij) over violated
      must-links + sum of 2 w (K_ij - K_far) over joined cannot-links - sum_i 2 (1 - K_ir)``,
      with K_far of the two documents farthest from each other and r from `reference`.
    - Complexity: that of `SSKernelKMeans` with a whole kernel, and O(n^2) time for each step of
      sigma.
    - Paper: Yan and Domeniconi 2006, section 3, eqs. 3 and 6.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [9.0]]
    >>> links = tc.Constraints(must_link=[(3, 5)], cannot_link=[(2, 3)])
    >>> tc.AdaptiveSSKernelKMeans(2, random_state=0).fit(X, constraints=links).labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    """
