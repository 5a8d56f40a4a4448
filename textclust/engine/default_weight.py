"""What is paid by default for a broken link, or a cluster that is too small.

One rule for every distortion and any scale.
"""

from __future__ import annotations

import numpy as np

from textclust.engine.problem import Problem
from textclust.geometry.assignment import moments
from textclust.geometry.capabilities import cold
from textclust.geometry.energies import optimum

__all__ = ["default_constraint_weight", "mean_distortion"]

_SHARE = 0.1  # of what a document costs before there are clusters


def default_constraint_weight(problem: Problem) -> float:
    """A share of the mean distortion of a document from the centre of all."""
    return _SHARE * mean_distortion(problem)


def mean_distortion(problem: Problem) -> float:
    """Of a document from the centre of all."""
    n, weights = problem.X.shape[0], problem.effective_weights
    whole = moments(problem.X, np.zeros(n, dtype=np.intp), weights, 1)
    distortion = cold(problem.distortion)
    energy = float(optimum(distortion, *whole).energies[0])
    own = np.where(weights > 0, distortion.own_costs(problem.X), 0.0)
    return (energy + float(weights @ own)) / float(weights.sum())
