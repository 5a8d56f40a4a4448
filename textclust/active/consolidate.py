"""Consolidate: once the skeleton stands, find out where more documents belong (Basu 2005, 5.3)."""

from __future__ import annotations

import numpy as np

from textclust.active.dialogue import Question
from textclust.active.state import State, place
from textclust.geometry.affine import Array, Labels

__all__ = [
    "consolidate",
    "consolidate_farthest",
    "consolidate_typical",
    "consolidate_uncertain",
]

_DRAWN = 10  # documents to choose from, or
_DRAWN_OF = 15_000  # over the number of all, where that is more


def consolidate(state: State) -> Question | None:
    """A random document, asked about with the neighbourhoods, the nearest first.

    At most k - 1 questions say where it belongs: the k-th answer is inferred.
    """
    return _going_on(state) or _about(state, state.fresh()[:1])


def consolidate_farthest(state: State) -> Question | None:
    """The document that is least like any known one: min-max (Mallapragada et al. 2008)."""
    question = _going_on(state)
    fresh = state.fresh()
    if question is not None or not len(fresh) or not state.is_complete:
        return question
    away = state.pool.from_nearest([*state.dialogue.documents, *state.ignored])[fresh]
    return _about(state, fresh[[away.argmax()]])


def consolidate_uncertain(state: State) -> Question | None:
    """The document whose place is least certain for the questions it is likely to take.

    Normalised point-based uncertainty (Xiong, Azimi and Fern 2014): the entropy of where it
    belongs, over the number of questions expected until that is known; nearer neighbourhoods
    are likelier. Outliers go last: what a document is worth is multiplied by the density around
    it where that is below the median.
    """
    return _most_worth(state, among=None)


def consolidate_typical(state: State) -> Question | None:
    """The same among a few documents drawn at random.

    The least certain of all documents lie between the clusters: nothing typical is among them,
    and a label model that learns from them alone is worse than one that learns from any. A small
    collection is drawn from more often, as it has fewer of them.
    """
    n = len(state.pool.order)
    return _most_worth(state, among=max(_DRAWN, _DRAWN_OF // max(n, 1)))


def _most_worth(state: State, among: int | None) -> Question | None:
    question = _going_on(state)
    fresh, skeleton = state.fresh(), state.dialogue.skeleton()
    if question is not None or not len(fresh) or not state.is_complete or len(skeleton) < 2:
        return question
    fresh = fresh[:among]
    density = np.minimum(state.pool.density[fresh], 1.0)
    worth = _worth(state.pool.from_centres(skeleton)[fresh]) * density
    return _about(state, fresh[[worth.argmax()]])


def _going_on(state: State) -> Question | None:
    return place(state) if state.is_complete else None


def _about(state: State, rows: Labels) -> Question | None:
    if not len(rows) or not state.is_complete:
        return None
    return state.towards([int(rows[0])])


def _worth(distances: Array) -> Array:
    """Entropy over expected questions, for distances from each of k neighbourhoods: n x k."""
    gaps = np.sort(distances, axis=1)
    gaps -= gaps[:, :1]
    scale = float(gaps[:, 1].mean()) or 1.0
    chances = np.exp(-gaps / scale)
    chances /= chances.sum(axis=1, keepdims=True)
    entropy = -(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=1)
    k = distances.shape[1]
    questions = np.minimum(np.arange(1, k + 1), k - 1)
    return np.asarray(entropy / (chances @ questions))
