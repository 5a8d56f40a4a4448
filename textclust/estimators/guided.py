"""Guided clustering as scikit-learn knows it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Self

from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.estimators.base import estimator_of
from textclust.estimators.distances import PrototypeClusterer
from textclust.geometry.affine import Array, Matrix
from textclust.geometry.parts import refuse_parts, table
from textclust.methods.label_models.calibration import probabilities
from textclust.supervision.background.labelled import Background
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.seed_words import SeedWords
from textclust.supervision.seeds import Seeds
from textclust.text.word_lists import given_words

__all__ = ["GuidedClustering"]

_SHARP = 0.05  # of a cosine, where nothing can be held out


@estimator_of("guided")
class GuidedClustering(PrototypeClusterer):
    """Clusters by all that is known: seeds, words, pairs, or several of them.

    Minimises sum_i D(x_i, mu_{y_i}) - tau sum_i log p(y_i | x_i) plus the weight of every link it
    breaks, over labels that have each seed in its class. The label model p is linear in the terms;
    it learns what seven models say together, each weighted by how well it predicts seeds that were
    held out: clusters of the documents, nearest neighbours, naive Bayes with EM, a classifier and
    others. So labels decide where the clusters of the documents are not the classes that are
    wanted, and the clusters decide where there are few labels.

    Parameters
    ----------
    n_clusters : int, default=8
        Where there are more than classes, the others are new.
    weight : float or "auto", default="auto"
        What it costs to break a link of weight 1; see `HMRFKMeans`.
    inference : {"icm", "bp", "lp"}, default="icm"
        How linked documents are labelled given the prototypes.

    The other parameters are those of `SphericalKMeans`.

    Attributes
    ----------
    classes_ : list
        The class of each cluster; None for one without seeds or words.
    novelty_ : array of n
        Beside a background: how new each document is, from 0 to 1.
    accuracy_ : float or None
        On seeds that were held out, cross-validated; None where too few were given, or where words
        name more documents than there are seeds.
    model_weights_ : dict
        What each label model counts.
    weak_labels_ : array of n
        The cluster that words name each row by, -1 for most; without words, None.

    The other attributes are those of `HMRFKMeans`. Documents joined with a seed by must-links count
    as seeds.
    Without seeds, links that place documents in k groups that are all apart make classes without a
    name; where they do not, this is `HMRFKMeans`, and without anything `SphericalKMeans`.

    Notes
    -----
    - Formula: ``sum_i D(x_i, mu_{y_i}) - tau sum_i log p(y_i | x_i)``, plus the weights of
      violated links.
    - Complexity: O(nnz k) time for an iteration; the label models learn from 12,000 documents
      at most.
    - Paper: none has the whole. Its parts are from Nigam et al. 2000 (naive Bayes with EM),
      Zhou et al. 2004 and Liu, He and Chang 2010 (spreading labels), Genest and Zidek 1986 and
      Wolpert 1992 (the pool).

    Examples
    --------
    >>> import textclust as tc
    >>> X = [[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [3.0, 1.0]]
    >>> model = tc.GuidedClustering(2, random_state=0).fit(X, y=["a", None, "b", None, None])
    >>> model.labels_.tolist()
    [0, 0, 1, 1, 1]
    """

    def fit(
        self,
        X: Matrix,
        y: ArrayLike | None = None,
        constraints: Constraints | None = None,
        sample_weight: ArrayLike | None = None,
        background: Background | None = None,
        feature_names: Sequence[str] | None = None,
        seed_words: Mapping[int | str, Sequence[str]] | None = None,
    ) -> Self:
        """Cluster the rows of X by a class for some of them, -1 or None for none, and by links.

        A background has older documents with classes; `seed_words` are for each class words that
        speak for it. `feature_names` are the columns of X, which words are found by.
        """
        words = None
        if seed_words is not None:
            words = _seed_words(seed_words, feature_names, self._validated(X, reset=True))
        given = Supervision(y, constraints, background, feature_names, seed_words=words)
        solution = self._solved(X, sample_weight, given)
        self._keep(solution)
        self.classes_ = _classes(solution, y, () if words is None else words.labels)
        if solution.background is not None:
            self.novelty_ = solution.background.novelty
        return self

    def predict_proba(self, X: Matrix) -> Array:
        """The probability of each cluster for each row, without links: n x k, rows sum to one."""
        check_is_fitted(self)
        X = self.fitted_distortion_.prepare(self._validated(X, reset=False))
        form = self.fitted_distortion_.affine(self.cluster_centers_)
        return probabilities(-table(X, form) / self.temperature_)

    def _keep(self, solution: Solution) -> None:
        super()._keep(solution)
        self.violations_ = solution.violations
        self.link_prices_ = solution.link_prices
        found = solution.label_model
        self.accuracy_ = None if found is None else found.accuracy
        self.model_weights_ = {} if found is None else dict(found.weights)
        self.temperature_ = _SHARP if found is None else found.temperature
        self.weak_labels_ = None if solution.by_words is None else solution.by_words.labels


def _classes(solution: Solution, y: ArrayLike | None, more: Sequence[int | str]) -> list[Hashable]:
    """The class of each cluster: those of a background first, then those of seeds and words."""
    n, k = len(solution.labels), solution.prototypes.shape[0]
    if solution.background is None:
        return list(Seeds.of(y, n, k, more).classes)
    known = [name for name in solution.background.classes if name is not None]
    seeds = Seeds.beside(y, n, k, list(map(str, known)), others=more)
    return [*known, *seeds.classes[len(known) :]]


def _seed_words(
    given: Mapping[int | str, Sequence[str]], names: Sequence[str] | None, X: Matrix
) -> SeedWords:
    """Words of each class among named columns."""
    refuse_parts(X, "seed_words=")
    if names is None or len(names) != X.shape[1]:
        count = "none" if names is None else len(names)
        raise InputError(
            f"seed_words needs feature_names, one for each of {X.shape[1]} columns; got {count}"
        )
    checked = given_words({str(label): words for label, words in given.items()})
    of_label = {label: checked[str(label)] for label in given}
    return SeedWords.of(of_label, {str(name): h for h, name in enumerate(names)}, X)
