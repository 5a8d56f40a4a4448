"""Links whose price depends on the cluster, against all labellings there are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.supervision.instances import links_of, rows_of
from textclust.supervision.clusterwise import ClusterwisePotts
from textclust.supervision.couplings import Couplings
from textclust.supervision.inference import INFERENCES
from textclust.supervision.inference.relaxation import lower_bound

RNG = np.random.default_rng
RULES = pytest.mark.parametrize("rule", INFERENCES)


def price(links, penalties, labels):
    """V, link by link."""
    total = 0.0
    for (i, j, must, _), f in zip(rows_of(links), penalties, strict=True):
        if must and labels[i] != labels[j]:
            total += (f[labels[i]] + f[labels[j]]) / 2
        if not must and labels[i] == labels[j]:
            total += f[labels[i]]
    return total


class Question:
    """Costs, links and their penalties in every cluster, at random."""

    def __init__(self, seed, k, forest=False, m=6):
        rng = RNG(seed)
        self.costs, self.labels = rng.normal(size=(m, k)), rng.integers(k, size=m)
        chain = [(i, int(rng.integers(i))) for i in range(1, m)]
        free = [rng.choice(m, 2, replace=False).tolist() for _ in range(7)]
        kinds = ((i, j, bool(rng.random() < 0.5), 1.0) for i, j in (chain if forest else free))
        self.links = links_of(*kinds)
        self.penalties = rng.exponential(1.0, (len(self.links), k))
        self.penalties[rng.random(self.penalties.shape) < 0.2] = 0.0
        self.documents = self.links.documents

    def potts(self, rule="icm"):
        return ClusterwisePotts(self.links, self.penalties, rule)

    def total(self, labels):
        whole = np.zeros(len(self.costs), dtype=int)
        whole[self.documents] = labels
        own = self.costs[self.documents, labels].sum()
        return own + price(self.links, self.penalties, whole)

    def optimum(self):
        k = self.costs.shape[1]
        return min(map(self.total, itertools.product(range(k), repeat=len(self.documents))))

    def answer(self, rule):
        rows = self.documents
        return self.potts(rule).infer(self.costs[rows], self.labels[rows], RNG(0))


questions = st.builds(Question, st.integers(0, 2**32 - 1), st.integers(1, 3))
forests = st.builds(Question, st.integers(0, 2**32 - 1), st.integers(1, 3), st.just(True))


@given(question=questions)
def test_the_energy_is_the_price_of_the_broken_links(question):
    whole = question.labels
    expected = price(question.links, question.penalties, whole)
    assert question.potts().energy(whole[question.documents]) == pytest.approx(expected)


@RULES
@given(question=questions)
def test_no_rule_beats_the_optimum_or_loses_to_the_given_labels(rule, question):
    reached = question.total(question.answer(rule))
    assert reached >= question.optimum() - 1e-9
    assert reached <= question.total(question.labels[question.documents]) + 1e-9


@RULES
@given(question=questions)
def test_no_single_move_improves_what_a_rule_answers(rule, question):
    labels = question.answer(rule)
    for i, h in itertools.product(range(len(labels)), range(question.costs.shape[1])):
        moved = labels.copy()
        moved[i] = h
        assert question.total(moved) >= question.total(labels) - 1e-9


@given(question=forests)
def test_belief_propagation_is_exact_without_circles_of_links(question):
    assert question.total(question.answer("bp")) == pytest.approx(question.optimum(), abs=1e-9)


@given(question=questions)
def test_the_bound_of_the_relaxation_is_below_the_optimum(question):
    potts = question.potts()
    costs = question.costs[question.documents] + potts._own
    assert lower_bound(costs, potts._clusterwise) <= question.optimum() + 1e-6


@given(question=forests)
def test_the_relaxation_is_exact_without_circles_of_links(question):
    potts = question.potts()
    costs = question.costs[question.documents] + potts._own
    bound = lower_bound(costs, potts._clusterwise)
    assert bound == pytest.approx(question.optimum(), abs=1e-6)


@given(question=questions)
def test_penalties_that_are_the_same_everywhere_are_those_of_the_plain_potential(question):
    question.penalties[:] = question.penalties[:, :1]
    potts, costs = question.potts(), question.costs[question.documents]
    plain = Couplings(question.links.times(question.penalties[:, 0]).within(), len(costs))
    bound = lower_bound(costs + potts._own, potts._clusterwise)
    assert bound == pytest.approx(lower_bound(costs, plain), abs=1e-6)


def test_circles_are_solved_better_than_by_icm_alone():
    icm, bp, lp, best = (np.zeros(40) for _ in range(4))
    for seed in range(40):
        question = Question(seed, 3)
        best[seed] = question.optimum()
        for found, rule in ((icm, "icm"), (bp, "bp"), (lp, "lp")):
            found[seed] = question.total(question.answer(rule))
    assert (bp <= best + 1e-9).mean() > 0.9 > (icm <= best + 1e-9).mean()
    assert (lp <= best + 1e-9).mean() > 0.9
