"""One method in one run of a learning curve: some documents tell, and the others are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import signature

import numpy as np
from sklearn.base import BaseEstimator, clone

from textclust import metrics
from textclust.active.explore_consolidate import ExploreConsolidate
from textclust.experiments import halves
from textclust.experiments.asking import answers_about, links_from
from textclust.experiments.declared import Case, Row
from textclust.geometry.affine import Array, Labels, Matrix
from textclust.supervision.constraints import Constraints

__all__ = ["Trial"]

Supervise = Callable[[float], Constraints | Array]  # links or seeds, as many as asked for


@dataclass(frozen=True, eq=False)
class Trial:
    """One method in one run: a unit of the work."""

    X: Matrix
    truth: Array
    supervision: str
    amounts: tuple[float, ...]
    methods: dict[str, BaseEstimator]
    measure: str
    folds: int
    wrong: float
    random_state: int

    def __call__(self, case: Case, run: int) -> Iterator[Row]:
        state = self.random_state + run
        rng = np.random.default_rng(state)
        line = ", ".join(filter(None, (case["method"], case["pairs"])))
        parts = halves.folds(len(self.truth), self.folds, rng)
        for number, (train, test) in enumerate(parts):
            own = np.random.default_rng((state, number))
            draw = self._supervise(train, case["pairs"] == "chosen", own)
            for amount in self.amounts:
                labels = self._labels(case["method"], draw(amount), state)
                score = getattr(metrics, self.measure)(self.truth[test], labels[test])
                yield {"line": line, "amount": amount, "fold": number, self.measure: score}

    def _supervise(self, train: Labels, chosen: bool, rng: np.random.Generator) -> Supervise:
        """The supervision of these documents, more of the same for a greater amount."""
        if self.supervision == "seeds":
            y = self.truth[train].copy()
            mistaken = rng.random(len(y)) < self.wrong
            k = int(self.truth.max()) + 1
            y[mistaken] = (y[mistaken] + rng.integers(1, k, int(mistaken.sum()))) % k
            return lambda share: self._seeds(train, y, share)
        most = int(max(self.amounts))
        if self.supervision == "links":
            pairs = train[halves.random_pairs(len(train), most, rng)]
            same = self.truth[pairs[:, 0]] == self.truth[pairs[:, 1]]
            same ^= rng.random(len(same)) < self.wrong
            return lambda count: _links(pairs[: int(count)], same[: int(count)])
        k = int(self.truth.max()) + 1
        state = int(rng.integers(2**31))
        asking = ExploreConsolidate(k, most, random_state=state) if chosen else None
        answers = answers_about(self.X[train], self.truth[train], asking, most, state, self.wrong)
        return lambda count: links_from(answers[: int(count)], train, k if chosen else None)

    def _seeds(self, train: Labels, y: Array, share: float) -> Array:
        seeds = np.full(len(self.truth), -1)
        count = round(share * len(train))
        seeds[train[:count]] = y[:count]
        return seeds

    def _labels(self, method: str, known: Constraints | Array, state: int) -> Array:
        model = clone(self.methods[method])
        if "random_state" in model.get_params():
            model.set_params(random_state=state)
        takes_links = "constraints" in signature(model.fit).parameters
        if not isinstance(known, Constraints):
            hint = {"constraints": Constraints.from_labels(known)} if takes_links else {"y": known}
        else:
            hint = {"constraints": known} if takes_links else {}
        return np.asarray(model.fit(self.X, **hint).labels_)


def _links(pairs: Labels, same: Array) -> Constraints:
    return Constraints(pairs[same], pairs[~same])
