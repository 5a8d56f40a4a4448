"""Where the loop begins. The start decides more than the method.

Each function takes a problem and a generator and returns one `Start`; all of them work
in the geometry of the problem's own distortion.
"""

from __future__ import annotations

import numpy as np

from textclust.engine.problem import Problem, Start
from textclust.geometry.affine import Array, Labels, Moments
from textclust.geometry.assignment import moments
from textclust.geometry.energies import optimum
from textclust.geometry.parts import table
from textclust.geometry.rows import column_deviations

__all__ = [
    "alone",
    "completed_by_draws",
    "completed_by_perturbation",
    "farthest_first",
    "from_rows",
    "kmeans_plus_plus",
    "losses",
    "perturbed_centroid",
    "seed_centroids",
]

_PERTURBATION = 0.1  # of half the mean deviation of each coordinate, at most


def kmeans_plus_plus(problem: Problem, rng: np.random.Generator) -> Start:
    """Documents drawn with a chance that grows with their distortion from those drawn before.

    Arthur and Vassilvitskii 2007, with the distortion in the place of the squared
    distance and the best of a few draws each time. Clusters that documents are clamped
    to start from these.
    """
    return completed_by_draws(problem, _known(problem), rng)


def completed_by_draws(
    problem: Problem, initial: Moments | None, rng: np.random.Generator
) -> Start:
    """Some clusters as they are, the others at documents drawn far from them."""
    draws = 2 + int(np.log(problem.k))
    chosen: list[int] = []
    if initial is None:
        missing = np.arange(problem.k)
        chosen.append(_draw(problem.effective_weights, rng))
        loss = losses(problem, np.array(chosen))[:, 0]
    else:
        missing = np.flatnonzero(initial.masses == 0)
        there = initial.masses > 0
        clusters = Moments(np.asfortranarray(initial.sums[there]), initial.masses[there])
        loss = _costs(problem, clusters).min(axis=1)
    while len(chosen) < len(missing):
        chances = problem.effective_weights * loss
        candidates = _drawn(chances, rng, draws)
        remaining = np.minimum(loss[:, None], losses(problem, candidates))
        best = int((problem.effective_weights @ remaining).argmin())
        chosen.append(int(candidates[best]))
        loss = remaining[:, best]
    if initial is None:
        return from_rows(problem, np.array(chosen))
    if chosen:
        initial.sums[missing], initial.masses[missing] = alone(problem, np.array(chosen))
    return Start(initial)


def seed_centroids(problem: Problem, rng: np.random.Generator) -> Start:
    """Each cluster at the centroid of the documents clamped to it (Basu 2005, 3.2).

    A cluster without any starts near the global centroid, as in `perturbed_centroid`.
    """
    return completed_by_perturbation(problem, _known(problem), rng)


def farthest_first(problem: Problem, rng: np.random.Generator) -> Start:
    """A random document, then always the one farthest from all chosen.

    Hochbaum and Shmoys 1985.
    """
    chosen = [_draw(problem.effective_weights, rng)]
    loss = losses(problem, np.array(chosen))[:, 0]
    while len(chosen) < problem.k:
        chosen.append(int(np.where(problem.effective_weights > 0, loss, -np.inf).argmax()))
        loss = np.minimum(loss, losses(problem, np.array(chosen[-1:]))[:, 0])
    return from_rows(problem, np.array(chosen))


def perturbed_centroid(problem: Problem, rng: np.random.Generator) -> Start:
    """The global centroid, every coordinate shaken a little for each cluster.

    The start of the thesis (Basu 2005, 4.4.3, after Dhillon, Fan and Guan 2001), which does
    not say by how much. Here it is up to a tenth of h_j, half the mean of |x_j - mean_j|.
    That follows the data when they are shifted or scaled. Where no value is negative h_j is
    at most mean_j, and nearly that for a term most documents lack, so no coordinate of a
    start falls below zero.
    """
    X, weights = problem.X, problem.effective_weights
    one = np.zeros(X.shape[0], dtype=np.intp)
    total, mass = moments(X, one, weights, 1)
    half_deviation = column_deviations(X, total[0] / mass, weights) / 2.0
    perturbation = rng.uniform(-_PERTURBATION, _PERTURBATION, (problem.k, total.shape[1]))
    return Start(Moments(total + half_deviation * perturbation, np.repeat(mass, problem.k)))


def from_rows(problem: Problem, rows: Labels) -> Start:
    """Each cluster starts at one document."""
    return Start(problem.moments(problem.X[rows], np.arange(problem.k), np.ones(problem.k)))


def completed_by_perturbation(
    problem: Problem, initial: Moments | None, rng: np.random.Generator
) -> Start:
    """Some clusters as they are, the others near the global centroid."""
    start = perturbed_centroid(problem, rng)
    if initial is None or start.moments is None:
        return start
    sums, masses = initial
    missing = masses == 0
    sums[missing], masses[missing] = (part[missing] for part in start.moments)
    return Start(initial)


def _known(problem: Problem) -> Moments | None:
    """The moments of the documents that are clamped to each cluster, if there are any."""
    if problem.unary is None:
        return None
    rows, labels = problem.unary.clamped()
    weights = problem.effective_weights[rows]
    return moments(problem.X[rows], labels, weights, problem.k) if weights.any() else None


def alone(problem: Problem, rows: Labels) -> Moments:
    """Clusters of one document each."""
    k = len(rows)
    return moments(problem.X[rows], np.arange(k), np.ones(k), k)


def losses(problem: Problem, rows: Labels) -> Array:
    """The distortion of every document from the given ones, one column each."""
    return _costs(problem, alone(problem, rows))


def _costs(problem: Problem, clusters: Moments) -> Array:
    """The distortion of every document from the prototypes of some clusters."""
    found = table(problem.X, optimum(problem.distortion, *clusters).form)
    found += problem.own_costs[:, None]
    return np.maximum(found, 0.0)


def _draw(chances: Array, rng: np.random.Generator) -> int:
    """A row with a chance proportional to its share; any row where nothing has a share."""
    return int(_drawn(chances, rng, 1)[0])


def _drawn(chances: Array, rng: np.random.Generator, count: int) -> Labels:
    """So many rows, each drawn so."""
    running = np.cumsum(chances)
    if not running[-1] > 0:
        return rng.integers(len(chances), size=count)
    places = np.searchsorted(running, rng.random(count) * running[-1], side="right")
    last = np.searchsorted(running, running[-1])  # where a product of tiny numbers is rounded up
    return np.minimum(places, last)
