"""From a problem to its best known solution: candidate starts, each run, the lowest energy kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from textclust.errors import InputError
from textclust.geometry.affine import Moments
from textclust.geometry.rows import reorder_rows
from textclust.methods.loop import minimise
from textclust.methods.problem import Problem, Solution, Start
from textclust.methods.starts import farthest_first, kmeans_plus_plus, perturbed_centroid
from textclust.progress import track

__all__ = ["STARTS", "candidate_starts", "in_canonical_order", "lowest_energy"]

_DRAWN = {
    "k-means++": kmeans_plus_plus,
    "perturbed": perturbed_centroid,
    "farthest": farthest_first,
}
STARTS = ("auto", "lsa", *_DRAWN)

_TRIES = 10
_MANY_TERMS = 100  # from here on a latent space pays
_DOCUMENTS_PER_CLUSTER = 5  # fewer, and there is no structure to find in it


def candidate_starts(
    problem: Problem, init: Any, n_init: int | str, rng: np.random.Generator
) -> Iterator[Start]:
    """The starts that `init` names, one at a time.

    A name, an array of k centres, or a label per document.
    """
    if not isinstance(init, str):
        return iter([_given(problem, np.asarray(init))])
    tries = None if n_init == "auto" else int(n_init)
    n, d = int((problem.weighty > 0).sum()), problem.X.shape[1]
    latent = d > _MANY_TERMS and n >= _DOCUMENTS_PER_CLUSTER * problem.k
    if min(n, d) > 1 and (init == "lsa" or (init == "auto" and latent)):
        from textclust.methods.latent import latent_starts

        return latent_starts(problem, rng, tries)
    draw = _DRAWN.get(init, kmeans_plus_plus)
    return (draw(problem, rng) for _ in range(tries or _TRIES))


def lowest_energy(
    problem: Problem,
    starts: Iterator[Start],
    *,
    max_iter: int,
    tol: float,
    refine: bool,
    rng: np.random.Generator,
) -> Solution:
    """Run the loop from every start; the result does not depend on the number of threads."""
    run = partial(minimise, problem, max_iter=max_iter, tol=tol, refine=refine)
    solutions = (run(start, rng=rng.spawn(1)[0]) for start in track(starts, "clustering"))
    return min(solutions, key=lambda solution: solution.energy)


def in_canonical_order(problem: Problem, solution: Solution) -> Solution:
    """Clusters by size, the largest first, then by first document; labels as predicted.

    Only for problems without potentials, where a label is nothing but the nearest
    prototype: ties fall to the lowest number again after the reordering.
    """
    sizes = np.bincount(solution.labels[problem.weighty > 0], minlength=problem.k)
    firsts = np.full(problem.k, len(solution.labels))
    np.minimum.at(firsts, solution.labels, np.arange(len(solution.labels)))
    order = np.lexsort((firsts, -sizes))
    reorder_rows(solution.prototypes, order)
    form = solution.distortion.affine(solution.prototypes)
    return replace(solution, labels=problem.kernel.renumbered(solution.labels, order, form))


def _given(problem: Problem, init: Any) -> Start:
    (n, d), k = problem.X.shape, problem.k
    if init.shape == (n,) and np.issubdtype(init.dtype, np.integer):
        if init.min() < 0 or init.max() >= k:
            raise InputError(f"init as labels must lie between 0 and {k - 1}")
        return Start(labels=init.astype(np.intp))
    if init.shape == (k, d):
        if not np.issubdtype(init.dtype, np.number) or not np.isfinite(init).all():
            raise InputError("init holds values that are not finite numbers")
        centres = problem.distortion.prepare(np.array(init, dtype=np.float64, order="F"))
        return Start(Moments(centres, np.ones(k)))
    raise InputError(
        f"init must be {k} centres of {d} features or one label per document ({n}); "
        f"got an array of shape {init.shape} and type {init.dtype}"
    )
