"""ExploreConsolidate: the thesis to the letter, and promises that hold for any documents."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.active.slow_thesis import SlowThesis
from tests.strategies import CONTAINERS, counts
from textclust.active.explore_consolidate import CONSOLIDATING, EXPLORING

THESIS = {"space": "full", "exploring": "farthest", "consolidating": "random"}


class Oracle:
    """Answers from labels, and remembers what it was asked."""

    def __init__(self, truth, knows=lambda i, j: True):
        self.truth, self.knows, self.asked = truth, knows, []

    def __call__(self, i, j):
        self.asked.append((i, j))
        return bool(self.truth[i] == self.truth[j]) if self.knows(i, j) else None


@st.composite
def documents_and_classes(draw):
    X = draw(counts(max_rows=14))
    k = draw(st.integers(1, 4))
    return X, draw(st.lists(st.integers(0, k - 1), min_size=len(X), max_size=len(X)))


@st.composite
def settings(draw):
    return {
        "space": draw(st.sampled_from(["full", "latent"])),
        "exploring": draw(st.sampled_from(list(EXPLORING))),
        "consolidating": draw(st.sampled_from(list(CONSOLIDATING))),
        "checks": draw(st.sampled_from([0.0, 0.3])),
        "random_state": draw(st.integers(0, 3)),
    }


def on_the_sphere(rng, n, d):
    X = np.abs(rng.normal(size=(n, d)))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


# Beside the slow reference


@pytest.mark.parametrize("seed", range(40))
def test_questions_are_those_of_the_thesis(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 40)), int(rng.integers(1, 6))
    X, truth = on_the_sphere(rng, n, 5), rng.integers(k, size=n)
    budget = int(rng.integers(1, 120))
    oracle = Oracle(truth)
    asking = tc.ExploreConsolidate(k, budget, random_state=seed, **THESIS)
    found = asking.query(sp.csr_array(X), oracle)
    order = asking.state(sp.csr_array(X)).pool.order
    slow = SlowThesis(X, order, truth, k, budget).run()
    assert oracle.asked == slow.asked
    groups = asking.dialogue_.skeleton()
    if slow.asked:
        assert sorted(map(sorted, slow.neighbourhoods)) == sorted(groups)
    assert [pair for pair in found.must_link if pair in slow.asked] == slow.must
    assert found.cannot_link == slow.cannot


# By hand


def test_two_clusters_on_a_line():
    X = np.array([[0.0], [1.0], [9.0], [10.0]])
    asking = tc.ExploreConsolidate(2, 10, distance="euclidean", space="full", random_state=3)
    order = asking.state(X).pool.order.tolist()
    oracle = Oracle([0, 0, 1, 1])
    found = asking.query(X, oracle)
    far = 3 if order[0] in (0, 1) else 0
    assert oracle.asked[0] == (far, order[0])
    assert len(oracle.asked) == 3  # one to find both clusters, one for each other document
    assert found.neighbourhoods()[0].tolist() in ([0, 1], [2, 3])


def test_the_phases_on_their_own():
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=60)
    X = on_the_sphere(rng, 60, 5)
    asking = tc.ExploreConsolidate(3, 40, **THESIS)
    whole = Oracle(truth)
    asking.query(X, whole)
    first, second = Oracle(truth), Oracle(truth)
    explored = asking.explore(X, first)
    assert len(asking.dialogue_.skeleton()) == 3
    rest = tc.ExploreConsolidate(3, 40 - len(first.asked), **THESIS)
    rest.consolidate(X, second, explored)
    assert [*first.asked, *second.asked] == whole.asked


def test_without_k_exploring_goes_on():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=50)
    oracle = Oracle(truth)
    asking = tc.ExploreConsolidate(None, 90, space="full")
    asking.query(on_the_sphere(rng, 50, 6), oracle)
    assert len(oracle.asked) == 90
    assert len(asking.dialogue_.skeleton()) == 4
    assert asking.dialogue_.inferred == []


@pytest.mark.parametrize("seed", range(20))
def test_k_uniform_balls_are_found_within_the_bound_of_appendix_b(seed):
    """k times (k choose 2) questions for balls of like size, wherever they lie."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    centres = rng.permutation(27)[:k]
    places = np.stack([centres // 9, centres // 3 % 3, centres % 3], axis=1) * 3.0
    truth = np.repeat(np.arange(k), 60)
    offsets = rng.normal(size=(60 * k, 3))
    offsets *= rng.random((60 * k, 1)) ** (1 / 3) / np.linalg.norm(offsets, axis=1, keepdims=True)
    X = places[truth] + offsets
    bound = k * (k * (k - 1) // 2)
    asking = tc.ExploreConsolidate(k, bound, distance="euclidean", random_state=seed)
    asking.explore(X, Oracle(truth))
    assert len(asking.dialogue_.skeleton()) == k


# Promises


@given(documents_and_classes(), settings(), st.integers(0, 40))
def test_no_question_too_many_and_no_answer_that_follows(drawn, chosen, budget):
    X, truth = drawn
    k = len(set(truth))
    oracle = Oracle(truth)
    asking = tc.ExploreConsolidate(k, budget, **chosen)
    found = asking.query(sp.csr_array(X), oracle)
    assert len(oracle.asked) <= budget
    assert len({frozenset(pair) for pair in oracle.asked}) == len(oracle.asked)
    assert all(i != j for i, j in oracle.asked)
    assert not found.violated(np.array(truth)).any() or k > len(asking.dialogue_.skeleton())
    if not chosen["checks"]:
        known = tc.ExploreConsolidate(k, 0, **chosen).state(X).dialogue
        for i, j in oracle.asked:
            assert known.same_group(i, j) is None
            known.record(i, j, truth[i] == truth[j])


@given(documents_and_classes(), settings(), st.integers(0, 6))
def test_dont_know_is_dropped_and_never_asked_again(drawn, chosen, key):
    X, truth = drawn
    oracle = Oracle(truth, knows=lambda i, j: (i * j + key) % 3 > 0)
    found = tc.ExploreConsolidate(len(set(truth)), 40, **chosen).query(X, oracle)
    assert len({frozenset(pair) for pair in oracle.asked}) == len(oracle.asked)
    assert not found.violated(np.array(truth)).any()
    known = {frozenset(pair) for pair in oracle.asked if oracle.knows(*pair)}
    assert known <= {frozenset(pair) for pair in (*found.must_link, *found.cannot_link)}


@given(documents_and_classes(), settings())
def test_with_questions_enough_everything_is_known(drawn, chosen):
    X, truth = drawn
    somewhere = np.flatnonzero(X.any(axis=1))
    k = len({truth[row] for row in somewhere})
    asking = tc.ExploreConsolidate(k, 500, **{**chosen, "checks": 0.0})
    found = asking.query(X, Oracle(truth))
    assert not found.violated(np.array(truth)).any()
    if k > 1:
        assert sorted(row for group in asking.dialogue_.skeleton() for row in group) == list(
            somewhere
        )


def test_rows_of_zeros_are_not_asked_about():
    X = np.eye(6)
    X[2:4] = 0
    oracle = Oracle([0, 1, 2, 3, 4, 5])
    tc.ExploreConsolidate(4, 100, space="full").query(X, oracle)
    assert {row for pair in oracle.asked for row in pair} == {0, 1, 4, 5}


@pytest.mark.parametrize("X", [np.zeros((5, 3)), np.zeros((0, 3)), np.ones((1, 3))])
def test_where_there_is_nothing_to_ask_nothing_is_asked(X):
    oracle = Oracle([0] * 5)
    assert len(tc.ExploreConsolidate(2, 10).query(X, oracle)) == 0
    assert oracle.asked == []


def test_duplicates_are_documents_like_others():
    X = np.ones((6, 3))
    oracle = Oracle([0, 0, 0, 1, 1, 1])
    asking = tc.ExploreConsolidate(2, 100, space="full")
    asking.query(X, oracle)
    assert sorted(asking.dialogue_.skeleton()) == [[0, 1, 2], [3, 4, 5]]


def test_one_cluster_needs_no_question():
    oracle = Oracle([0] * 6)
    tc.ExploreConsolidate(1, 100).query(np.eye(6), oracle)
    assert oracle.asked == []


def test_a_cluster_for_each_document_takes_every_pair():
    oracle = Oracle(range(6))
    found = tc.ExploreConsolidate(6, 100).query(np.eye(6), oracle)
    assert len(oracle.asked) == len(found.cannot_link) == 15


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_containers_and_types_make_no_difference(container, dtype):
    rng = np.random.default_rng(0)
    X, truth = rng.poisson(1.0, (40, 200)).astype(dtype), rng.integers(3, size=40)
    asked = []
    for matrix in (container(X), sp.csr_array(X.astype(np.float64))):
        oracle = Oracle(truth)
        tc.ExploreConsolidate(3, 30, space="full").query(matrix, oracle)
        asked.append(oracle.asked)
    assert asked[0] == asked[1]


def test_the_same_random_state_asks_the_same():
    rng = np.random.default_rng(0)
    X, truth = on_the_sphere(rng, 50, 150), rng.integers(3, size=50)
    asked = []
    for state in (0, 0, 1):
        oracle = Oracle(truth)
        tc.ExploreConsolidate(3, 30, random_state=state).query(X, oracle)
        asked.append(oracle.asked)
    assert asked[0] == asked[1] != asked[2]


def test_wrong_answers_are_found_out_by_checks():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 40)
    X = np.eye(2)[truth] + 0.3 * rng.random((80, 2))
    wrong = rng.random(1000) < 0.1

    def mistaken(i, j):
        asked.append((i, j))
        return bool(truth[i] == truth[j]) ^ bool(wrong[len(asked)])

    shares = []
    for checks in (0.0, 0.3):
        asked = []
        found = tc.ExploreConsolidate(2, 90, checks=checks).query(X, mistaken)
        shares.append(found.violated(truth).mean())
    assert shares[1] < shares[0]


@pytest.mark.parametrize("seed", [0, 5, 11, 16])
def test_checks_find_the_cluster_that_a_slip_has_hidden(seed):
    """The first two documents of one kind that are compared are said to differ."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 20)
    X = np.eye(3)[truth] + 1.5 * rng.random((60, 3))
    found = []
    for checks in (0.0, 0.2):
        slips = [True]

        def mistaken(i, j, slips=slips):
            same = bool(truth[i] == truth[j])
            return not (same and slips and slips.pop()) and same

        asking = tc.ExploreConsolidate(3, 60, checks=checks)
        asking.query(X, mistaken)
        groups = asking.dialogue_.skeleton()
        found.append(len({truth[asking.dialogue_.most_confirmed(group)] for group in groups}))
    assert found == [2, 3]


def test_what_is_known_is_not_asked_again():
    truth = [0, 0, 0, 1, 1, 1]
    known = tc.Constraints(must_link=[(0, 1), (3, 4)], cannot_link=[(1, 3)])
    oracle = Oracle(truth)
    found = tc.ExploreConsolidate(2, 100).query(np.eye(6), oracle, known)
    assert len(oracle.asked) == 2
    assert set(known.must_link) <= set(found.must_link)
    assert not found.violated(truth).any()


# What cannot be


def test_an_oracle_that_says_something_else_is_reported():
    with pytest.raises(tc.InputError, match="True, False or None; got 'yes'"):
        tc.ExploreConsolidate(2, 5).query(np.eye(4), lambda i, j: "yes")


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"n_clusters": 0}, "n_clusters must be"),
        ({"budget": -1}, "budget must be"),
        ({"distance": "manhattan"}, "distance must be one of 'cosine'"),
        ({"space": "outer"}, "space must be"),
        ({"exploring": "never"}, "exploring must be"),
        ({"consolidating": "always"}, "consolidating must be"),
        ({"checks": 2.0}, "checks must be"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_parameters_that_cannot_be_are_reported(parameters, match):
    asking = tc.ExploreConsolidate(**{"n_clusters": 2, "budget": 5, **parameters})
    for ask in (asking.query, asking.explore, asking.consolidate):
        with pytest.raises(tc.InputError, match=match):
            ask(np.eye(4), lambda i, j: True, tc.Constraints())


def test_the_oracle_gets_plain_numbers():
    def oracle(i, j):
        assert type(i) is int
        assert type(j) is int
        return np.bool_(i == j)

    tc.ExploreConsolidate(2, 5).query(np.eye(4), oracle)
