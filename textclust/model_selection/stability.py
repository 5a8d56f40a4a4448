"""Whether the same clusters would come out again: the method run anew on parts of the documents.

The documents are split in halves several times, and each half is clustered as all of them were, by
its own search from its own start. What supervision mentions is in both halves, so that every run
has the same supervision. Each pair of halves has every other document once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from textclust.engine.problem import Solution
from textclust.errors import InputError
from textclust.geometry.affine import Array, Labels
from textclust.methods.choice import Run
from textclust.methods.groups import View
from textclust.methods.kmeans import generator
from textclust.methods.solver import Solver
from textclust.progress import track
from textclust.result.stability import Stability
from textclust.stopping import due, searching, while_allowed

__all__ = ["RUNS", "agreement_of_documents", "stability"]

RUNS = 20  # of halves


class Labelling(NamedTuple):
    """The labels of some rows."""

    rows: Labels
    labels: Labels


def stability(view: View, run: Run, solution: Solution) -> Stability:
    """How stable what the run found on the view is, document by document.

    It stops with the search: what was found by then counts.
    """
    labels, k = solution.labels, solution.prototypes.shape[0]
    number = np.arange(len(labels)) if view.groups is None else view.groups.number
    sums, counts = np.zeros(len(labels)), np.zeros(len(labels), dtype=np.intp)
    done = 0
    with searching():
        for found in _resampled(view, run):
            again = np.full(view.X.shape[0], -1)
            again[found.rows] = found.labels
            documents = np.flatnonzero(again[number] >= 0)
            sums[documents] += agreement_of_documents(labels[documents], again[number[documents]])
            counts[documents] += 1
            done += 1
    figures = np.divide(sums, counts, out=np.full(len(labels), np.nan), where=counts > 0)
    return Stability.of(np.maximum(figures, 0.0), labels, k, done, RUNS)


def agreement_of_documents(labels: Labels, again: Labels) -> Array:
    """The kappa, for each document, of who is in its cluster and who is in it again.

    Of N others, a share its cluster, b share it again and o do both; a b / N of them would by
    chance. It is (o - a b / N) / ((a + b) / 2 - a b / N), and 1 where nothing can differ. As it
    depends on the two clusters of a document alone, a table of these will do.

    >>> agreement_of_documents(np.array([0, 0, 1, 1]), np.array([5, 5, 3, 3])).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    cells, place = np.unique(np.stack([labels, again]), axis=1, return_inverse=True)
    a, b = (np.bincount(each)[own] - 1.0 for each, own in zip((labels, again), cells, strict=True))
    both = np.bincount(place) - 1.0
    chance = a * b / max(len(labels) - 1, 1)
    most = (a + b) / 2.0 - chance
    return np.divide(both - chance, most, out=np.ones_like(both), where=most > 0)[place]


def _resampled(view: View, run: Run) -> Iterator[Labelling]:
    """The labels that each run finds, until it is time to stop."""
    rng = generator(run.solver.random_state).spawn(1)[0]
    halves = _halves(view, rng)
    for rows in track(while_allowed(halves), "resampled runs", RUNS):
        again = replace(run, solver=_resampling_solver(run, rng, rows, view.X.shape[0]))
        if due():
            return
        try:
            solution = view.subset(rows).solve(again)
        except InputError as error:
            raise InputError(
                f"stability: half of the documents cannot be clustered so ({error}); leave it out"
            ) from error
        if due():  # it was cut short, and is not like the others
            return
        yield Labelling(rows, solution.labels)


def _halves(view: View, rng: np.random.Generator) -> list[Labels]:
    """The rows of each run, ascending: a half of the others beside all that is mentioned."""
    n = view.X.shape[0]
    mentioned = view.supervision.mentioned
    others = np.setdiff1d(np.arange(n), mentioned)
    found: list[Labels] = []
    while len(found) < RUNS:
        order = rng.permutation(others)
        parts = np.array_split(order, 2)
        found += [np.sort(np.concatenate([mentioned, part])) for part in parts]
    return found[:RUNS]


def _resampling_solver(run: Run, rng: np.random.Generator, rows: Labels, n: int) -> Solver:
    """The solver for some of n rows: with random numbers of its own, and as they are fewer."""
    settings = run.solver.parameters()
    if settings.get("kernel") == "precomputed":
        raise InputError(
            "stability needs documents, and kernel='precomputed' has pairs alone; leave it out"
        )
    changed: dict[str, object] = {"random_state": int(rng.integers(2**31))}
    init, least = settings.get("init"), settings.get("min_size")
    if init is not None and not isinstance(init, str) and np.shape(init) == (n,):
        changed["init"] = np.asarray(init)[rows]
    if least is not None:
        changed["min_size"] = max(1, int(least * len(rows) / n))
    return replace(run.solver, **changed)
