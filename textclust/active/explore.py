"""Explore: find a document of every cluster, as soon as possible (Basu 2005, 5.2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from textclust.active.dialogue import Question
from textclust.active.query_pool import QueryPool
from textclust.active.state import State, place
from textclust.geometry.affine import Array

__all__ = ["explore", "explore_dense"]

Weights = Callable[[QueryPool], Array]  # of the documents, 1 for the median one


def explore(state: State) -> Question | None:
    """Farthest-first traversal: the next document is the one farthest from all known ones.

    It is asked about with each neighbourhood, the nearest first, until it belongs to one; if
    it belongs to none, it is the first of a new one. Ends when there are k; without k it goes
    on and on.
    """
    return _exploring(state, _all_alike)


def explore_dense(state: State) -> Question | None:
    """The same by distance times density: distant documents in dense regions (8.3).

    The farthest document is often an outlier that says nothing about any cluster. Its nearest
    neighbours are about as far from it as the known documents are, so its density outweighs
    the distance. The first document is a random one of the denser half.
    """
    return _exploring(state, _by_density)


def _exploring(state: State, weights: Weights) -> Question | None:
    if state.is_complete:
        return None
    return place(state) or _next_document(state, weights(state.pool))


def _next_document(state: State, weights: Array) -> Question | None:
    fresh = state.fresh()
    known = [*state.dialogue.documents, *state.ignored]
    first = None
    if not state.dialogue.skeleton():
        if len(fresh) < 2:
            return None
        first = int(fresh[(weights[fresh] >= 1.0).argmax()])
        fresh, known = fresh[fresh != first], [*known, first]
    if not len(fresh):
        return None
    away = state.pool.from_nearest(known)[fresh]
    chosen = int(fresh[(away * weights[fresh]).argmax()])
    return state.towards([chosen]) if first is None else Question(chosen, first)


def _all_alike(pool: QueryPool) -> Array:
    return np.ones(pool.n)


def _by_density(pool: QueryPool) -> Array:
    return pool.density
