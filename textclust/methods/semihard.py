"""Newer documents clustered by what is known of older ones: SemiHard (Gao et al. 2005, 3.1).

As published, a labeller names a class for every new document it is confident of, and to
leave that class costs:

    Q = sum_i D(x_i, mu_{y_i})  +  R sum_{i known} sum_j w_j |t_ij - f_ij|

By default the old documents take part themselves, in the features they share, each held in
the cluster of its class:

    Q = sum_i D(x_i, mu_{y_i})  +  R sum_{old l} D(x_l, mu_{class of l})

In both, R = 0 is k-means, with clusters named by what they are most like, and with a very large
R a document keeps the class that it is known for, or goes to the class whose old documents are
nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.matching import matched
from textclust.engine.problem import Findings, Problem, Solution, Start
from textclust.engine.restarts import as_predicted, in_canonical_order
from textclust.engine.starts import alone, kmeans_plus_plus
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.rows import squared_norms
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.parameters import Parameters
from textclust.supervision.background.labelled import Background, Shared
from textclust.supervision.background.novelty import Fit
from textclust.supervision.background.opinions import Opinion, ask, cluster_weights
from textclust.supervision.given import Supervision
from textclust.supervision.potentials import Unary

__all__ = ["Known", "SemiHardSolver", "confident_start", "with_background_result"]

_AN_OLD_DOCUMENT = 5.0  # counts as so many new ones: its class is known
_TIE = 1e-9  # of an energy: no more than rounding
_DRAWS = 3  # of clusters beyond the classes
_SAME = 0.9  # of the documents: two clusterings that agree on so many are of the same classes


@dataclass(frozen=True)
class Known:
    """A background as it bears on new documents: their classes are those of the clusters."""

    background: Background
    shared: Shared
    placed: Matrix  # the old documents among the features of the new ones
    fit: Fit
    similarities: Array  # of the new documents with each class
    classes: Labels  # of the background, by number: cluster j is class classes[j]

    @classmethod
    def of(cls, background: Background, features: Sequence[str] | None, X: Matrix, k: int) -> Known:
        """The classes that share a feature, or the k that most new documents are nearest to."""
        shared = background.shared(features, X.shape[1])
        placed = shared.placed(background.X)
        fit = Fit(background, placed)
        similarities = fit.similarities(X)
        classes = np.unique(background.y[squared_norms(placed) > 0])
        if len(classes) == 0:
            raise InputError("no document of the background has a feature that is shared")
        if len(classes) > k:
            near = _best(similarities[:, classes], classes)
            found = np.bincount(near[near >= 0], minlength=len(background.classes))
            order = np.lexsort((classes, -background.sizes[classes], -found[classes]))
            classes = np.sort(classes[order[:k]])
        return cls(background, shared, placed, fit, similarities, classes)

    def nearest(self) -> Labels:
        """The cluster of the class whose centroid is nearest to each document; -1 for none."""
        return _best(self.similarities[:, self.classes], np.arange(len(self.classes)))

    def old(self) -> tuple[Matrix, Labels]:
        """The old documents of these classes among the new features, and their clusters."""
        chosen = np.flatnonzero(np.isin(self.background.y, self.classes))
        clusters = np.searchsorted(self.classes, self.background.y[chosen])
        return self.placed[chosen], clusters


@dataclass(repr=False, eq=False)
class SemiHardSolver(KMeansSolver):
    """Each new document in one cluster."""

    _parameters: ClassVar[Parameters] = parameters.SEMIHARD

    _: KW_ONLY
    distortion: Any = "cosine"
    labeller: Any = None
    R: float | str = "auto"
    threshold: float | str = "auto"

    def published(self) -> dict[str, Any]:
        """A labeller that learns from the old documents, and the start of 2.2."""
        points = self.distortion == "euclidean" or isinstance(self.distortion, Euclidean)
        labeller = "nearest" if points else "naive-bayes"
        return {**super().published(), "init": "confident", "labeller": labeller}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The best clustering found; the classes of the background come first, in their order."""
        problem, background = self._problem(X, weights), supervision.background
        if background is None:
            return self._unguided(problem)
        known = Known.of(background, supervision.features, X, self.n_clusters)
        return self._guided(problem, X, known)

    def _unguided(self, problem: Problem) -> Solution:
        """Without a background."""
        return in_canonical_order(problem, self._descend(problem))

    def _guided(self, problem: Problem, X: Matrix, known: Known) -> Solution:
        """By what is known; X is as it was given, before the distortion prepared it."""
        labeller = self._labeller(problem, known)
        if labeller is None:
            return self._beside_old(problem, known)
        opinion, weigh = self._asked(labeller, problem, X, known)
        found = self._lowest_by(opinion, weigh, problem)
        return with_background_result(found, known, opinion, weigh)

    def _asked(
        self, labeller: Any, problem: Problem, X: Matrix, known: Known
    ) -> tuple[Opinion, Array]:
        """What a labeller says of the classes that have a cluster, and the clusters' weights."""
        background, shared, distortion = known.background, known.shared, problem.distortion
        said = ask(labeller, background, shared, X, self.threshold, distortion).of(known.classes)
        return said, cluster_weights(X, shared, said, distortion, self.n_clusters)

    def _labeller(self, problem: Problem, known: Known) -> Any:
        """The labeller; None where the old documents take part themselves.

        A word that an old document lacks counts nothing, but a number that is not there is
        not 0: among points, the nearest old ones in what is shared decide.
        """
        lacking = len(known.shared) < known.shared.width
        if self.labeller is None and lacking and isinstance(problem.distortion, Euclidean):
            return "nearest"
        return self.labeller

    def _lowest_by(self, opinion: Opinion, weigh: Array, problem: Problem) -> Solution:
        """The lowest energy where labels have a price."""
        guide = replace(problem, unary=self._penalties(problem, opinion, weigh))
        if not isinstance(self.init, str):
            return self._descend(guide)
        rng = generator(self.random_state)
        starts = []
        if self.init in ("auto", "confident"):
            starts.append(confident_start(guide, opinion, rng))
        if self.init != "confident":
            starts.append(self._named_start(problem, opinion))
        found = self._lowest(guide, iter(starts), rng)
        named = _by_classes(found.labels, opinion, problem.k)
        if self.init == "confident" or np.array_equal(named, found.labels):
            return found
        renamed = self._lowest(guide, iter([Start(labels=named)]), rng)
        return renamed if renamed.energy <= found.energy + _TIE * abs(found.energy) else found

    def _named_start(self, problem: Problem, opinion: Opinion) -> Start:
        """What is found without labels, numbered by the classes that it is known for.

        Before labels bear on it: a cluster under the name of another class may have little
        energy, for a new cluster may take documents of any class at no price.
        """
        return Start(labels=_by_classes(self._descend(problem).labels, opinion, problem.k))

    def _descend(self, problem: Problem, *others: Any) -> Solution:
        """Without a labeller there is no confident start, and "auto" stands for it."""
        if isinstance(self.init, str) and self.init == "confident":
            return replace(self, init="auto")._descend(problem, *others)
        return super()._descend(problem, *others)

    def _penalties(self, problem: Problem, opinion: Opinion, weigh: Array) -> Unary | None:
        """R (w_j + w_c) for leaving class c for class j (eq. 3.6); nothing for a new cluster."""
        rows, price = np.flatnonzero(opinion.known), self._price(problem)
        if len(rows) == 0 or price == 0.0:
            return None
        q, named = opinion.confidences.shape[1], opinion.labels[rows]
        costs = np.zeros((len(rows), problem.k))
        costs[:, :q] = price * (weigh[:q] + weigh[named, None])
        costs[np.arange(len(rows)), named] = 0.0
        return Unary(rows, costs)

    def _price(self, problem: Problem) -> float:
        """R beside a labeller."""
        return default_constraint_weight(problem) if self.R == "auto" else float(self.R)

    def _beside_old(self, problem: Problem, known: Known) -> Solution:
        """The new documents among the old ones; left alone where these change little.

        Where the clusters found without them are the same but for a few documents, the
        classes are there to be seen, and the old documents would only pull them back to
        what they were.
        """
        free = self._descend(problem)
        q, reference = len(known.classes), known.nearest()
        held = None
        if self.R != 0:
            held = self._held(problem, free, known)
            reference = held.labels
        order = matched(free.labels, reference, problem.k, q)
        same = np.argsort(order)[free.labels] == reference
        if held is None or same[problem.effective_weights > 0].mean() >= _SAME:
            held = as_predicted(problem, free, order)
        n = problem.X.shape[0]
        nothing = Opinion(np.zeros((n, q)), np.zeros(n, dtype=bool))
        return with_background_result(held, known, nothing, np.ones(problem.k))

    def _held(self, problem: Problem, free: Solution, known: Known) -> Solution:
        """The lowest energy with the old documents held in their classes, of the new ones.

        Their labels say nothing but the nearest prototype, as `predict` does.
        """
        guide, clusters = self._joined(problem, known)
        rng = generator(self.random_state)
        q = len(known.classes)
        order = matched(free.labels, known.nearest(), problem.k, q)
        labels = np.argsort(order)[free.labels]
        draws = 1 if q == problem.k else _DRAWS
        starts = [
            *(kmeans_plus_plus(guide, rng) for _ in range(draws)),
            Start(labels=np.concatenate([labels, clusters])),
        ]
        found = self._lowest(guide, iter(starts), rng, hope=0.0)
        form = found.distortion.affine(found.prototypes)
        return replace(found, labels=problem.backend.labels(form))

    def _joined(self, problem: Problem, known: Known) -> tuple[Problem, Labels]:
        """Old documents behind the new ones, held in their clusters, and these clusters."""
        old, clusters = known.old()
        rate = _AN_OLD_DOCUMENT if self.R == "auto" else float(self.R)
        weights = np.concatenate([problem.weights, np.full(len(clusters), rate)])
        together = self._problem(_stacked(problem.X, old), weights)
        costs = np.full((len(clusters), problem.k), np.inf)
        costs[np.arange(len(clusters)), clusters] = 0.0
        rows = problem.X.shape[0] + np.arange(len(clusters))
        return replace(together, unary=Unary(rows, costs)), clusters


