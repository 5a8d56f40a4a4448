"""Mixture models as scikit-learn estimators: probabilities beside labels."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from textclust.engine.expectation_maximisation import (
    Components,
    log_likelihoods,
    tempered_posteriors,
)
from textclust.engine.problem import Solution
from textclust.estimators.base import ConstrainedClusterer, estimator_of, given_weights
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.distortion import Distortion
from textclust.geometry.parts import refuse_parts
from textclust.geometry.von_mises_fisher import VonMisesFisher
from textclust.supervision.given import Supervision
from textclust.supervision.seeds import Seeds

__all__ = ["HMRFEM", "VonMisesFisherMixture"]


class BaseMixture(PrototypeClusterer):
    """What a mixture leaves behind, and the probabilities of new rows."""

    fitted_distortion_: Distortion

    def predict_proba(self, X: Matrix) -> Array:
        """The probability of each cluster for each row: n x k, rows add up to one."""
        check_is_fitted(self)
        return self._posteriors(X, self.temperature_)

    def predict(self, X: Matrix) -> Labels:
        """The most probable cluster of each row."""
        check_is_fitted(self)
        return np.asarray(self._posteriors(X, 1.0).argmax(axis=1), dtype=np.intp)

    def score(self, X: Matrix, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """Minus what EM minimises, of these rows, without links; y is ignored."""
        check_is_fitted(self)
        refuse_parts(X, "score")
        X = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        components = Components(self.fitted_distortion_, self.cluster_centers_, self.weights_)
        found = log_likelihoods(X, components, self.beta_)
        return float(given_weights(sample_weight, len(found)) @ found)

    def _posteriors(self, X: Matrix, temperature: float) -> Array:
        X = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        components = Components(self.fitted_distortion_, self.cluster_centers_, self.weights_)
        return tempered_posteriors(X, components, self.beta_, temperature)

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        found = solution.mixture
        assert found is not None
        self.responsibilities_, self.memberships_ = found.responsibilities, solution.memberships
        self.weights_, self.beta_, self.temperature_ = (
            found.weights,
            found.sharpness,
            found.temperature,
        )


@estimator_of("vmf")
class VonMisesFisherMixture(BaseMixture):
    """A mixture of von Mises-Fisher distributions (soft-moVMF; Banerjee et al. 2005).

    Rows are points of the unit sphere, p(x) = sum_h pi_h c_d(kappa_h) exp(kappa_h <mu_h, x>).
    EM minimises

        -sum_i w_i log sum_h pi_h c_d(kappa_h) exp(kappa_h <mu_h, x_i>)

    over pi, mu and kappa, from the clusters of `SphericalKMeans`; of a row whose cluster y
    gives, only the term of that cluster is in the sum.

    Parameters
    ----------
    n_clusters : int, default=8
    concentration : {"auto", "shared", "own"}, default="auto"
        One kappa for all components, or one for each, as in the paper: then a component may
        close in on a few documents that are nearly the same. "auto" is "shared", "own" as
        published.
    estimate : {"auto", "exact", "approximate"}, default="auto"
        How kappa is found from the mean resultant length r: by Newton's method (Sra 2012), or
        by (r d - r^3) / (1 - r^2) (eq. 4.4 of the paper), under which the objective may rise
        by a little. "auto" is "exact", "approximate" as published.
    max_concentration : float or None, default=None
        The largest kappa. Below the estimate it makes the probabilities softer while the
        mixture is fitted, and far below it components become the same.
    prior : {"learned", "uniform"}, default="learned"
        "uniform" leaves pi at 1/k.
    temperature : float or "auto", default="auto"
        Probabilities are given as p^(1/temperature), adding up to one; 1 is the paper. With the
        thousands of terms of text that is 0 or 1 for nearly every document, right or wrong.
        "auto" softens kappa to about 22 on text: a twentieth of the mean distance of a document
        from the centre of all makes a cluster e times less likely. It never makes
        probabilities harder, and changes neither labels nor the fit.
    init : {"auto", "seeds", "lsa", "k-means++", "perturbed", "farthest"} or array, default="auto"
        The start of the hard clustering that EM begins with, as for `ConstrainedKMeans`.

    The other parameters are those of `KMeans`; n_init and refine apply to the hard clustering,
    max_iter and tol on both. EM rests when an iteration lowers the objective by less than tol
    for each document.

    Attributes
    ----------
    labels_ : array of n
        The most probable cluster of each document.
    responsibilities_ : array of n x k
        The probabilities of the last E-step.
    memberships_ : array of n x k
        The same at `temperature_`: what `predict_proba` says of these documents.
    weights_ : array of k
        pi.
    concentrations_ : array of k
        kappa.
    classes_ : list
        The class of each cluster, None for one without seeds.
    cluster_centers_ : array of k x d
        The mean directions mu.
    temperature_ : float
    objective_, objective_history_, n_iter_
        As above, after each iteration of EM.

    Notes
    -----
    - Formula: ``-sum_i w_i log sum_h pi_h c_d(kappa_h) exp(kappa_h <mu_h, x_i>)``.
    - Complexity: O(nnz k) time for an iteration of EM, and O(n k) memory for the probabilities.
    - Paper: Banerjee et al. 2005, soft-moVMF and eq. 4.4; Sra 2012 for the exact concentration.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[1.0, 0.1], [1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 1.0], [0.7, 0.8]]
    >>> model = tc.VonMisesFisherMixture(2, random_state=0).fit(X)
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> model.predict_proba([[1.0, 0.0], [1.0, 0.8]]).round(1).tolist()
    [[1.0, 0.0], [0.6, 0.4]]
    """

    def fit(
        self, X: Matrix, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the mixture; y may have a class for each row, -1 for none.

        A row with a class is in its cluster with certainty. Cluster h is class h; strings, and
        numbers that are not all below n_clusters, are numbered in their order.
        """
        self._keep(self._solved(X, sample_weight, Supervision(seeds=y)))
        self.classes_ = list(Seeds.of(y, len(self.labels_), self.cluster_centers_.shape[0]).classes)
        assert isinstance(self.fitted_distortion_, VonMisesFisher)
        self.concentrations_ = self.fitted_distortion_.concentrations
        return self


