"""Hard links: they hold, and the labels cost no more than the rule of the paper makes them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.supervision.graphs import edges_of, odd_wheel
from textclust import Constraints
from textclust.errors import InputError
from textclust.supervision import hard, moves
from textclust.supervision.cannot_link_graph import MustLinkComponents
from textclust.supervision.hard import HardLinks
from textclust.supervision.orders import in_order

RNG = np.random.default_rng


@dataclass
class Case:
    """Links that can hold, with k clusters, and what each of these costs each document."""

    constraints: Constraints
    costs: np.ndarray
    truth: np.ndarray

    @property
    def links(self):
        return HardLinks.of(self.constraints.links, self.costs.shape[1])

    def holds(self, labels):
        return not self.constraints.violated(labels).any()

    def total(self, labels):
        return self.costs[np.arange(len(labels)), labels].sum()

    def inferred(self, before, seed=0):
        """Labels of all documents; those in no link keep what they had."""
        links, labels = self.links, before.copy()
        rows = links.documents
        labels[rows] = links.infer(self.costs[rows], before[rows], RNG(seed))
        return labels


@st.composite
def cases(draw, max_documents=7, max_clusters=4):
    """Links that agree with some true labels, so that they can all hold."""
    n, k = draw(st.integers(2, max_documents)), draw(st.integers(2, max_clusters))
    rng = RNG(draw(st.integers(0, 2**32 - 1)))
    truth = rng.integers(k, size=n)
    pairs = [p for p in itertools.combinations(range(n), 2) if rng.random() < 0.6]
    must = [(i, j) for i, j in pairs if truth[i] == truth[j] and rng.random() < 0.5]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    assume(must or cannot)
    grid = draw(st.booleans())
    costs = rng.integers(0, 4, (n, k)) / 2 if grid else rng.random((n, k))
    return Case(Constraints(must, cannot), costs, truth)


def slow_rule(case, order):
    """Wagstaff et al. 2001, blocks visited in this order; None where the paper aborts."""
    component = case.constraints.components(len(case.costs))
    labels = np.full(len(case.costs), -1)
    linked = sorted({row for pair in _pairs(case.constraints) for row in pair})
    names = sorted({component[row] for row in linked}, key=lambda c: linked_first(component, c))
    for number in order:
        rows = np.flatnonzero(component == names[number])
        cost = case.costs[rows].sum(axis=0)
        for cluster in np.argsort(cost, kind="stable"):
            tried = labels.copy()
            tried[rows] = cluster
            if not any(tried[i] == tried[j] >= 0 for i, j in case.constraints.cannot_link):
                labels = tried
                break
        else:
            return None
    return labels


def linked_first(component, number):
    return int(np.flatnonzero(component == number)[0])


def _pairs(constraints):
    return [*constraints.must_link, *constraints.cannot_link]


@given(case=cases(), seed=st.integers(0, 99))
def test_every_link_holds_whatever_the_labels_were(case, seed):
    before = RNG(seed).integers(case.costs.shape[1], size=len(case.costs))
    after = case.inferred(before, seed)
    assert case.holds(after)
    links = case.links
    assert links.energy(after[links.documents]) == 0.0
    expected = 0.0 if case.holds(before) else np.inf
    assert links.energy(before[links.documents]) == expected


@given(case=cases(), seed=st.integers(0, 99))
def test_labels_that_hold_never_come_to_cost_more(case, seed):
    after = case.inferred(case.truth, seed)
    assert case.total(after) <= case.total(case.truth) + 1e-9


@given(case=cases(), seed=st.integers(0, 99))
def test_labels_cost_no_less_than_the_best_and_no_more_than_the_paper_s(case, seed):
    k, rows = case.costs.shape[1], case.links.documents
    everywhere = itertools.product(range(k), repeat=len(rows))
    zero = np.zeros(len(case.costs), dtype=np.intp)

    def with_linked(labels):
        full = zero.copy()
        full[rows] = labels
        return full

    candidates = (with_linked(labels) for labels in everywhere)
    optimum = min(case.total(labels) for labels in candidates if case.holds(labels))
    found = case.total(case.inferred(zero, seed))
    assert found >= optimum - 1e-9
    order = RNG(seed).permutation(len(MustLinkComponents.of(case.constraints.links)))
    paper = slow_rule(case, order)
    if paper is not None:
        assert found <= case.total(with_linked(paper[rows])) + 1e-9


@given(case=cases(), seed=st.integers(0, 99))
def test_the_rule_at_once_is_the_rule_one_after_the_other(case, seed):
    blocks = MustLinkComponents.of(case.constraints.links)
    order = RNG(seed).permutation(len(blocks))
    labels = in_order(blocks.costs(case.costs[blocks.documents]), blocks.cannot_links, order)
    paper = slow_rule(case, order)
    assert (paper is None) == (labels < 0).any()
    if paper is not None:
        assert labels[blocks.number].tolist() == paper[blocks.documents].tolist()


@given(case=cases(), seed=st.integers(0, 99))
def test_known_labels_serve_where_every_order_ends_dead(case, seed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hard, "in_order", lambda costs, apart, order: np.full(apart.count, -1))
        patch.setattr(hard, "_ORDERS", 0)
        after = case.inferred(np.zeros(len(case.costs), dtype=np.intp), seed)
    assert case.holds(after)


@given(case=cases(max_documents=9), seed=st.integers(0, 99))
def test_some_rows_alone_keep_their_blocks_and_what_is_between_them(case, seed):
    n = len(case.costs)
    rows = np.flatnonzero(RNG(seed).random(n) < 0.6)
    part = case.links.subset(rows)
    costs, nothing = case.costs[rows][part.documents], np.zeros(len(part.documents), dtype=np.intp)
    labels = part.infer(costs, nothing, RNG(0))
    place = dict(zip(rows[part.documents].tolist(), labels.tolist(), strict=True))
    component = case.constraints.components(n)
    apart = {(component[i], component[j]) for i, j in case.constraints.cannot_link}
    for i, j in itertools.combinations(place, 2):
        if component[i] == component[j]:
            assert place[i] == place[j]
        if {(component[i], component[j]), (component[j], component[i])} & apart:
            assert place[i] != place[j]


def test_documents_stay_joined_without_the_one_that_joined_them():
    links = HardLinks.of(Constraints([(0, 1), (1, 2)], [(1, 3)]).links, 2).subset(
        np.array([0, 2, 3])
    )
    assert links.documents.tolist() == [0, 1, 2]
    assert [rows.tolist() for rows in links.neighbourhoods()] == [[0, 1]]
    assert links.energy(np.array([0, 0, 1])) == 0.0
    assert links.energy(np.array([0, 1, 1])) == np.inf
    assert links.energy(np.array([0, 0, 0])) == np.inf


def test_a_row_apart_from_all_blocks_is_found_through_what_joins_them():
    links = HardLinks.of(Constraints([(0, 1), (2, 3)], [(1, 5), (5, 2), (0, 4)]).links, 3)
    assert links.cannot_linked_to_all(links.neighbourhoods()) == 5
    assert links.cannot_linked_to_all([np.array([0, 1])]) == 4
    assert links.cannot_linked_to_all([np.array([4]), np.array([5])]) == 0
    assert links.cannot_linked_to_all([np.array([0]), np.array([4])]) is None


def test_blocks_that_are_wedged_change_places():
    costs = np.array([[1.0, 0.0, 9.0], [9.0, 1.0, 0.0], [0.0, 9.0, 1.0]])
    links = HardLinks.of(Constraints([], [(0, 1), (1, 2), (0, 2)]).links, 3)
    for seed in range(10):
        labels = links.infer(costs, np.array([0, 1, 2]), RNG(seed))
        assert labels.tolist() == [1, 2, 0]


@pytest.mark.parametrize("k", range(1, 8))
def test_every_two_clusters_meet_once(k):
    rounds = [partner.tolist() for partner in moves._pairings(k)]
    met = [(h, p) for partner in rounds for h, p in enumerate(partner) if h < p]
    assert sorted(met) == list(itertools.combinations(range(k), 2))
    assert all(partner[partner[h]] == h for partner in rounds for h in range(k))


def test_too_few_clusters_are_refused_before_anything_else():
    cannot = edges_of(odd_wheel(5))
    with pytest.raises(InputError, match="impossible with 3 clusters: no assignment satisfies"):
        HardLinks.of(Constraints([], cannot).links, 3)
    labels = HardLinks.of(Constraints([], cannot).links, 4).possible
    assert len(set(labels.tolist())) == 4


def test_infinite_costs_are_avoided():
    links = HardLinks.of(Constraints([], [(0, 1), (1, 2)]).links, 3)
    costs = np.array([[0.0, np.inf, 1.0], [0.0, 5.0, np.inf], [np.inf, 0.0, 1.0]])
    for seed in range(5):
        assert links.infer(costs, np.array([0, 0, 0]), RNG(seed)).tolist() in ([2, 0, 1], [0, 1, 2])


def test_nothing_given_is_changed():
    links = HardLinks.of(Constraints([(0, 1)], [(1, 2)]).links, 2)
    costs, labels = RNG(0).random((3, 2)), np.array([0, 0, 0])
    copies = costs.copy(), labels.copy()
    links.infer(costs, labels, RNG(0))
    np.testing.assert_array_equal(costs, copies[0])
    np.testing.assert_array_equal(labels, copies[1])
