"""Guided clustering: what the documents say, weighed against what the reader says.

    E = sum_i D(x_i, mu_{y_i}) - tau sum_i log p(y_i | x_i) + sum_(i,j) V_ij(y_i, y_j)

over the labels y that have every seed in its class. p is a label model, learned from the seeds and
from all other documents: several models are pooled by how well they predict held-out seeds (see
`label_models`), and a linear model learns what they say together. It is affine in the document, so
the loop is that of k-means, and new documents meet the same energy.

Older documents with classes stand behind the others as seeds, in the features that both have.
Documents that words name are learned from as seeds are, but not held in their class.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.loop import energy_of, minimise
from textclust.engine.problem import LabelModelOutcome, Problem, Solution, Start
from textclust.engine.restarts import in_canonical_order, largest_first, renumbered
from textclust.geometry.affine import Array, Labels, Matrix, costs
from textclust.geometry.assignment import moments
from textclust.geometry.parts import is_sparse, refuse_parts
from textclust.geometry.rows import stacked
from textclust.geometry.with_label_model import WithLabelModel
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.methods.label_models.calibration import UNTRIED, temperature
from textclust.methods.label_models.documents import Documents
from textclust.methods.label_models.learning import learned
from textclust.methods.label_models.linear import LinearModel
from textclust.methods.semihard import SemiHardSolver, with_background_outcome
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, check
from textclust.stopping import half_of_the_time, searching
from textclust.supervision.background.placed import PlacedBackground
from textclust.supervision.background.predicted_labels import PredictedLabels
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import NOTHING, Supervision
from textclust.supervision.given_classes import GivenClasses, given_classes
from textclust.supervision.potts import Potts
from textclust.supervision.seed_words import NamedByWords
from textclust.threads import blas_on_one

__all__ = ["GuidedClusteringSolver"]

_TAU = 0.2  # of a nat of log p beside a cosine: the label model has heard the clusters already
_NATS = 2.0  # of log p that a link of weight 1 outweighs
_JUDGED = 5_000  # documents, to say how sure all are


@dataclass(repr=False, eq=False)
class GuidedClusteringSolver(KMeansSolver):
    """Clusters by seeds, links, older documents, words, or any of them together."""

    rules: ClassVar[Parameters] = parameters.GUIDED

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    weight: float | str = "auto"
    inference: str = "icm"

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        problem, links = self._problem(X, weights), _effective(supervision, X.shape[0])
        placed, free = _placed(supervision, X), None
        if supervision.seed_words is not None:
            free = self._without_supervision(problem)
            words = supervision.seed_words.beside_clusters(free.labels)
            supervision = replace(supervision, seed_words=words)
        given, by_words = given_classes(supervision, placed, links, X.shape[0], self.n_clusters)
        if placed is None and not (given.labels >= 0).any() and not by_words:
            found = self._without_classes(problem, X, supervision, links)
            if by_words is None or supervision.seed_words is None:
                return found
            places = dict(zip(supervision.seed_words.labels, by_words.clusters, strict=True))
            order = supervision.seed_words.best_order(places, found.labels, self.n_clusters)
            return replace(renumbered(found, order), by_words=by_words)
        free = free or self._without_supervision(problem)
        found = free
        if self.n_clusters > 1:
            found = self._by_classes(problem, free, given, links, placed, by_words)
        found = replace(found, unsupervised=free.labels, by_words=by_words)
        if placed is not None:
            found = _with_background(found, placed)
        elif not given.named:
            found = largest_first(problem, found)
        return self._with_links(found, problem, supervision)

    def solve_from(
        self,
        X: Matrix,
        clusters: Labels,
        supervision: Supervision = NOTHING,
        held: Labels | None = None,
        guesses: Labels | None = None,
    ) -> Solution:
        """The same from clusters that are there already, which keep their numbers.

        Class h of the seeds is cluster h. `held` has the cluster of rows that stay where they are,
        -1 for all others; unlike seeds they say nothing of other documents. `guesses` has the
        cluster of rows that are learned from as seeds are, and need not stay.
        """
        check(self, self.rules)
        calm = blas_on_one() if is_sparse(X) else nullcontext()
        with searching(self.max_seconds) as search, calm:
            found = self.resolved()._solve_from(X, clusters, supervision, held, guesses)
        return replace(found, stopped=search.stopped)

    def _solve_from(
        self,
        X: Matrix,
        clusters: Labels,
        supervision: Supervision,
        held: Labels | None,
        guesses: Labels | None,
    ) -> Solution:
        problem, links = self._problem(X, None), _effective(supervision, X.shape[0])
        placed = _placed(supervision, X)
        free = _standing(problem, clusters)
        given = GivenClasses.beside(supervision.seeds, links, clusters, self.n_clusters)
        found = free
        if self.n_clusters > 1:
            found = self._by_classes(
                problem, free, given, links, placed, None, held, guesses, numbered=True
            )
        found = replace(found, unsupervised=clusters)
        if placed is not None:
            found = _with_background(found, placed)
        return self._with_links(found, problem, supervision)

    def grow(self, X: Matrix, supervision: Supervision) -> Solution:
        """A cluster for each class of a background, and as many new ones as SemiHard finds."""
        beside = SemiHardSolver(1, random_state=self.random_state, n_jobs=self.n_jobs)
        old = Supervision(background=supervision.background, features=supervision.features)
        assert supervision.background is not None
        with searching(self.max_seconds):
            with half_of_the_time():
                found = beside.grow(X, old)
            known = {*map(str, supervision.background.classes), *supervision.classes}
            k = max(found.prototypes.shape[0], len(known))
            return replace(self, n_clusters=k).solve(X, None, supervision)

    def _without_supervision(self, problem: Problem) -> Solution:
        """The clusters that label models are to learn from, which leaves time for these."""
        with half_of_the_time():
            return self._descend(problem)

    def _without_classes(
        self, problem: Problem, X: Matrix, supervision: Supervision, links: Constraints | None
    ) -> Solution:
        """Links that make no groups, or nothing: HMRF-KMeans, or k-means."""
        if links is None:
            found = in_canonical_order(problem, self._descend(problem))
            return self._with_links(found, problem, supervision)
        settings = {
            name: getattr(self, name) for name in HMRFKMeansSolver.rules if hasattr(self, name)
        }
        return HMRFKMeansSolver(**settings).solve(X, problem.weights, supervision)

    def _by_classes(
        self,
        problem: Problem,
        free: Solution,
        given: GivenClasses,
        links: Constraints | None,
        placed: PlacedBackground | None,
        by_words: NamedByWords | None,
        held: Labels | None = None,
        guesses: Labels | None = None,
        numbered: bool = False,
    ) -> Solution:
        """The lowest energy with a label model that learns from the classes that are known.

        `held` are rows that stay in their cluster, `guesses` rows to learn from, and `numbered` is
        for clusters that have the numbers of their classes.
        """
        n, clusters, together = problem.X.shape[0], free.labels, problem
        if placed is not None:
            old, known = placed.old_documents(problem.k)
            weights = np.concatenate([problem.weights, np.ones(len(known))])
            sizes = None if problem.sizes is None else problem.sizes.with_others(len(known))
            together = replace(self._problem(stacked(problem.X, old), weights), sizes=sizes)
            near = problem.distortion.affine(free.prototypes)
            placed_old = replace(problem, X=together.X[n:], weights=weights[n:], bound=None)
            clusters = np.concatenate([clusters, placed_old.backend.assign(near).labels])
            given = given.followed_by(known)
            by_words = None if by_words is None else by_words.followed_by(len(known))
        rng = generator(self.random_state)
        documents = Documents(
            together.X,
            together.effective_weights,
            clusters,
            together.k,
            int(rng.integers(2**31)),
            together.threads,
            numbered=numbered,
        )
        if guesses is not None:
            guesses = np.concatenate([guesses, np.full(len(clusters) - n, -1)])
        model, pool = learned(documents, given.labels, rng, by_words, placed is not None, guesses)
        given = given if held is None else given.holding(held)
        guided = self._guided(together, model, given, links)
        start = Start(labels=_most_probable(guided, given))
        fresh = generator(self.random_state)
        found = minimise(guided, start, max_iter=self.max_iter, tol=self.tol, rng=fresh)
        sure = _temperature(problem, found, pool.accuracy)
        outcome = LabelModelOutcome(pool.weights, pool.accuracy, sure)
        labels, sizes = found.labels[:n], problem.sizes
        return replace(found, labels=labels, nearest=None, label_model=outcome, sizes=sizes)

    def _guided(
        self, problem: Problem, model: LinearModel, given: GivenClasses, links: Constraints | None
    ) -> Problem:
        """The problem with the label model on top, seeds held, and the links."""
        distortion = WithLabelModel(problem.distortion, model.coefficients, model.intercepts, _TAU)
        unary = given.clamps(problem.k)
        guided = replace(problem, distortion=distortion, unary=unary, bound=None)
        if links is None:
            return guided
        priced = links.links.times(self._price(problem))
        return replace(guided, interaction=Potts(priced, self.inference))

    def _with_links(
        self, solution: Solution, problem: Problem, supervision: Supervision
    ) -> Solution:
        """The solution with what each link costs, and whether it is broken."""
        constraints = supervision.constraints
        if constraints is None:
            return solution
        prices = self._price(problem) * constraints.weights
        judged = constraints.links.judged(solution.labels, prices)
        return replace(solution, link_prices=prices, links=judged)

    def _price(self, problem: Problem) -> float:
        """What it costs to break a link of weight 1: "auto" is more than HMRF-KMeans has.

        A link has to hold against the label model too.
        """
        if self.weight != "auto":
            return float(self.weight)
        return default_constraint_weight(problem) + _TAU * _NATS


def _standing(problem: Problem, labels: Labels) -> Solution:
    """Clusters as they are, each with its best prototype."""
    sums, masses = moments(problem.X, labels, problem.effective_weights, problem.k)
    prototypes = problem.distortion.prototypes(sums, masses)
    found = Solution(labels, prototypes, problem.distortion, 0.0, True, 0, by_nearest=False)
    return replace(found, energy=energy_of(problem, found))


def _effective(supervision: Supervision, n: int) -> Constraints | None:
    """The links that have an effect, if there are any."""
    if supervision.constraints is None:
        return None
    links = Constraints.given(supervision.constraints, n).effective()
    return links if len(links) else None


def _placed(supervision: Supervision, X: Matrix) -> PlacedBackground | None:
    if supervision.background is None:
        return None
    refuse_parts(X, "a background")
    return PlacedBackground.of(supervision.background, X, supervision.features)


def _with_background(solution: Solution, placed: PlacedBackground) -> Solution:
    """The solution with what became of the background."""
    n, k = len(solution.labels), solution.prototypes.shape[0]
    none = PredictedLabels(np.zeros((n, len(placed.classes(k)))), np.zeros(n, dtype=bool))
    return with_background_outcome(solution, placed, none, np.ones(k))


def _most_probable(guided: Problem, given: GivenClasses) -> Labels:
    """Where the label model would have every document, those of a known class there."""
    distortion = guided.distortion
    assert isinstance(distortion, WithLabelModel)
    form = distortion.affine(np.zeros_like(distortion.coefficients))
    labels = guided.backend.assign(form).labels
    return np.where(given.labels >= 0, given.labels, labels)


def _temperature(problem: Problem, solution: Solution, accuracy: float | None) -> float:
    """By which costs become probabilities as sure as held-out seeds are right."""
    rows = np.flatnonzero(problem.effective_weights > 0)
    rows = rows[:: max(1, len(rows) // _JUDGED)]
    form = solution.distortion.affine(solution.prototypes)
    return temperature(-costs(problem.X[rows], form), UNTRIED if accuracy is None else accuracy)
