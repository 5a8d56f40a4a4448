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

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.matching import matched
from textclust.engine.new_clusters import grown
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.restarts import as_predicted, candidate_starts, in_canonical_order
from textclust.engine.starts import alone, kmeans_plus_plus
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.assignment import moments
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.rows import stacked
from textclust.methods import parameters
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings, check
from textclust.stopping import due, half_of_the_time, searching
from textclust.supervision.background.labellers import Labeller
from textclust.supervision.background.outcome import BackgroundOutcome
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.background.predicted_labels import (
    PredictedLabels,
    cluster_weights,
    predict_labels,
)
from textclust.supervision.given import Supervision
from textclust.supervision.potentials import Unary

__all__ = ["SemiHardSolver", "confident_start", "with_background_outcome"]

_AN_OLD_DOCUMENT = 5.0  # counts as so many new ones: its class is known
_TIE = 1e-9  # of an energy: no more than rounding
_DRAWS = 3  # of clusters beyond the classes
_SAME = 0.9  # of the documents: two clusterings that agree on so many are of the same classes


@dataclass(repr=False, eq=False)
class SemiHardSolver(KMeansSolver):
    """Each new document in one cluster."""

    rules: ClassVar[Parameters] = parameters.SEMIHARD

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    labeller: str | Labeller | None = None
    R: float | str = "auto"
    threshold: float | str = "auto"

    def published(self) -> Settings:
        """A labeller that learns from the old documents, and the start of 2.2."""
        points = self.distortion == "euclidean" or isinstance(self.distortion, Euclidean)
        labeller = "nearest" if points else "naive-bayes"
        return {**super().published(), "init": "confident", "labeller": labeller}

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        """The best clustering found; the classes of the background come first, in their order."""
        problem, background = self._problem(X, weights), supervision.background
        if background is None:
            return self._unguided(problem)
        return self._guided(problem, PlacedBackground.of(background, X, supervision.features))

    def grow(self, X: Matrix, supervision: Supervision) -> Solution:
        """A cluster for each class, and more while the evidence for new ones supports them."""
        check(self, self.rules)
        background = supervision.background
        assert background is not None
        placed = PlacedBackground.of(background, X, supervision.features)

        def solve(k: int) -> Solution:
            return replace(self.resolved(), n_clusters=k).solve_beside(placed)

        with searching(self.max_seconds) as search:
            found = grown(solve, len(background.classes), X)
        return replace(found, stopped=search.stopped)

    def solve_beside(self, placed: PlacedBackground, weights: Array | None = None) -> Solution:
        """The same with a background that is already placed among the new documents."""
        return self._guided(self._problem(placed.X, weights), placed)

    def _unguided(self, problem: Problem) -> Solution:
        """Without a background."""
        return in_canonical_order(problem, self._descend(problem))

    def _guided(self, problem: Problem, placed: PlacedBackground) -> Solution:
        """With a background that is placed among the rows as given, not as prepared."""
        labeller = self._labeller(problem, placed)
        if labeller is None:
            return self._beside_old(problem, placed)
        predicted, w = self._predicted(labeller, problem, placed)
        solution = self._lowest_by(predicted, w, problem)
        return with_background_outcome(solution, placed, predicted, w)

    def _predicted(
        self, labeller: str | Labeller, problem: Problem, placed: PlacedBackground
    ) -> tuple[PredictedLabels, Array]:
        """The labels predicted for the classes that have a cluster, and the clusters' weights."""
        distortion, k = problem.distortion, self.n_clusters
        predicted = predict_labels(labeller, placed, self.threshold, distortion).of(
            placed.classes(k)
        )
        return predicted, cluster_weights(placed, predicted, distortion, k)

    def _labeller(self, problem: Problem, placed: PlacedBackground) -> str | Labeller | None:
        """The labeller; None where the old documents take part themselves.

        A word that an old document lacks counts nothing, but a number that is not there is
        not 0: among points, the nearest old ones in what is shared decide.
        """
        points = isinstance(problem.distortion, Euclidean)
        if self.labeller is None and points and not placed.shares_all:
            return "nearest"
        return self.labeller

    def _lowest_by(self, predicted: PredictedLabels, w: Array, problem: Problem) -> Solution:
        """The lowest energy with penalties for leaving the predicted class."""
        guide = replace(problem, unary=self._penalties(problem, predicted, w))
        if not isinstance(self.init, str):
            return self._descend(guide)
        rng = generator(self.random_state)
        starts = []
        if self.init in ("auto", "confident"):
            starts.append(confident_start(guide, predicted, rng))
        if self.init != "confident":
            starts.append(self._named_start(problem, predicted))
        found = self._lowest(guide, iter(starts), rng)
        named = _by_classes(found.labels, predicted, problem.k)
        if self.init == "confident" or np.array_equal(named, found.labels):
            return found
        renamed = self._lowest(guide, iter([Start(labels=named)]), rng)
        return renamed if renamed.energy <= found.energy + _TIE * abs(found.energy) else found

    def _named_start(self, problem: Problem, predicted: PredictedLabels) -> Start:
        """The clusters found without labels, numbered by the classes predicted for them.

        They are matched before penalties apply: with these, a cluster under the name of another
        class may have a low energy, as a new cluster takes documents of any class for free.
        """
        return Start(labels=_by_classes(self._descend(problem).labels, predicted, problem.k))

    def _starts(self, problem: Problem, rng: np.random.Generator) -> Iterator[Start]:
        """Without a labeller there is no confident start, and "auto" stands for it."""
        confident = isinstance(self.init, str) and self.init == "confident"
        return candidate_starts(problem, "auto" if confident else self.init, self.n_init, rng)

    def _penalties(self, problem: Problem, predicted: PredictedLabels, w: Array) -> Unary | None:
        """R (w_j + w_c) for leaving class c for class j (eq. 3.6); nothing for a new cluster."""
        rows, price = np.flatnonzero(predicted.confident), self._price(problem)
        if len(rows) == 0 or price == 0.0:
            return None
        q, named = predicted.confidences.shape[1], predicted.labels[rows]
        costs = np.zeros((len(rows), problem.k))
        costs[:, :q] = price * (w[:q] + w[named, None])
        costs[np.arange(len(rows)), named] = 0.0
        return Unary(rows, costs)

    def _price(self, problem: Problem) -> float:
        """R beside a labeller."""
        return default_constraint_weight(problem) if self.R == "auto" else float(self.R)

    def _beside_old(self, problem: Problem, placed: PlacedBackground) -> Solution:
        """The new documents among the old ones; left alone where these change little.

        Where the clusters found without them are the same but for a few documents, the
        classes are there to be seen, and the old documents would only pull them back to
        what they were.
        """
        q, reference = len(placed.classes(problem.k)), placed.nearest(problem.k)
        held = None
        with half_of_the_time():
            free = self._descend(problem)
        if self.R != 0:
            held = self._held(problem, free, placed)
            reference = held.labels
        order = matched(free.labels, reference, problem.k, q)
        same = np.argsort(order)[free.labels] == reference
        if held is None or same[problem.effective_weights > 0].mean() >= _SAME:
            held = as_predicted(problem, free, order)
        n = problem.X.shape[0]
        none = PredictedLabels(np.zeros((n, q)), np.zeros(n, dtype=bool))
        return with_background_outcome(held, placed, none, np.ones(problem.k))

    def _held(self, problem: Problem, free: Solution, placed: PlacedBackground) -> Solution:
        """The lowest energy with the old documents held in their classes, of the new ones.

        Their labels say nothing but the nearest prototype, as `predict` does.
        """
        guide, clusters = self._joined(problem, placed)
        rng = generator(self.random_state)
        q = len(placed.classes(problem.k))
        order = matched(free.labels, placed.nearest(problem.k), problem.k, q)
        labels = np.argsort(order)[free.labels]
        draws = 0 if due() else 1 if q == problem.k else _DRAWS
        starts = [
            *(kmeans_plus_plus(guide, rng) for _ in range(draws)),
            Start(labels=np.concatenate([labels, clusters])),
        ]
        found = self._lowest(guide, iter(starts), rng, refined_within=0.0)
        nearest = problem.backend.assign(found.distortion.affine(found.prototypes))
        return replace(found, labels=nearest.labels, nearest=nearest)

    def _joined(self, problem: Problem, placed: PlacedBackground) -> tuple[Problem, Labels]:
        """Old documents behind the new ones, held in their clusters, and these clusters."""
        old, clusters = placed.old_documents(problem.k)
        rate = _AN_OLD_DOCUMENT if self.R == "auto" else float(self.R)
        weights = np.concatenate([problem.weights, np.full(len(clusters), rate)])
        together = self._problem(stacked(problem.X, old), weights)
        costs = np.full((len(clusters), problem.k), np.inf)
        costs[np.arange(len(clusters)), clusters] = 0.0
        rows = problem.X.shape[0] + np.arange(len(clusters))
        return replace(together, unary=Unary(rows, costs)), clusters


