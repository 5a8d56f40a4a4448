"""Asking a few well-chosen questions about pairs of documents (Basu 2005, chapter 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from textclust.active import CONSOLIDATING, EXPLORING, SPACES
from textclust.active.contradictions import reask
from textclust.active.dialogue import Dialogue
from textclust.active.distances import DISTANCES, Between
from textclust.active.query_pool import QueryPool
from textclust.active.state import State, Strategy, in_turn
from textclust.active.surplus import surplus
from textclust.active.verify import verifying
from textclust.errors import InputError
from textclust.geometry.affine import Matrix
from textclust.methods.kmeans import generator
from textclust.parameters import (
    Flag,
    Number,
    OneOf,
    Randomness,
    Registered,
    Rule,
    Whole,
    check,
    fill_open,
)
from textclust.registry import load
from textclust.supervision.constraints import Constraints

__all__ = ["ExploreConsolidate", "Oracle"]

Oracle = Callable[[int, int], bool | None]


@dataclass
class ExploreConsolidate:
    """Ask whether pairs of documents belong together, as few of them as will do.

    Explore finds a document of each cluster by farthest-first traversal; Consolidate then
    finds out where more documents belong, each with at most k - 1 questions, the nearest
    neighbourhood first (Basu 2005, chapter 5).

    Parameters
    ----------
    n_clusters : int or None
        k. None where it is not known: then exploring goes on as long as questions are left.
    budget : int
        How many questions may be asked.
    distance : {"cosine", "euclidean", "hellinger"} or a function, default="cosine"
        A function takes a matrix and a point, and gives the distance of each row from it.
    space : {"full", "latent", "auto"}, default="auto"
        Where distances are measured: between the rows of X, or in the leading directions of
        its truncated SVD, ten or as many as clusters. "auto" is latent where there are more
        than a hundred columns.
    exploring : {"auto", "farthest", "dense"}, default="auto"
        "dense" weighs the distance by the density around a document, its nearest neighbours,
        and so passes outliers over (8.3). "auto" is "farthest".
    consolidating : {"auto", "typical", "uncertain", "random", "farthest"}, default="auto"
        Which document comes next once there is one of each cluster: the one whose place is least
        certain, outliers last (Xiong, Azimi and Fern 2014), of all ("uncertain") or of a few drawn
        at random ("typical"), a random one as in the thesis, or the one least like any known one
        (Mallapragada et al. 2008). "auto" is "typical", and "random" as published.
    checks : float, default=0
        The largest share of questions to spend on what follows from earlier answers, so that
        wrong ones show: 0.2 where answers may be wrong. What contradicts other answers, or
        asks for more than k clusters, is asked once more.
    as_published : bool, default=False
        The thesis to the letter where a setting is left open: space="full",
        exploring="farthest", consolidating="random".
    random_state : int, RandomState, Generator or None, default=0

    Attributes
    ----------
    dialogue_ : Dialogue
        The questions and answers of the last call, and what was inferred.

    Notes
    -----
    The next question costs one product of X with a vector; the density around each document
    ("dense" and "uncertain") costs one search for nearest neighbours, in a large collection
    among a sample. "Don't know" is dropped, and the pair is not asked about again. Rows that
    have no direction, such as rows of zeros under the cosine, are not asked about.

    Examples
    --------
    >>> import numpy as np
    >>> import textclust as tc
    >>> X = np.array([[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2], [0.2, 3.0]])
    >>> kinds = [0, 0, 1, 1, 0]
    >>> asking = tc.ExploreConsolidate(n_clusters=2, budget=4)
    >>> asking.query(X, lambda i, j: kinds[i] == kinds[j])
    Constraints(3 must-links, 1 cannot-link)
    """

    rules: ClassVar[dict[str, Rule]] = {
        "n_clusters": Whole(1, (None,)),
        "budget": Whole(0),
        "distance": OneOf(tuple(DISTANCES), ("collections.abc:Callable",)),
        "space": OneOf(("auto", *SPACES)),
        "exploring": Registered(EXPLORING, ("auto",)),
        "consolidating": Registered(CONSOLIDATING, ("auto",)),
        "checks": Number(0.0, 1.0),
        "as_published": Flag(),
        "random_state": Randomness(),
    }

    n_clusters: int | None
    budget: int
    _: KW_ONLY
    distance: str | Between = "cosine"
    space: str = "auto"
    exploring: str = "auto"
    consolidating: str = "auto"
    checks: float = 0.0
    as_published: bool = False
    random_state: Any = 0
    dialogue_: Dialogue = field(init=False, repr=False, compare=False)

    def resolved(self) -> Self:
        """The same with open settings filled in: as published, or with our defaults."""
        return fill_open(self, self.published() if self.as_published else self.usual())

    def usual(self) -> dict[str, Any]:
        """Farthest-first, then documents whose place is less certain than that of others."""
        return {"exploring": "farthest", "consolidating": "typical"}

    def published(self) -> dict[str, Any]:
        """Chapter 5: all terms, farthest-first, then documents at random."""
        return {"space": "full", "exploring": "farthest", "consolidating": "random"}

    def query(self, X: Matrix, oracle: Oracle, known: Constraints | None = None) -> Constraints:
        """Ask about rows of X in both phases; what was answered, with what was inferred.

        `oracle(i, j)` says whether two rows belong together: True, False, or None for "I
        don't know". `known` is what was answered before; it need not be asked again.
        """
        return self._ask(X, oracle, known, self.strategy())

    def explore(self, X: Matrix, oracle: Oracle, known: Constraints | None = None) -> Constraints:
        """The first phase alone: ask until there is a document of each cluster."""
        check(self, self.rules)
        phase: Strategy = load(EXPLORING[self.resolved().exploring])
        return self._ask(X, oracle, known, in_turn(reask, phase))

    def consolidate(self, X: Matrix, oracle: Oracle, known: Constraints) -> Constraints:
        """The second phase alone, from answers that know a document of each cluster."""
        check(self, self.rules)
        phase: Strategy = load(CONSOLIDATING[self.resolved().consolidating])
        return self._ask(X, oracle, known, in_turn(reask, phase))

    def strategy(self) -> Strategy:
        """Both phases as one strategy."""
        check(self, self.rules)
        chosen = self.resolved()
        phases = load(EXPLORING[chosen.exploring]), load(CONSOLIDATING[chosen.consolidating])
        return in_turn(reask, surplus, verifying(self.checks), *phases)

    def state(self, X: Matrix, known: Constraints | None = None) -> State:
        """The state that a dialogue about the rows of X begins with."""
        check(self, self.rules)
        rng = generator(self.random_state)
        pool = QueryPool(X, self.distance, rng, self.resolved().space, self.n_clusters)
        dialogue = Dialogue(self.n_clusters)
        if known is not None:
            links = Constraints.given(known, pool.n).links
            for (i, j), same in zip(links.pairs(), links.together.tolist(), strict=True):
                dialogue.record(i, j, same)
        return State(pool, dialogue)

    def _ask(
        self, X: Matrix, oracle: Oracle, known: Constraints | None, strategy: Strategy
    ) -> Constraints:
        state = self.state(X, known)
        for _ in range(self.budget):
            question = strategy(state)
            if question is None:
                break
            state.dialogue.record(*question, _checked(oracle(*question)))
        self.dialogue_ = state.dialogue
        return state.dialogue.constraints()


def _checked(answer: object) -> bool | None:
    if answer is None or isinstance(answer, bool | np.bool_):
        return None if answer is None else bool(answer)
    raise InputError(f"the oracle must answer True, False or None; got {answer!r}")
