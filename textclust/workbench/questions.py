"""The next questions: pairs and sets as `ask` has them, and which cluster a document is in."""

from __future__ import annotations

from typing import Any

import numpy as np

from textclust.active.batches import questions_at_once
from textclust.active.dialogue import Dialogue, Question
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.active.query_pool import QueryPool
from textclust.active.state import State as Asking
from textclust.active.words import words_of_pair
from textclust.errors import InputError
from textclust.workbench.state import DISCARDED, State
from textclust.workbench.view import View

__all__ = ["KINDS", "Questions", "dialogue_of", "least_certain"]

KINDS = ("pair", "set", "cluster")
_SET = 8  # documents
_CHOICES = 9  # clusters, a digit for each
_WORDS = 8
_FEW = 3  # documents at random, of which the least certain is asked about
_NONE_LEFT = "nothing is left to ask about; a refit may raise new questions"


def dialogue_of(state: State) -> Dialogue:
    """All that was answered about pairs and sets."""
    dialogue = Dialogue(len(state.clusters))
    for event in state.events:
        dialogue.record_all(event)
    return dialogue


class Questions:
    """Questions about the documents of a collection, whose distances are worked out once."""

    def __init__(self) -> None:
        self._pool: tuple[int, QueryPool] | None = None

    def next(self, view: View, kind: str, count: int) -> dict[str, Any]:
        """Up to so many questions of a kind, and why there is none."""
        if kind not in KINDS:
            raise InputError(f"no questions of kind {kind!r:.40}; kinds are {', '.join(KINDS)}")
        found = _clusters(view, count) if kind == "cluster" else self._asked(view, kind, count)
        return {"questions": found, "reason": None if found else _NONE_LEFT}

    def _asked(self, view: View, kind: str, count: int) -> list[dict[str, Any]]:
        k = len(view.state.clusters)
        asking = ExploreConsolidate(k, count, set_size=_SET if kind == "set" else None)
        ignored = frozenset(view.state.passed) | _discarded(view.state)
        state = Asking(self._pool_for(view, k, asking), dialogue_of(view.state), ignored)
        found = questions_at_once(state, asking.strategy(), count)
        return [_pair(view, q) if isinstance(q, Question) else _set(q.documents) for q in found]

    def _pool_for(self, view: View, k: int, asking: ExploreConsolidate) -> QueryPool:
        if self._pool is None or self._pool[0] != k:
            self._pool = k, asking.state(view.collection.X).pool
        return self._pool[1]


def least_certain(view: View, count: int) -> list[int]:
    """Documents that nobody was asked about: each the least certain of a few drawn at random.

    The least certain of all are outliers, and tell less than documents at random.
    """
    known = np.zeros(len(view.state.labels), dtype=bool)
    known[[*view.state.passed, *view.state.seeds]] = True
    free = view.rows[~known[view.rows]]
    rng = np.random.default_rng([view.state.random_state, int(known.sum())])
    chosen: list[int] = []
    while len(chosen) < count and len(free):
        few = rng.choice(free, min(_FEW, len(free)), replace=False)
        best = int(few[np.lexsort((few, view.scores[few]))[0]])
        chosen.append(best)
        free = free[free != best]
    return chosen


def _clusters(view: View, count: int) -> list[dict[str, Any]]:
    """Which of these clusters?"""
    return [
        {"kind": "cluster", "row": row, "clusters": view.nearest(row, _CHOICES)}
        for row in least_certain(view, count)
    ]


def _pair(view: View, question: Question) -> dict[str, Any]:
    terms = view.collection.corpus.vectorizer.readable_terms()
    words = words_of_pair(view.collection.X, terms, question.left, question.right, _WORDS)
    return {
        "kind": "pair",
        "left": question.left,
        "right": question.right,
        "words": list(words.shared),
    }


def _set(documents: tuple[int, ...]) -> dict[str, Any]:
    return {"kind": "set", "rows": list(documents)}


def _discarded(state: State) -> frozenset[int]:
    return frozenset(np.flatnonzero(state.labels == DISCARDED).tolist())
