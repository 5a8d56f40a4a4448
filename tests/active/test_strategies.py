"""Strategies: each a pure function from the state of a dialogue to the next question."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from textclust import Constraints, InputError
from textclust.active.batches import questions_at_once
from textclust.active.consolidate import (
    consolidate,
    consolidate_farthest,
    consolidate_uncertain,
)
from textclust.active.contradictions import evidence_against, reask
from textclust.active.dialogue import Answer, Dialogue
from textclust.active.explore import explore, explore_dense
from textclust.active.query_pool import QueryPool
from textclust.active.state import State, in_turn
from textclust.active.surplus import surplus
from textclust.active.verify import verify, verifying

LINE = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0, 30.0, 31.0]
KINDS = [0, 0, 0, 1, 1, 1, 2, 2]
STRATEGIES = [explore, explore_dense, consolidate, consolidate_farthest, consolidate_uncertain]


def line(*answers, n_clusters=3, points=LINE, order=None):
    """A state of documents on a line, by default taken in their order."""
    pool = QueryPool(np.array(points)[:, None], "euclidean", np.random.default_rng(0))
    pool.order = np.arange(len(points)) if order is None else np.array(order)
    dialogue = Dialogue(n_clusters)
    for answer in answers:
        dialogue.record(*answer)
    return State(pool, dialogue)


# Explore


def test_explore_goes_to_the_farthest_document_each_time():
    state = line()
    assert explore(state) == (7, 0)
    state.dialogue.record(7, 0, False)
    assert explore(state) == (5, 0)  # at 12, nearest to the neighbourhood of 0
    state.dialogue.record(5, 0, False)
    assert explore(state) == (5, 7)
    state.dialogue.record(5, 7, False)
    assert state.dialogue.skeleton() == [[0], [7], [5]]
    assert explore(state) is None


def test_explore_without_a_number_of_clusters_goes_on_until_all_is_known():
    state = line(n_clusters=None)
    while (question := explore(state)) is not None:
        left, right = question
        state.dialogue.record(left, right, KINDS[left] == KINDS[right])
    assert sorted(state.dialogue.documents) == list(range(8))
    assert state.dialogue.skeleton() == [[0, 1, 2], [6, 7], [3, 4, 5]]


def test_a_document_is_compared_with_the_member_that_most_answers_vouch_for():
    state = line((2, 0, True), (7, 0, False))
    assert explore(state) == (5, 0)  # at 12; the member at 2 is nearer, but came later
    state.dialogue.record(1, 2, True)
    assert explore(state) == (5, 2)
    for other in (6, 4):
        state.dialogue.record(other, 2, None)
    assert state.dialogue.most_confirmed([0, 1, 2]) == 0


def test_a_misplaced_document_misplaces_no_other():
    state = line(*SKELETON, (3, 0, True), points=[*LINE, 1.5], order=[8])  # 3 belongs to 5
    assert consolidate(state) == (8, 0)


def test_explore_in_dense_regions_passes_outliers_over():
    points = [0.0, 0.1, 0.2, 5.0, 5.1, 5.2, 90.0]
    assert explore(line(points=points)).left == 6
    assert explore_dense(line(points=points)).left in (3, 4, 5)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_asking_twice_gives_the_same_question(strategy):
    known = [(7, 0, False), (5, 0, False), (5, 7, False)] if "consol" in strategy.__name__ else []
    state = line(*known)
    question = strategy(state)
    assert question is not None
    assert strategy(state) == question
    assert strategy(line(*known)) == question


# Consolidate


SKELETON = [(7, 0, False), (5, 0, False), (5, 7, False)]


def test_consolidate_asks_the_nearest_neighbourhood_first_and_infers_the_last_answer():
    state = line(*SKELETON, order=[4, 0, 1, 2, 3, 5, 6, 7])
    assert consolidate(state) == (4, 5)
    state.dialogue.record(4, 5, False)
    assert consolidate(state) == (4, 0)
    state.dialogue.record(4, 0, False)
    assert state.dialogue.same_group(4, 7) is True
    assert consolidate(state) == (1, 0)  # the next in the order


def test_consolidate_waits_for_a_skeleton():
    assert consolidate(line()) is None
    assert consolidate(line(SKELETON[0])) is None


def test_the_farthest_document_is_that_of_min_max():
    assert consolidate_farthest(line(*SKELETON)) == (2, 0)


def test_the_least_certain_document_lies_between_two_neighbourhoods():
    points = [0.0, 0.5, 10.0, 9.5, 5.1, 5.0, 4.9]
    state = line((2, 0, False), n_clusters=2, points=points)
    assert consolidate_uncertain(state).left in (4, 5, 6)


def test_fewer_expected_questions_count():
    """Of two documents as uncertain, the one that two clusters share goes before three."""
    from textclust.active.consolidate import _worth

    two, three = _worth(np.array([[1.0, 1.0, 9.0, 9.0], [1.0, 1.0, 1.0, 1.0]]))
    entropies = np.log(2), np.log(4)
    assert np.isclose(three, entropies[1] / ((1 + 2 + 3 + 3) / 4))
    assert two > entropies[0] / 1.6


# Don't know


def test_what_nobody_knew_is_not_asked_again_and_the_next_neighbourhood_is_tried():
    state = line(*SKELETON, (4, 5, None))
    assert consolidate(state) == (4, 0)
    state.dialogue.record(4, 0, None)
    assert consolidate(state).left == 1


def test_a_first_document_that_nobody_understands_is_passed_over():
    state = line((7, 0, None), (3, 0, None))
    assert explore(state) == (3, 7)


# Contradictions


def test_a_contradiction_is_asked_again_and_then_what_it_contradicts():
    state = line((1, 0, True), (2, 1, True), (2, 0, False))
    assert reask(state) == (2, 0)
    state.dialogue.record(2, 0, False)
    assert reask(state) == (2, 1)
    state.dialogue.record(2, 1, True)
    assert reask(state) == (1, 0)
    state.dialogue.record(1, 0, True)
    assert reask(state) is None  # all were confirmed: let the clustering decide
    assert len(state.dialogue.disputed) == 1


def test_a_mistake_that_is_admitted_is_gone():
    state = line((1, 0, True), (2, 1, True), (2, 0, False))
    state.dialogue.record(2, 0, True)
    assert reask(state) is None
    assert state.dialogue.disputed == []


def test_no_pair_is_asked_more_than_three_times():
    state = line((1, 0, True), (2, 1, True), (2, 0, False))
    asked = 0
    while (question := reask(state)) is not None:
        said = next(a.same for a in state.dialogue.answers if a.pair == frozenset(question))
        state.dialogue.record(*question, not said)
        asked += 1
    assert asked <= 6


def test_the_evidence_against_same_has_one_answer_that_keeps_apart():
    answers = [(1, 0, True), (2, 1, False), (3, 2, True), (5, 4, True)]
    dialogue = line(*answers, (3, 0, True)).dialogue
    (disputed,) = dialogue.disputed
    assert evidence_against(dialogue, disputed) == [Answer(*answer) for answer in answers[:3]]


def test_what_was_doubted_is_asked_before_anything_else():
    state = line((1, 0, True))
    state.dialogue.suspect(0, 1)
    assert in_turn(reask, explore)(state) == (1, 0)
    state.dialogue.record(1, 0, True)
    assert reask(state) is None


# Slips


APART = [(7, 0, False), (5, 0, False), (5, 7, False)]  # a document of each kind
INFERRED = [(2, 5, False), (2, 7, False)]  # so it belongs to 0


def test_a_check_asks_what_is_inferred_of_the_first_two_of_a_neighbourhood():
    state = line(*APART, *INFERRED)
    assert verifying(0.5)(state) == verify(state) == (2, 0)
    assert verifying(0.1)(state) is None
    state.dialogue.record(2, 0, True)
    assert state.dialogue.checks == 1
    assert verify(state) is None
    for row in (1, 6):
        state.dialogue.record(row, 5, False)
        state.dialogue.record(row, 7, False)
    assert verify(state) == (1, 0)
    state.dialogue.record(1, 0, True)
    assert verify(state) is None  # two were as expected


def test_a_check_that_nobody_could_answer_is_not_made_again():
    state = line(*APART, *INFERRED, (2, 0, None))
    assert verify(state) is None


def test_what_is_apart_from_all_is_compared_with_each_other():
    state = line(*APART, *INFERRED, (2, 0, False), n_clusters=3)
    assert state.dialogue.surplus() == [[2]]
    assert surplus(state) is None
    for other in (5, 7, 0):
        state.dialogue.record(1, other, False)
    assert surplus(state) == (1, 2)
    state.dialogue.record(1, 2, None)
    assert surplus(state) is None


def test_where_two_are_apart_from_all_the_neighbourhoods_are_asked_about_once_more():
    """The documents 0 and 1 were said to differ, and so there is no neighbourhood at 30."""
    wrong = (0, 1, False)
    said = [wrong, (4, 0, False), (4, 1, False), (3, 4, True), (2, 1, True), (8, 0, True)]
    kinds, state = [*KINDS, 0], line(*said, points=[*LINE, 0.5])
    for row in (6, 7):
        for other in (4, 0, 1):
            state.dialogue.record(row, other, False)
    assert surplus(state) == (7, 6)
    state.dialogue.record(7, 6, True)
    assert state.dialogue.surplus() == [[6, 7]]
    assert surplus(state) == (8, 2)  # the nearest two, through others of their documents
    strategy = in_turn(reask, surplus)
    while (question := strategy(state)) is not None:
        left, right = question
        state.dialogue.record(left, right, kinds[left] == kinds[right])
    assert sorted(state.dialogue.skeleton()) == [[0, 1, 2, 8], [3, 4], [6, 7]]


# Batches


@pytest.mark.parametrize("known", [[], SKELETON])
def test_a_batch_asks_about_a_document_each(known):
    state = line(*known)
    batch = questions_at_once(state, in_turn(explore, consolidate), 4)
    assert len(batch) == 4
    assert len({question.left for question in batch}) == 4
    assert batch[0] == in_turn(explore, consolidate)(state)


@pytest.mark.parametrize("known", [[], SKELETON])
def test_no_answer_of_a_batch_follows_from_the_others(known):
    state = line(*known)
    batch = questions_at_once(state, in_turn(explore, consolidate), 5)
    assert len(batch) > 1
    for question in batch:
        for said in (True, False):
            others = [(*other, said) for other in batch if other != question]
            assert line(*known, *others, n_clusters=None).dialogue.same_group(*question) is None


def test_a_batch_of_doubts_asks_each_once():
    state = line((1, 0, True), (4, 3, True))
    state.dialogue.suspect(1, 0)
    state.dialogue.suspect(4, 3)
    assert questions_at_once(state, reask, 5) == [(1, 0), (4, 3)]


# Grounds


@pytest.mark.parametrize("name", ["cosine", "euclidean", "hellinger"])
@pytest.mark.parametrize("container", [sp.csr_matrix, sp.csr_array, np.asarray])
def test_distances_are_those_of_the_formula(name, container):
    rng = np.random.default_rng(0)
    table = rng.poisson(1.0, (12, 6)).astype(float)
    table[4] = 0
    pool = QueryPool(container(table), name, rng)
    formulas = {
        "cosine": lambda x, y: 1 - x @ y / np.sqrt((x @ x) * (y @ y)),
        "euclidean": lambda x, y: np.linalg.norm(x - y),
        "hellinger": lambda x, y: np.sqrt(max(0.0, 1 - np.sqrt(x / x.sum() * y / y.sum()).sum())),
    }
    rows = [i for i in range(12) if i != 4]
    expected = [min(formulas[name](table[i], table[j]) for j in (0, 3, 7)) for i in rows]
    np.testing.assert_allclose(pool.from_nearest([0, 3, 7])[rows], expected, atol=1e-7)
    assert (4 in pool.order) == (name == "euclidean")


def test_the_nearest_pairs_of_groups_come_first():
    pool = line().pool
    assert pool.nearest_pairs([[0, 2], [6], [3, 4]]) == [(2, 0), (2, 1), (1, 0)]
    assert pool.nearest_pairs([[0], [1], [3], [6]]) == [(1, 0), (2, 1), (2, 0), (3, 2)]


def test_running_minima_are_those_of_a_new_start():
    X = np.random.default_rng(0).normal(size=(30, 4))
    pool = QueryPool(X, "cosine", np.random.default_rng(1))
    for rows in ([3], [3, 5], [3, 5, 9, 20], [3, 9], [1, 2]):
        fresh = QueryPool(X, "cosine", np.random.default_rng(1))
        np.testing.assert_array_equal(pool.from_nearest(rows), fresh.from_nearest(rows))


def test_each_new_document_costs_one_product_with_the_whole_matrix():
    products = []

    def distance(X, point):
        products.append(len(X))
        return np.abs(X - point).sum(axis=1)

    pool = QueryPool(np.random.default_rng(0).normal(size=(200, 3)), distance, rng=_rng())
    state = State(pool, Dialogue(None))
    for _ in range(20):
        left, right = explore(state)
        state.dialogue.record(left, right, left % 2 == right % 2)
    assert products.count(200) == len(state.dialogue.documents) - 1  # not yet of the last


def test_a_distance_must_give_a_number_for_each_row():
    pool = QueryPool(np.eye(3), lambda X, point: np.zeros(2), _rng())
    with pytest.raises(InputError, match="3 finite numbers"):
        pool.from_nearest([0])


@pytest.mark.parametrize(
    ("X", "match"),
    [
        (np.array([[np.nan, 1.0]]), "finite"),
        (np.array(["a"]), "table of numbers"),
        (np.ones(3), "table of numbers"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused(X, match):
    with pytest.raises(InputError, match=match):
        QueryPool(X, "cosine", _rng())


def test_negative_values_have_no_hellinger_distance():
    with pytest.raises(InputError, match="at least 0"):
        QueryPool(np.array([[1.0, -1.0]]), "hellinger", _rng())


def test_constraints_of_a_state_are_ours():
    assert line((1, 0, True), (2, 0, False)).dialogue.constraints() == Constraints(
        [(1, 0)], [(2, 0)]
    )


def _rng():
    return np.random.default_rng(0)