@estimator_of("hmrf-em")
class HMRFEM(BaseMixture, ConstrainedClusterer):
    """HMRF-KMeans with probabilities instead of labels (Basu 2005, chapter 4).

    A hidden Markov random field over the labels, with the mean field q in place of their
    posterior. EM minimises the variational free energy, in units of the distortion,

        sum_i w_i sum_h q_ih [D(x_i, mu_h) + log(q_ih / pi_h) / beta]
        + sum over must-links of w (1 - sum_h q_ih q_jh)  +  over cannot-links of w sum_h q_ih q_jh

    over q, mu and pi, from the clusters of `HMRFKMeans`. Only linked documents wait for one
    another; all others have their probabilities in closed form.

    Parameters
    ----------
    n_clusters : int, default=8
    distortion : {"cosine", "euclidean", "kl", "i-divergence", "itakura-saito"}, default="cosine"
        D of a row that has no direction is 0.
    weight : float or "auto", default="auto"
        w: what it costs to break a link of weight 1, in units of the distortion, as for
        `HMRFKMeans`. In nats it is beta times that.
    beta : float or "auto", default="auto"
        The inverse temperature of the field; 1 is the thesis. "auto" is d / 2 over the mean
        distortion of a document from the centre of its cluster, of highest likelihood under
        the Euclidean distance. The larger, the nearer to `HMRFKMeans`; well below "auto" the
        components of text become the same.
    prior : {"auto", "learned", "uniform"}, default="auto"
        "uniform" leaves pi at 1/k, as the thesis does; "auto" is "learned" unless as_published.
    temperature : float or "auto", default="auto"
        As for `VonMisesFisherMixture`; under "auto" it takes a fortieth of the mean distortion
        for the Euclidean distance, and a fourth for divergences.

    The other parameters are those of `HMRFKMeans`, for the clusters it begins with; entailed,
    use_constraints and weight hold for the field too.

    Attributes
    ----------
    labels_, responsibilities_, memberships_, weights_, cluster_centers_, temperature_
        As for `VonMisesFisherMixture`; responsibilities_ is q.
    concentrations_ : array of k
        beta, the same for each cluster.
    beta_ : float
    objective_ : float
        The free energy above.
    violations_, link_prices_
        As for `HMRFKMeans`, at `labels_`.

    `predict_proba` and `predict` know no links. A document of weight 0 counts for nothing,
    and so do its links.

    Notes
    -----
    - Formula: the free energy above, over q, mu and pi.
    - Complexity: O(nnz k) time for an iteration of EM, O(k) for each link in it, and O(n k)
      memory.
    - Paper: Basu 2005, 4.3 and 4.4, with probabilities in place of labels.

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 3.1]]
    >>> links = tc.Constraints(must_link=[(3, 4)], cannot_link=[(0, 4)])
    >>> model = tc.HMRFEM(2, random_state=0).fit(X, constraints=links)
    >>> model.labels_.tolist()
    [1, 1, 0, 0, 0]
    >>> model.memberships_[4].round(2).tolist()
    [0.98, 0.02]
    """

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        self.concentrations_ = np.full(len(self.weights_), self.beta_)
