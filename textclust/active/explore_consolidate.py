"""Asking a few well-chosen questions about documents (Basu 2005, chapter 5)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, ClassVar, Self

from textclust.active import CONSOLIDATING, EXPLORING, SPACES
from textclust.active.confirm import confirming, confirming_skeleton
from textclust.active.contradictions import reask, reask_suspect
from textclust.active.dialogue import Dialogue
from textclust.active.distances import DISTANCES, Between
from textclust.active.error_rates import estimated_error_rate
from textclust.active.in_sets import in_sets
from textclust.active.oracles import Oracle, answers_to
from textclust.active.query_pool import QueryPool
from textclust.active.state import PairStrategy, State, Strategy, in_turn
from textclust.active.surplus import surplus
from textclust.active.verify import at_most, verify, verifying
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

_CHECKS = 0.2  # the share of questions that check answers that may be wrong


@dataclass
class ExploreConsolidate:
    """Ask whether documents belong together, as few questions as will do.

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
    set_size : int or None, default=None
        Ask about sets of so many documents at a time: do they belong together, and which are
        strangers? The answer counts as one question. Those that are no strangers belong together,
        each stranger is apart from them. None asks about pairs.
    error_rate : float or "estimate", default=0
        How often answers are wrong, below 0.5. With 0 they are believed, and the latest about a
        pair counts. Otherwise the majority counts, up to a fifth of the questions are checks, and
        once every document has a place, those that few answers place are compared with another
        document of their group. Links weigh what answers with this error rate are worth, by the
        logarithm of the odds: 99 to 1 weigh 1. "estimate" takes the rate from answers that were
        to be expected from others, for which up to a fifth of the questions is spent; Beta(1, 9)
        is the prior.
    as_published : bool, default=False
        The thesis to the letter where a setting is left open: space="full",
        exploring="farthest", consolidating="random".
    random_state : int, RandomState, Generator or None, default=0

    Attributes
    ----------
    dialogue_ : Dialogue
        The questions and answers of the last call, and what was inferred.
    error_rate_ : float
        The error rate of the answers, as given or estimated.

    Notes
    -----
    - Formula: Explore asks next about the document x that has the largest ``min_z d(x, z)`` over
      the documents z that are known already.
    - Complexity: O(nnz) time for a question, one product of X with a vector; the density around
      each document ("dense" and "uncertain") costs one search for nearest neighbours, in a large
      collection among a sample.
    - Paper: Basu 2005, chapter 5; 8.3 for "dense".

    "Don't know" is dropped, and the pair is not asked about again. Rows that have no direction,
    such as rows of zeros under the cosine, are not asked about.

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
        "set_size": Whole(2, (None,)),
        "error_rate": Number(0.0, 0.49, ("estimate",)),
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
    set_size: int | None = None
    error_rate: float | str = 0.0
    as_published: bool = False
    random_state: Any = 0
    dialogue_: Dialogue = field(init=False, repr=False, compare=False)
    error_rate_: float = field(init=False, repr=False, compare=False)

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
        don't know". Of a set each document is compared with the first, unless the oracle has a
        method `strangers(documents)`, which gives those that do not belong with the others, or
        None. `known` is what was answered before; it need not be asked again.
        """
        return self._ask(X, oracle, known, self.strategy())

    def explore(self, X: Matrix, oracle: Oracle, known: Constraints | None = None) -> Constraints:
        """The first phase alone: ask until there is a document of each cluster."""
        check(self, self.rules)
        phase: PairStrategy = load(EXPLORING[self.resolved().exploring])
        return self._ask(X, oracle, known, in_turn(self._reasking, self._grouped(phase)))

    def consolidate(self, X: Matrix, oracle: Oracle, known: Constraints) -> Constraints:
        """The second phase alone, from answers that know a document of each cluster."""
        check(self, self.rules)
        phase: PairStrategy = load(CONSOLIDATING[self.resolved().consolidating])
        return self._ask(X, oracle, known, in_turn(self._reasking, self._grouped(phase)))

    def strategy(self) -> Strategy:
        """Both phases as one strategy, and what answers that may be wrong ask for."""
        check(self, self.rules)
        chosen = self.resolved()
        phases = load(EXPLORING[chosen.exploring]), load(CONSOLIDATING[chosen.consolidating])
        placing = self._grouped(in_turn(*phases))
        if not self.is_fallible:
            return in_turn(reask, surplus, verifying(self.checks), placing)
        share = max(self.checks, _CHECKS)
        confirm = self._grouped(confirming(self.error_rate_in))
        apart = self._grouped(confirming_skeleton(self.error_rate_in))
        checks = [apart, verify, confirm] if self.error_rate == "estimate" else [apart, verify]
        return in_turn(reask_suspect, at_most(share, in_turn(*checks)), placing, confirm)

    @property
    def is_fallible(self) -> bool:
        """Whether answers may be wrong."""
        return self.error_rate != 0

    def error_rate_in(self, dialogue: Dialogue) -> float:
        """The error rate of the answers of a dialogue: as given, or estimated from them."""
        if isinstance(self.error_rate, str):
            return estimated_error_rate(dialogue.repeats)
        return float(self.error_rate)

    def state(self, X: Matrix, known: Constraints | None = None) -> State:
        """The state that a dialogue about the rows of X begins with."""
        check(self, self.rules)
        rng = generator(self.random_state)
        pool = QueryPool(X, self.distance, rng, self.resolved().space, self.n_clusters)
        dialogue = Dialogue(self.n_clusters, fallible=self.is_fallible)
        if known is not None:
            links = Constraints.given(known, pool.n).links
            for (i, j), same in zip(links.pairs(), links.together.tolist(), strict=True):
                dialogue.record(i, j, same)
        return State(pool, dialogue)

    @property
    def _reasking(self) -> PairStrategy:
        return reask_suspect if self.is_fallible else reask

    def _grouped(self, strategy: PairStrategy) -> Strategy:
        """The questions of a strategy about pairs, or about sets of documents."""
        return strategy if self.set_size is None else in_sets(strategy, self.set_size)

    def _ask(
        self, X: Matrix, oracle: Oracle, known: Constraints | None, strategy: Strategy
    ) -> Constraints:
        state = self.state(X, known)
        for _ in range(self.budget):
            question = strategy(state)
            if question is None:
                break
            state.dialogue.record_all(answers_to(question, oracle))
        self.dialogue_ = state.dialogue
        self.error_rate_ = self.error_rate_in(state.dialogue)
        return state.dialogue.constraints(self.error_rate_)
