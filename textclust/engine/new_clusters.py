"""How many new clusters there are beside the classes of a background."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from textclust.engine.problem import Solution
from textclust.geometry.affine import Matrix
from textclust.geometry.assignment import make_backend
from textclust.stopping import due

__all__ = ["grown"]

_EVIDENCE = 0.2  # of the documents in a new cluster fit no known class, and
_TIMES = 2.3  # as many as in the middle one of the clusters of known classes
_BEYOND_CHANCE = 3.5  # standard deviations more than if they were spread over the collection
_GAIN = 0.6  # of what the cluster before took off the distortion
_MOST = 20  # new clusters


def grown(solve: Callable[[int], Solution], classes: int, X: Matrix) -> Solution:
    """As many clusters as there are classes, and more while the evidence supports them.

    One more is supported if in every new cluster a fifth of the documents fit no known class, far
    more than in the clusters of known classes, where words change too, and more than there would be
    by chance; and if it takes nearly as much off the distortion as the one before: less is what
    splitting one topic in two brings.
    """
    best = solve(classes)
    before, gain = _distortion(best, X), 0.0
    for k in range(classes + 1, min(classes + _MOST, X.shape[0]) + 1):
        if due():
            break
        found = solve(k)
        after = _distortion(found, X)
        if not _is_new(found) or before - after < _GAIN * gain:
            break
        best, before, gain = found, after, before - after
    return best


def _is_new(solution: Solution) -> bool:
    found = solution.background
    assert found is not None
    unfamiliar = found.fits_no_class
    usual = float(unfamiliar.mean())
    new: list[float] = []
    known: list[float] = []  # shares of the documents of each cluster that fit no known class
    for h, name in enumerate(found.classes):
        own = unfamiliar[solution.labels == h]
        share = float(own.mean()) if len(own) else 0.0
        if name is not None:
            known += [share] if len(own) else []
            continue
        deviation = (usual * (1.0 - usual) / max(len(own), 1)) ** 0.5
        new.append(share if share >= usual + _BEYOND_CHANCE * deviation else 0.0)
    typical = float(np.median(known)) if known else 0.0
    return min(new, default=0.0) >= max(_EVIDENCE, _TIMES * typical)


def _distortion(solution: Solution, X: Matrix) -> float:
    """What the documents cost in their clusters, without anything else."""
    X = solution.distortion.prepare(X)
    rows = np.arange(X.shape[0])
    form = solution.distortion.affine(solution.prototypes)
    costs = make_backend(X).costs_at(form, rows, solution.labels) + solution.distortion.own_costs(X)
    return float(costs.sum())
