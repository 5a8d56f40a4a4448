"""PC-KMeans and HMRF-KMeans as scikit-learn estimators."""

from __future__ import annotations

from textclust.estimators.base import ConstrainedClusterer, estimator_of
from textclust.estimators.distances import PrototypeClusterer

__all__ = ["HMRFKMeans", "PCKMeans"]


@estimator_of("hmrf")
class HMRFKMeans(PrototypeClusterer, ConstrainedClusterer):
    """k-means with must-links and cannot-links, which have a cost when violated.

    Minimises sum_i D(x_i, mu_{y_i}) plus the weight of every link it breaks: a hidden Markov
    random field over the labels (Basu 2005, chapter 4).

    Parameters
    ----------
    n_clusters : int, default=8
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"
    weight : float or "auto", default="auto"
        What it costs to break a link of weight 1. The thesis takes 1; "auto" is a tenth of
        the mean distortion of a document from the centre of all, about 0.09 for the cosine on
        text: enough to move a document that sits between two clusters, not enough for one
        wrong link to move one that plainly belongs.
    inference : {"icm", "bp", "lp"}, default="icm"
        How linked documents are labelled given the prototypes: one after the other (4.4.4),
        by belief propagation (A.1), or by a linear program and rounding (A.2).
    use_constraints : {"both", "init"}, default="both"
        "init" uses the links for the start alone.
    robust : bool, default=False
        Down-weight links that contradict their documents and all other links (8.2): those more
        likely wrong than right are left out, the others count by the chance that they are right,
        and `weight="auto"` grows and falls with the share of links that seem right. Not for
        use_constraints="init" or learn=True.
    learn : bool, default=False
        Learn a weight for every term from the clusters and the links they break (7.1; Basu,
        Bilenko and Mooney 2004), for the cosine and the divergences. A violated must-link then
        costs its weight times the distance of its two documents, a joined cannot-link times
        what they lack of being as far apart as can be; `objective_` has the prior of the weights
        a on top: sum_m (a_m^2 - 1) / 2 - log a_m under the cosine, - sum_m t_m log a_m under the
        divergences, with t_m how far documents are from the mean of all in term m. Under "auto"
        the prices are scaled so that at first the links of each kind cost on average what they do
        without. The weights are ``fitted_distortion_.weights``; under the cosine
        `cluster_centers_` lie among documents whose terms were multiplied by their roots.
    metric : {"global", "local"}, default="global"
        With learn=True: one set of weights for all clusters, or one for each, so that clusters
        can be about different terms (7.1). A violated must-link then costs the mean of what it
        costs in its two clusters. Weights for each begin where weights for all lead. Under the
        cosine it takes k times the time and room, and k^2 d must be at most 5 * 10^7.
    init : {"auto", "neighbourhoods", "largest", "lsa", "k-means++", ...} or array, default="auto"
        "neighbourhoods" is the start of the thesis (4.4.3), "largest" that of Basu, Bilenko and
        Mooney 2003. "auto" tries the first, runs with all links in a small latent space, where
        it would end without links, and from there the most likely clusters of linked documents
        (by belief propagation), and keeps what has the lowest energy. Where links then know k
        groups with cannot-links between all of them, it goes on with `emphasis`.
    entailed : bool or "auto", default="auto"
        Add the links that follow from those given, as the thesis does (4.4.3); "auto" does so
        only as published. One wrong must-link then entails many wrong ones; see `textclust
        reproduce noise`.
    emphasis : bool or "auto", default="auto"
        Where links place documents in k groups that are all apart, go on with these documents
        and the links between them counting double, and keep the result if it predicts better
        where each of them is without itself (McNemar's test). Not with robust or learn; "auto"
        is True for init="auto" alone.
    as_published : bool, default=False
        Chapter 4 to the letter where a setting is left open: init="neighbourhoods", n_init=1,
        weight=1, entailed=True, refine=False, emphasis=False.

    The other parameters are those of `KMeans`.

    Attributes
    ----------
    violations_ : tuple of links
        The links given that the labels break, each with its rows, its kind and its price.
    link_prices_ : array or None
        What it costs to break each link given, must-links first; 0 for those that `robust`
        leaves out, and for all under use_constraints="init". None without links.
    emphasis_ : array of n or None
        How many times each document counted in the search where `emphasis` had an effect, else
        None. `objective_` is the energy above all the same, every document counted once, at the
        labels and prototypes returned; `objective_history_` ends where the emphasis begins.

    The other attributes are those of `KMeans`; `predict` gives the nearest cluster, without links.

    Notes
    -----
    - Formula: ``sum_i D(x_i, mu_{y_i}) + sum of w_ij over violated links (i, j)``.
    - Complexity: O(nnz k) time for an iteration. Each sweep of ICM takes O(k) for a linked
      document and O(1) for a link; belief propagation takes O(k) for a link.
    - Paper: Basu 2005, 4.3 and 4.4; 7.1 for `learn`, 8.2 for `robust`.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 3.1]]
    >>> links = tc.Constraints(must_link=[(3, 4)], cannot_link=[(0, 4)])
    >>> tc.HMRFKMeans(2, random_state=0).fit(X, constraints=links).labels_.tolist()
    [1, 1, 0, 0, 0]
    """


@estimator_of("pckmeans")
class PCKMeans(PrototypeClusterer, ConstrainedClusterer):
    """Pairwise constrained k-means (Basu, Bilenko and Mooney 2003).

    `HMRFKMeans` under the squared Euclidean distance, with weight 1; see there.
    ``init="largest"`` is the start of the paper.

    Notes
    -----
    - Formula: ``sum_i |x_i - mu_{y_i}|^2 + sum of w_ij over violated links (i, j)``.
    - Complexity: as for `HMRFKMeans`, O(nnz k) time for an iteration.
    - Paper: Basu, Bilenko and Mooney 2003, 2.2 and eq. 1.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 1.0]]
    >>> links = tc.Constraints(must_link=[(0, 4)])
    >>> tc.PCKMeans(2, weight=9.0, random_state=0).fit(X, constraints=links).labels_.tolist()
    [0, 0, 1, 1, 0]
    """
