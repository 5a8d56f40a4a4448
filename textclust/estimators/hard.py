"""COP-KMeans as a scikit-learn estimator."""

from __future__ import annotations

from textclust.estimators.base import ConstrainedClusterer, estimator_of
from textclust.estimators.distances import PrototypeClusterer

__all__ = ["COPKMeans"]


@estimator_of("cop")
class COPKMeans(PrototypeClusterer, ConstrainedClusterer):
    """k-means in which every must-link and every cannot-link holds.

    Minimises sum_i D(x_i, mu_{y_i}) over the labels that satisfy all links, whatever their
    weights (Wagstaff et al. 2001; Basu 2005, 2.3.3). It bears no wrong link: where links may
    be mistaken, `PCKMeans` and `HMRFKMeans` break some at a price.

    Parameters
    ----------
    n_clusters : int, default=8
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"
    init : {"auto", "random", "neighbourhoods", "largest", "lsa", ...} or array, default="auto"
        "random" is the start of the paper: random documents, each with all that must-links
        join to it. "auto" tries neighbourhoods, and runs under the same links in a small
        latent space, and keeps what has the lowest energy.
    local_search : bool or "auto", default="auto"
        Improve what the greedy rule of the paper finds, as the notes say; "auto" does unless
        as_published.

    The other parameters and attributes are those of `KMeans`; `predict` gives the nearest
    cluster, without links.

    Notes
    -----
    - Formula: ``sum_i w_i D(x_i, mu_{y_i})`` over labels y that satisfy every link.
    - Complexity: O(nnz k) time for an iteration, and O(k) for each block and each cannot-link.
      To find labels that satisfy all cannot-links is graph colouring, which takes exponential
      time at worst.
    - Paper: Wagstaff et al. 2001; Basu 2005, 2.3.3.

    What must-links join moves whole, as a block. Each assignment is the rule of the paper,
    blocks in random order, each to the nearest cluster that is open to it; then blocks, and
    chains of blocks, move for as long as that lowers the energy and breaks no link. Where the
    paper aborts, at a dead end, other orders are searched. Whether there are labels that
    satisfy all links is settled before the first iteration: if there are none, fit raises an
    InputError that names the chain of links, or the documents, that rule them out. That is
    graph colouring and can be hard in theory; a search that looks at too much gives up, and
    says so.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 1.0]]
    >>> links = tc.Constraints(must_link=[(0, 4)], cannot_link=[(0, 1)])
    >>> tc.COPKMeans(3, random_state=0).fit(X, constraints=links).labels_.tolist()
    [0, 2, 1, 1, 0]
    >>> tc.COPKMeans(1).fit(X, constraints=links)
    Traceback (most recent call last):
    textclust.errors.InputError: impossible with 1 cluster: these 2 documents have cannot-links ...
    """
