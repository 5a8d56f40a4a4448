"""Where the loop begins. The start decides more than the method.

Each function takes a problem and a generator and returns one `Start`; all of them work
in the geometry of the problem's own distortion.
"""

from __future__ import annotations

import numpy as np

from textclust.geometry.affine import Array, Labels, Moments, costs
from textclust.geometry.kernel import moments
from textclust.methods.problem import Problem, Start

__all__ = ["farthest_first", "from_rows", "kmeans_plus_plus", "perturbed_centroid"]

_PERTURBATION = 0.1  # of each coordinate of the global centroid, at most


def kmeans_plus_plus(problem: Problem, rng: np.random.Generator) -> Start:
    """Documents drawn with a chance that grows with their distortion from those drawn before.

    Arthur and Vassilvitskii 2007, with the distortion in the place of the squared
    distance and the best of a few draws each time.
    """
    draws = 2 + int(np.log(problem.k))
    chosen = [_draw(problem.weighty, rng)]
    loss = _losses(problem, np.array(chosen))[:, 0]
    while len(chosen) < problem.k:
        chances = problem.weighty * loss
        candidates = np.array([_draw(chances, rng) for _ in range(draws)])
        remaining = np.minimum(loss[:, None], _losses(problem, candidates))
        best = int((problem.weighty @ remaining).argmin())
        chosen.append(int(candidates[best]))
        loss = remaining[:, best]
    return from_rows(problem, np.array(chosen))


def farthest_first(problem: Problem, rng: np.random.Generator) -> Start:
    """A random document, then always the one farthest from all chosen.

    Hochbaum and Shmoys 1985.
    """
    chosen = [_draw(problem.weighty, rng)]
    loss = _losses(problem, np.array(chosen))[:, 0]
    while len(chosen) < problem.k:
        chosen.append(int(np.where(problem.weighty > 0, loss, -np.inf).argmax()))
        loss = np.minimum(loss, _losses(problem, np.array(chosen[-1:]))[:, 0])
    return from_rows(problem, np.array(chosen))


def perturbed_centroid(problem: Problem, rng: np.random.Generator) -> Start:
    """The global centroid, every coordinate shaken a little for each cluster.

    The start of the thesis (Basu 2005, 4.4.3, after Dhillon, Fan and Guan 2001).
    """
    one = np.zeros(problem.X.shape[0], dtype=np.intp)
    centroid, mass = moments(problem.X, one, problem.weighty, 1)
    shaken = rng.uniform(-_PERTURBATION, _PERTURBATION, (problem.k, centroid.shape[1]))
    return Start(Moments(centroid * (1 + shaken), np.repeat(mass, problem.k)))


def from_rows(problem: Problem, rows: Labels) -> Start:
    """Each cluster starts at one document."""
    k = len(rows)
    return Start(moments(problem.X[rows], np.arange(k), np.ones(k), k))


def _losses(problem: Problem, rows: Labels) -> Array:
    """The distortion of every document from the given ones, one column each."""
    alone = moments(problem.X[rows], np.arange(len(rows)), np.ones(len(rows)), len(rows))
    table = costs(problem.X, problem.distortion.best(*alone).form)
    table += problem.distortion.own_costs(problem.X)[:, None]
    return np.maximum(table, 0.0)


def _draw(chances: Array, rng: np.random.Generator) -> int:
    """A row with a chance proportional to its share; any row where nothing has a share."""
    running = np.cumsum(chances)
    if running[-1] <= 0:
        return int(rng.integers(len(chances)))
    return int(np.searchsorted(running, rng.random() * running[-1], side="right"))
