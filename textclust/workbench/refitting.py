"""Clustering anew by all that was said, from the clusters as a person left them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil

import numpy as np

from textclust.engine.matching import matched
from textclust.engine.problem import Solution
from textclust.geometry.affine import Labels
from textclust.geometry.cosine import Cosine
from textclust.methods.choice import Run
from textclust.methods.guided import GuidedClusteringSolver
from textclust.result.placement import Space
from textclust.supervision.background.labelled import Background
from textclust.supervision.constraints import Constraints
from textclust.supervision.given import Supervision
from textclust.workbench.collection import Collection
from textclust.workbench.state import DISCARDED, State

__all__ = ["Fit", "first_fit", "refit", "refitted"]

_CENTRAL = 0.5  # of the documents of a part stand for it
_ENOUGH_SEEDS = 3  # of a part


class Fit:
    """A clustering of the documents that are not discarded.

    Where its labels are known already, the rest is worked out when it is first asked for.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        rows: Labels,
        run: Run,
        supervision: Supervision,
        solve: Callable[[], Solution],
        known: Labels | None = None,
    ) -> None:
        self.numbers = tuple(numbers)  # of the clusters, by place
        self.rows = rows  # that it is of
        self.run, self.supervision = run, supervision
        self._solve, self._known = solve, known

    @cached_property
    def solution(self) -> Solution:
        """Where the loop came to rest."""
        return self._solve()

    @property
    def labels(self) -> Labels:
        """The place of the cluster of each of the rows."""
        return self.solution.labels if self._known is None else self._known


def first_fit(
    collection: Collection, run: Run, supervision: Supervision, random_state: int
) -> State:
    """What is found before a person says anything, by what was given on opening."""
    solution = run.solve(collection.X, supervision)
    k = solution.prototypes.shape[0]
    found = solution.labels if solution.unsupervised is None else solution.unsupervised
    place = np.argsort(matched(found, solution.labels, k, k))
    names = _given_names(solution, supervision, k)
    state = State.begin(solution.labels, place[found], names)
    old = () if solution.background is None else enumerate(solution.background.class_names, 1)
    return replace(
        state,
        seeds={row: int(solution.labels[row]) + 1 for row in supervision.class_of_row},
        links=() if supervision.constraints is None else tuple(supervision.constraints.links),
        old_classes={name: number for number, name in old if name is not None},
        random_state=random_state,
        fit=Fit(list(state.place), state.alive, run, supervision, lambda: solution),
    )


def refit(collection: Collection, state: State, known: Labels | None = None) -> Fit:
    """The clustering by all that was said; `known` are its labels, where they are kept."""
    rows, order = state.alive, _order(state)
    place = np.full(state.next_number, -1)
    place[order] = np.arange(len(order))
    supervision = _supervision(collection, state, place)
    solver = GuidedClusteringSolver(len(order), random_state=state.random_state)
    found, held = place[state.unsupervised[rows]], place[state.held[rows]]

    def solve() -> Solution:
        guesses = _guesses(collection, state, place)[rows]
        return solver.solve_from(collection.X[rows], found, supervision, held, guesses)

    return Fit(order, rows, Run("guided", solver, len(order)), supervision, solve, known)


def refitted(state: State, fit: Fit) -> State:
    """The state with the labels of a refit."""
    labels = np.full_like(state.labels, DISCARDED)
    labels[fit.rows] = np.array(fit.numbers)[fit.labels]
    return replace(state, labels=labels, pending=0, fit=fit)


def _guesses(collection: Collection, state: State, place: Labels) -> Labels:
    """Documents that stand for the clusters that a person has merged, split or made; else -1.

    In every part of such a cluster those nearest to the middle, unless it has seeds that say more.
    """
    found, X = np.full(len(state.labels), -1), collection.X
    seeded = np.array(list(state.seeds), dtype=np.intp)
    inside = np.isin(state.unsupervised, list(state.edited)) & (state.labels != DISCARDED)
    whole = state.parts.astype(np.int64) * state.next_number + state.unsupervised
    for part in np.unique(whole[inside]):
        rows = np.flatnonzero(inside & (whole == part))
        if len(rows) < 2 or np.isin(rows, seeded).sum() >= _ENOUGH_SEEDS:
            continue
        middle = Space.of_centroids(X[rows], np.zeros(len(rows), dtype=np.intp), 1, Cosine())
        near = np.asarray(X[rows] @ middle.prototypes[0])
        central = rows[np.argsort(-near, kind="stable")[: ceil(_CENTRAL * len(rows))]]
        found[central] = place[state.unsupervised[central]]
    return found


def _order(state: State) -> list[int]:
    """The numbers of the clusters, those of old classes first, as methods have them."""
    old = dict.fromkeys(state.old_classes.values())
    return [*old, *(number for number in state.place if number not in old)]


def _supervision(collection: Collection, state: State, place: Labels) -> Supervision:
    """What was said of the documents that are not discarded, by row and place of a cluster."""
    rows = state.alive
    at = np.full(len(state.labels), -1)
    at[rows] = np.arange(len(rows))
    seeds = np.full(len(rows), -1)
    for row, number in state.seeds.items():
        seeds[at[row]] = place[number]
    links = [
        replace(link, left=int(at[link.left]), right=int(at[link.right]))
        for link in state.links
        if at[link.left] >= 0 and at[link.right] >= 0
    ]
    ids, vectorizer = collection.documents.ids, collection.corpus.vectorizer
    background = _background(collection.background, state)
    return Supervision(
        seeds=seeds if (seeds >= 0).any() else None,
        constraints=Constraints.from_links(links) if links else None,
        background=background,
        features=None if background is None else list(vectorizer.vocabulary_),
        ids=[ids[row] for row in rows.tolist()],
    )


def _background(given: Background | None, state: State) -> Background | None:
    """Older documents, their classes as a person has merged them."""
    if given is None:
        return None
    names = {number: state.cluster(number).name for number in state.old_classes.values()}
    shared = [name for name, count in Counter(names.values()).items() if count > 1]
    # A number for those without a name of their own.
    called = {n: n if name in (None, *shared) else name for n, name in names.items()}
    of_class = [state.old_classes.get(str(name)) for name in given.classes]
    y = [None if number is None else called[number] for number in of_class]
    return Background(given.X, [y[c] for c in given.y], given.features, list(called.values()))


def _given_names(solution: Solution, supervision: Supervision, k: int) -> list[str | None]:
    """The class of each cluster that was known on opening."""
    names: list[str | None] = [None] * k
    if solution.background is not None:
        for h, name in enumerate(solution.background.class_names):
            names[h] = name
        return names
    for h, name in enumerate(supervision.classes[:k]):
        names[h] = name
    return names