def with_background_outcome(
    solution: Solution, placed: PlacedBackground, predicted: PredictedLabels, w: Array
) -> Solution:
    """The solution with what became of the background."""
    background, k = placed.background, solution.prototypes.shape[0]
    classes = placed.classes(k)
    new = k - len(classes)
    found = BackgroundOutcome(
        classes=(*(background.classes[c] for c in classes), *[None] * new),
        sizes=(*(int(background.sizes[c]) for c in classes), *[0] * new),
        novelty=placed.novelty,
        known=np.where(predicted.confident, classes[predicted.labels], -1),
        weights=w,
    )
    return replace(solution, background=found)


def confident_start(
    problem: Problem, predicted: PredictedLabels, rng: np.random.Generator
) -> Start:
    """Each class at the centroid of its confident predictions, the rest at random (2.2)."""
    rows = np.flatnonzero(predicted.confident & (problem.effective_weights > 0))
    initial = moments(
        problem.X[rows], predicted.labels[rows], problem.effective_weights[rows], problem.k
    )
    missing = np.flatnonzero(initial.masses == 0)
    if len(missing):
        able = np.flatnonzero(problem.effective_weights > 0)
        drawn = rng.choice(able, len(missing), replace=len(able) < len(missing))
        initial.sums[missing], initial.masses[missing] = alone(problem, drawn)
    return Start(initial)


def _by_classes(labels: Labels, predicted: PredictedLabels, k: int) -> Labels:
    """The same clusters, numbered by the classes predicted for most of their documents."""
    classes = np.where(predicted.confident, predicted.labels, -1)
    order = matched(labels, classes, k, predicted.confidences.shape[1])
    return np.argsort(order)[labels]
