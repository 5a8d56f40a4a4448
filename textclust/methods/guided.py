"""Guided clustering: what the documents say, weighed against what the reader says.

    E = sum_i D(x_i, mu_{y_i}) - tau sum_i log p(y_i | x_i) + sum_(i,j) V_ij(y_i, y_j)

over the labels y that have every seed in its class. p is a label model, learned from the seeds and
from all other documents: several models are pooled by how well they predict held-out seeds (see
`label_models`), and a linear model learns what they say together. It is affine in the document, so
the loop is that of k-means, and new documents meet the same energy.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

import numpy as np

from textclust.engine.default_weight import default_constraint_weight
from textclust.engine.loop import energy_of, minimise
from textclust.engine.problem import LabelModelOutcome, Problem, Solution, Start
from textclust.engine.restarts import in_canonical_order
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.geometry.with_label_model import WithLabelModel
from textclust.methods import parameters
from textclust.methods.hmrf import HMRFKMeansSolver
from textclust.methods.kmeans import KMeansSolver, generator
from textclust.methods.label_models.calibration import temperature
from textclust.methods.label_models.documents import Documents
from textclust.methods.label_models.linear import LinearModel, fit_linear
from textclust.methods.label_models.pool import Pool, pooled
from textclust.methods.label_models.spherical import matching
from textclust.methods.solver import DistortionLike
from textclust.parameters import Parameters, Settings
from textclust.supervision.components import apart_neighbourhoods
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.supervision.potentials import Unary
from textclust.supervision.potts import Potts
from textclust.supervision.seeds import Seeds

__all__ = ["GuidedClusteringSolver"]

_TAU = 0.05  # of a nat of log p beside a cosine
_SEED = 3.0  # counts as so many documents when the linear model learns
_SURE = 0.7  # accuracy where no seed could be held out
_LEARNED_FROM = 12_000  # documents at most; all are clustered
_CENTRAL = 5  # documents at least that stand for a cluster without seeds


@dataclass(repr=False, eq=False)
class GuidedClusteringSolver(KMeansSolver):
    """Clusters by seeds, links, or both."""

    rules: ClassVar[Parameters] = parameters.GUIDED

    _: KW_ONLY
    distortion: DistortionLike = "cosine"
    weight: float | str = "auto"
    inference: str = "icm"

    def published(self) -> Settings:
        """No paper has it: as usual."""
        return self.usual()

    def _solve(self, X: Matrix, weights: Array | None, supervision: Supervision) -> Solution:
        problem, links = self._problem(X, weights), _effective(supervision, X.shape[0])
        y = _classes_of_rows(supervision, links, X.shape[0], self.n_clusters)
        if not (y >= 0).any():
            return self._without_classes(problem, X, supervision, links)
        free = self._descend(problem)
        if self.n_clusters == 1:
            return replace(free, unsupervised=free.labels)
        documents = Documents(
            problem.X,
            problem.effective_weights,
            free.labels,
            problem.k,
            int(generator(self.random_state).integers(2**31)),
            problem.threads,
        )
        model, pool = _learned(documents, y, generator(self.random_state))
        guided = self._guided(problem, model, y, links)
        solution = self._lowest_from(guided, _nearest(guided, problem))
        outcome = LabelModelOutcome(pool.weights, pool.accuracy)
        found = replace(solution, unsupervised=free.labels, label_model=outcome)
        if links is None or supervision.constraints is None:
            return found
        prices = self._price(problem) * supervision.constraints.weights
        judged = supervision.constraints.links.judged(found.labels, prices)
        return replace(found, link_prices=prices, links=judged)

    def _without_classes(
        self, problem: Problem, X: Matrix, supervision: Supervision, links: Constraints | None
    ) -> Solution:
        """Links that make no groups, or nothing: HMRF-KMeans, or k-means."""
        if links is None:
            return in_canonical_order(problem, self._descend(problem))
        settings = {
            name: getattr(self, name) for name in HMRFKMeansSolver.rules if hasattr(self, name)
        }
        return HMRFKMeansSolver(**settings).solve(X, problem.weights, supervision)

    def _guided(
        self, problem: Problem, model: LinearModel, y: Labels, links: Constraints | None
    ) -> Problem:
        """The problem with the label model on top, seeds held, and the links."""
        distortion = WithLabelModel(problem.distortion, model.coefficients, model.intercepts, _TAU)
        seeds = np.flatnonzero(y >= 0)
        costs = np.full((len(seeds), problem.k), np.inf)
        costs[np.arange(len(seeds)), y[seeds]] = 0.0
        guided = replace(problem, distortion=distortion, unary=Unary(seeds, costs), bound=None)
        if links is None:
            return guided
        priced = links.links.times(self._price(problem))
        return replace(guided, interaction=Potts(priced, self.inference))

    def _lowest_from(self, guided: Problem, labels: Labels) -> Solution:
        rng = generator(self.random_state)
        start = Start(labels=labels)
        solution = minimise(guided, start, max_iter=self.max_iter, tol=self.tol, rng=rng)
        return replace(solution, energy=energy_of(guided, solution))

    def _price(self, problem: Problem) -> float:
        return default_constraint_weight(problem) if self.weight == "auto" else float(self.weight)


def _effective(supervision: Supervision, n: int) -> Constraints | None:
    """The links that have an effect, if there are any."""
    if supervision.constraints is None:
        return None
    links = Constraints.given(supervision.constraints, n).effective()
    return links if len(links) else None


def _classes_of_rows(supervision: Supervision, links: Constraints | None, n: int, k: int) -> Labels:
    """The class of each row that seeds name, or links that join it with one; -1 elsewhere.

    Without seeds, k groups that links know to be all apart are classes without a name.
    """
    seeds = Seeds.of(supervision.seeds, n, k)
    y = np.full(n, -1)
    y[seeds.documents] = seeds.labels
    if links is None:
        return y
    if not len(seeds):
        for number, rows in enumerate(apart_neighbourhoods(links.links, k)):
            y[rows] = number
        return y
    for rows in links.neighbourhoods():
        named = np.unique(y[rows][y[rows] >= 0])
        if len(named) == 1:
            y[rows] = named[0]
    return y


def _learned(documents: Documents, y: Labels, rng: np.random.Generator) -> tuple[LinearModel, Pool]:
    """The linear model that learns what all label models say together, and what they say."""
    rows = _sample(y, rng)
    sample, y = documents.subset(rows), y[rows]
    weak = _for_new_classes(sample, y)
    pool = pooled(sample, y, weak, rng)
    labels = np.where(y >= 0, y, pool.log_probabilities.argmax(axis=1))
    confidence = np.exp(pool.log_probabilities.max(axis=1))
    model = fit_linear(sample, labels, np.where(y >= 0, _SEED, confidence))
    accuracy = _SURE if pool.accuracy is None else pool.accuracy
    cool = temperature(model.scores(sample), accuracy)
    return LinearModel(model.coefficients / cool, model.intercepts / cool), pool


def _sample(y: Labels, rng: np.random.Generator) -> Labels:
    """Seeds first, then any others, as many as are learned from."""
    if len(y) <= _LEARNED_FROM:
        return np.arange(len(y))
    order = np.lexsort((rng.random(len(y)), y < 0))
    return np.sort(order[:_LEARNED_FROM])


def _for_new_classes(documents: Documents, y: Labels) -> Labels:
    """A guess for clusters that no seed names: the documents nearest to the middle of each."""
    weak = np.full(len(y), -1)
    named, counts = np.unique(y[y >= 0], return_counts=True)
    new = np.setdiff1d(np.arange(documents.k), named)
    if not len(new):
        return weak
    order = matching(documents, y)
    count = max(_CENTRAL, int(np.median(counts)))
    for label in new:
        inside = np.flatnonzero((documents.clusters == order[label]) & (y < 0))
        near = np.asarray(documents.X[inside] @ documents.prototypes[order[label]])
        weak[inside[np.argsort(-near, kind="stable")[:count]]] = label
    return weak


def _nearest(guided: Problem, problem: Problem) -> Labels:
    """Where the label model would have every document, seeds where they are."""
    distortion = guided.distortion
    assert isinstance(distortion, WithLabelModel)
    form = distortion.affine(np.zeros_like(distortion.coefficients))
    labels = problem.backend.assign(form).labels.copy()
    if guided.unary is not None:
        rows, clusters = guided.unary.clamped()
        labels[rows] = clusters
    return labels