def with_background_result(
    solution: Solution, known: Known, opinion: Opinion, weigh: Array
) -> Solution:
    """The solution with what the background says of it."""
    classes = [int(c) for c in known.classes]
    class_of_cluster = classes + [-1] * (len(solution.prototypes) - len(classes))
    named = np.where(opinion.known, known.classes[opinion.labels], -1)
    found = Findings(tuple(class_of_cluster), known.fit.novelty(known.similarities), named, weigh)
    return replace(solution, findings=found)


def confident_start(problem: Problem, opinion: Opinion, rng: np.random.Generator) -> Start:
    """Each class at the centroid of the documents it is known for, the rest at random (2.2)."""
    rows = np.flatnonzero(opinion.known & (problem.effective_weights > 0))
    begun = moments(
        problem.X[rows], opinion.labels[rows], problem.effective_weights[rows], problem.k
    )
    missing = np.flatnonzero(begun.masses == 0)
    if len(missing):
        able = np.flatnonzero(problem.effective_weights > 0)
        drawn = rng.choice(able, len(missing), replace=len(able) < len(missing))
        begun.sums[missing], begun.masses[missing] = alone(problem, drawn)
    return Start(begun)


def _by_classes(labels: Labels, opinion: Opinion, k: int) -> Labels:
    """The same clusters, numbered by the classes that most of their documents are known for."""
    said = np.where(opinion.known, opinion.labels, -1)
    order = matched(labels, said, k, opinion.confidences.shape[1])
    return np.argsort(order)[labels]


def _best(similarities: Array, numbers: Labels) -> Labels:
    """The number of the most similar class of each row, -1 where none is similar at all."""
    found = numbers[similarities.argmax(axis=1)]
    return np.where(similarities.max(axis=1) > 0, found, -1)


def _stacked(X: Matrix, old: Matrix) -> Matrix:
    if not sp.issparse(X) and not sp.issparse(old):
        return np.vstack([X, old])
    return sp.vstack([sp.csr_array(X), sp.csr_array(old).astype(X.dtype)], format="csr")
