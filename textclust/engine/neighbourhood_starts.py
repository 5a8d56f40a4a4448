"""Starts from neighbourhoods: documents that must-links hold together."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from textclust.engine.problem import Problem, Start
from textclust.engine.starts import alone, completed_by_draws, completed_by_perturbation, losses
from textclust.geometry.affine import Labels, Moments
from textclust.geometry.assignment import moments

__all__ = [
    "drawn_documents",
    "largest_neighbourhoods",
    "neighbourhood_centroids",
    "neighbourhoods_and_draws",
]


def neighbourhood_centroids(problem: Problem, rng: np.random.Generator) -> Start:
    """Large neighbourhoods far from each other (Basu 2005, 4.4.3).

    Weighted farthest-first traversal: first the largest, then always the one whose
    distance from all chosen, times its weight, is largest. Where there are fewer than k,
    the other clusters start near the global centroid.
    """
    return completed_by_perturbation(problem, _spread(problem), rng)


def neighbourhoods_and_draws(problem: Problem, rng: np.random.Generator) -> Start:
    """The same, but the other clusters start at documents drawn far from those."""
    return completed_by_draws(problem, _spread(problem), rng)


def largest_neighbourhoods(problem: Problem, rng: np.random.Generator) -> Start:
    """The k largest neighbourhoods (Basu, Bilenko and Mooney 2003, 3.1).

    Where there are fewer, the next cluster starts at a document that is linked apart from
    every one of them, if there is one, and the others near the global centroid.
    """
    groups = _neighbourhoods(problem)
    initial = _of_groups(problem, groups[: problem.k])
    if initial is not None and len(groups) < problem.k and problem.interaction is not None:
        outsider = problem.interaction.cannot_linked_to_all(groups)
        if outsider is not None:
            place = slice(len(groups), len(groups) + 1)
            initial.sums[place], initial.masses[place] = alone(problem, np.array([outsider]))
    return completed_by_perturbation(problem, initial, rng)


def drawn_documents(problem: Problem, rng: np.random.Generator) -> Start:
    """Documents at random, no two of one neighbourhood (Wagstaff et al. 2001; Basu 2005, 2.3.3).

    What must-links join to a document begins in its cluster. Where they leave fewer than k
    to draw, the other clusters start near the global centroid.
    """
    groups = _neighbourhoods(problem)
    group = np.arange(len(groups), len(groups) + problem.X.shape[0])
    for number, rows in enumerate(groups):
        group[rows] = number
    rows = np.flatnonzero(problem.effective_weights > 0)
    rows = rows[np.argsort(rng.exponential(size=len(rows)) / problem.effective_weights[rows])]
    drawn = rows[np.sort(np.unique(group[rows], return_index=True)[1])][: problem.k]
    alike = [groups[group[row]] if group[row] < len(groups) else np.array([row]) for row in drawn]
    return completed_by_perturbation(problem, _of_groups(problem, alike), rng)


def _neighbourhoods(problem: Problem) -> list[Labels]:
    """Those that have a place in this geometry."""
    found = [] if problem.interaction is None else problem.interaction.neighbourhoods()
    return [group for group in found if problem.effective_weights[group].any()]


def _spread(problem: Problem) -> Moments | None:
    """The neighbourhoods that weighted farthest-first traversal chooses."""
    groups = _neighbourhoods(problem)
    if len(groups) <= problem.k:
        return _of_groups(problem, groups)
    places = _centroids(problem, groups)
    chosen = [int(places.weights.argmax())]
    loss = losses(places, np.array(chosen))[:, 0]
    while len(chosen) < problem.k:
        far = places.weights * loss
        far[chosen] = -1.0
        chosen.append(int(far.argmax()))
        loss = np.minimum(loss, losses(places, np.array(chosen[-1:]))[:, 0])
    return _of_groups(problem, [groups[group] for group in chosen])


def _centroids(problem: Problem, groups: list[Labels]) -> Problem:
    """Each group as one document, of the weight of all."""
    rows, labels = _members(groups)
    weights = problem.effective_weights[rows]
    masses = np.bincount(labels, weights)
    shares = (weights / masses[labels], (labels, np.arange(len(rows))))
    means = sp.csr_array(shares, shape=(len(groups), len(rows))) @ problem.X[rows]
    return Problem(problem.distortion.prepare(means), problem.distortion, problem.k, masses)


def _members(groups: list[Labels]) -> tuple[Labels, Labels]:
    """All rows of all groups, and the group of each."""
    sizes = [len(group) for group in groups]
    return np.concatenate(groups), np.repeat(np.arange(len(groups)), sizes)


def _of_groups(problem: Problem, groups: list[Labels]) -> Moments | None:
    """The moments of k clusters that begin with these groups."""
    if not groups:
        return None
    rows, labels = _members(groups)
    return moments(problem.X[rows], labels, problem.effective_weights[rows], problem.k)
