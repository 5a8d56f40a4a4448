"""From a problem to its best known solution: candidate starts, each run, the lowest energy kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from textclust.engine import STARTS, SUPERVISED_STARTS
from textclust.engine.loop import minimise
from textclust.engine.neighbourhood_starts import (
    neighbourhood_centroids,
    neighbourhoods_and_draws,
)
from textclust.engine.problem import Problem, Solution, Start
from textclust.engine.starts import kmeans_plus_plus, seed_centroids
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels, Moments
from textclust.geometry.capabilities import of_clusters
from textclust.geometry.rows import reordered_rows
from textclust.progress import track
from textclust.stopping import due, note_refined, note_start, while_allowed

__all__ = [
    "REFINED_WITHIN",
    "as_predicted",
    "candidate_starts",
    "in_canonical_order",
    "largest_first",
    "lowest_energy",
    "renumbered",
    "tried",
]

_TRIES = 10
REFINED_WITHIN = 4.0  # times what single moves brought to another run
_MANY_TERMS = 100  # from here on a latent space pays
_DOCUMENTS_PER_CLUSTER = 5  # fewer, and there is no structure to find in it

_energy = attrgetter("energy")


def candidate_starts(
    problem: Problem, init: npt.ArrayLike, n_init: int | str, rng: np.random.Generator
) -> Iterator[Start]:
    """The starts that `init` names, one at a time.

    A name, an array of k centres, or a label per document.
    """
    if not isinstance(init, str):
        return iter([_given(problem, np.asarray(init))])
    tries = None if n_init == "auto" else int(n_init)
    if init not in ("auto", "lsa"):
        draw = STARTS[init] if init in STARTS else SUPERVISED_STARTS[init]
        return (draw(problem, rng) for _ in range(tries or _TRIES))
    return _found_by_search(problem, init, tries, rng)


def _found_by_search(
    problem: Problem, init: str, tries: int | None, rng: np.random.Generator
) -> Iterator[Start]:
    """Starts in a latent space, or in the full one where that is small; guided if they can be."""
    n, d = int((problem.effective_weights > 0).sum()), problem.X.shape[1]
    latent = d > _MANY_TERMS and n >= _DOCUMENTS_PER_CLUSTER * problem.k
    guided = problem.interaction is not None and len(problem.interaction.neighbourhoods()) > 0
    draws = [kmeans_plus_plus, *([neighbourhoods_and_draws] if guided else [])]
    if init == "auto" and guided:
        yield neighbourhood_centroids(problem, rng)
    if init == "auto" and problem.unary is not None:
        yield seed_centroids(problem, rng)
    if min(n, d) > 1 and (init == "lsa" or latent):
        from textclust.engine.latent_starts import latent_starts

        yield from latent_starts(problem, rng, tries, draws)
    else:
        for t in range(max(tries or _TRIES, len(draws))):
            yield draws[t % len(draws)](problem, rng)


def lowest_energy(
    problem: Problem,
    starts: Iterator[Start],
    *,
    max_iter: int,
    tol: float,
    refine: bool,
    rng: np.random.Generator,
    refined_within: float = REFINED_WITHIN,
) -> Solution:
    """Run the loop from every start; the result does not depend on the number of threads.

    To move single documents takes longer than all the rest on a large collection, so that
    is left to the runs that may become the lowest: those within `refined_within` times what it
    brought to the first; with 0, to the lowest alone. A search that is to stop tries one start,
    and takes no further one.
    """
    run = partial(minimise, problem, max_iter=max_iter, tol=tol)
    runs = ((start, rng.spawn(1)[0]) for start in tried(starts))
    if not refine or problem.learner is not None:
        return min((run(start, refine=refine, rng=own) for start, own in runs), key=_energy)
    unrefined = [_UnrefinedRun(run(start, roughly=True, rng=own), own) for start, own in runs]
    candidates = track(sorted(unrefined, key=_energy), "refining", len(unrefined))
    first = next(candidates)
    if first.cut_short is not None:
        note_refined(False)
        return first.cut_short
    best = first.refined(problem, max_iter, tol)
    within = refined_within * (first.energy - best.energy)
    for other in candidates:
        if other.energy - best.energy > within or due():
            break
        best = min(best, other.refined(problem, max_iter, tol), key=_energy)
    note_refined(best.converged or best.n_iter >= max_iter)
    return best


def tried(starts: Iterator[Start]) -> Iterator[Start]:
    """The starts, one at a time, for as long as there is time for another."""
    for start in track(while_allowed(starts), "clustering"):
        note_start()
        yield start


class _UnrefinedRun:
    """A run that has not been refined yet, kept without its prototypes, which labels give again.

    One that the end of the search has cut short, and that is not to go on, is kept whole.
    """

    def __init__(self, solution: Solution, rng: np.random.Generator) -> None:
        self.energy = solution.energy
        self.cut_short = solution if not solution.converged and due() else None
        self._solution = replace(solution, prototypes=np.zeros((0, 0)), nearest=None)
        self._rng = rng

    def refined(self, problem: Problem, max_iter: int, tol: float) -> Solution:
        """Where it ends once single documents are moved."""
        initial = self._solution
        on = minimise(
            problem.learned(initial.distortion, problem.interaction),
            Start(labels=initial.labels),
            max_iter=max(1, max_iter - initial.n_iter),
            tol=tol,
            refine=True,
            rng=self._rng,
        )
        iterations = min(max_iter, initial.n_iter + on.n_iter)
        return replace(on, n_iter=iterations, history=initial.history + on.history)


def as_predicted(problem: Problem, solution: Solution, order: Labels) -> Solution:
    """The clusters in this order, and labels that say nothing but the nearest prototype.

    Only for problems without potentials; where sizes have a bound, documents stay where they are.
    Ties fall to the lowest number again. Prototypes that are a table are put in order in place.
    """
    if problem.sizes is not None:
        return renumbered(solution, order)
    before = None if solution.nearest is None else solution.nearest.renumbered(order)
    solution = _reordered(solution, order)
    form = solution.distortion.affine(solution.prototypes)
    found = problem.backend.assign(form, before, changed=np.zeros(problem.k, dtype=bool))
    return replace(solution, labels=found.labels, nearest=found)


def in_canonical_order(problem: Problem, solution: Solution) -> Solution:
    """Clusters by size, the largest first, then by first document; labels as predicted.

    See `as_predicted`.
    """
    return as_predicted(problem, solution, _canonical(problem, solution.labels))


def largest_first(problem: Problem, solution: Solution) -> Solution:
    """Clusters in the same order, each document in the cluster it was in."""
    return renumbered(solution, _canonical(problem, solution.labels))


def renumbered(solution: Solution, order: Labels) -> Solution:
    """Clusters in this order, each document in the cluster it was in."""
    solution = _reordered(solution, order)
    return replace(solution, labels=np.argsort(order)[solution.labels])


def _reordered(solution: Solution, order: Labels) -> Solution:
    """The prototypes, a table in place, and all that is known of each in this order."""
    prototypes = reordered_rows(solution.prototypes, order)
    memberships, mixture = solution.memberships, solution.mixture
    return replace(
        solution,
        prototypes=prototypes,
        distortion=of_clusters(solution.distortion, order),
        memberships=None if memberships is None else memberships[:, order],
        mixture=None if mixture is None else mixture.of(order),
        nearest=None,
    )


def _canonical(problem: Problem, labels: Labels) -> Labels:
    sizes = np.bincount(labels[problem.effective_weights > 0], minlength=problem.k)
    firsts = np.full(problem.k, len(labels))
    np.minimum.at(firsts, labels, np.arange(len(labels)))
    return np.lexsort((firsts, -sizes))


def _given(problem: Problem, init: Array) -> Start:
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
