"""Answers that may be wrong: majorities, what is confirmed, what they weigh, how many are wrong."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.active.test_dialogue import any_answers, dialogue_of, truthful_answers
from tests.active.test_strategies import APART, line
from textclust.active.answer_files import AnswerFile
from textclust.active.confirm import confirming, confirming_skeleton
from textclust.active.dialogue import Answer, Dialogue
from textclust.active.error_rates import (
    answer_weight,
    answers_to_believe,
    estimated_error_rate,
    inference_weight,
)
from textclust.active.session import Session
from textclust.active.state import State

CONTRADICTORY = [(1, 0, True), (2, 0, True), (3, 0, True), (3, 1, False), (3, 2, False)]


def fallible(*answers, n_clusters=None):
    dialogue = Dialogue(n_clusters, fallible=True)
    for answer in answers:
        dialogue.record(*answer)
    return dialogue


def doubted(*answers, n_clusters=3):
    """Documents on a line, with answers that may be wrong."""
    return State(line().pool, fallible(*answers, n_clusters=n_clusters))


class Erring:
    """Answers from labels, a share of them turned round at random."""

    def __init__(self, truth, wrong, seed=0):
        self.truth, self.wrong, self.rng = truth, wrong, np.random.default_rng(seed)

    def __call__(self, i, j):
        return bool(self.truth[i] == self.truth[j]) ^ bool(self.rng.random() < self.wrong)


def three_kinds(n=90, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=n)
    return np.eye(3)[truth] + 0.8 * rng.random((n, 3)), truth


def misplaced(asking, truth):
    """The share of placed documents that are not of the commonest class of their group."""
    groups = asking.dialogue_.skeleton()
    right = sum(np.bincount(truth[group]).max() for group in groups)
    return 1 - right / sum(map(len, groups))


# Majorities


def test_the_majority_of_answers_about_a_pair_counts():
    dialogue = fallible((1, 0, True), (1, 0, True), (0, 1, False))
    assert dialogue.answers == [Answer(1, 0, True, times=1)]
    assert dialogue.same_group(0, 1) is True
    assert dialogue_of((1, 0, True), (1, 0, True), (0, 1, False)).same_group(0, 1) is False


def test_a_tie_says_nothing():
    dialogue = fallible((1, 0, True), (1, 0, False))
    assert dialogue.same_group(0, 1) is None
    assert len(dialogue.constraints(0.1)) == 0
    dialogue.record(1, 0, False)
    assert dialogue.same_group(0, 1) is False


def test_dont_know_does_not_take_back_an_answer():
    assert fallible((1, 0, True), (1, 0, None)).same_group(0, 1) is True


def test_a_document_goes_where_most_answers_have_it():
    dialogue = fallible(*CONTRADICTORY)
    assert dialogue.disputed == [Answer(3, 0, True)]
    assert dialogue.same_group(3, 0) is False
    assert dialogue_of(*CONTRADICTORY).same_group(3, 0) is True  # where answers are believed


def test_groups_that_more_answers_join_than_separate_are_one():
    answers = [(2, 0, True), (4, 0, True), (3, 1, True), (5, 1, True), (1, 0, False)]
    assert fallible(*answers, (3, 2, True)).same_group(0, 1) is False
    assert fallible(*answers, (3, 2, True), (5, 4, True)).same_group(0, 1) is True


@given(truthful_answers())
def test_right_answers_say_the_same_whether_they_are_believed_or_not(drawn):
    labels, answers = drawn
    definite = [answer for answer in answers if answer[2] is not None]
    believed = dialogue_of(*definite, n_clusters=len(set(labels)))
    voted = fallible(*definite, n_clusters=len(set(labels)))
    assert voted.skeleton() == believed.skeleton()
    assert voted.disputed == []
    assert all(expected for _, expected in voted.repeats)


@given(any_answers(), st.sampled_from([None, 2, 3]))
def test_what_stands_of_wrong_answers_never_contradicts_itself(answers, k):
    dialogue = fallible(*((i, j, same) for (i, j), same in answers), n_clusters=k)
    for error_rate in (0.0, 0.1, 0.4):
        assert dialogue.constraints(error_rate).conflicts() == []


@given(any_answers())
def test_undo_takes_a_vote_back(answers):
    answers = [(i, j, same) for (i, j), same in answers]
    for n in range(1, len(answers)):
        dialogue = fallible(*answers[: n + 1])
        dialogue.undo()
        before = fallible(*answers[:n])
        assert dialogue.answers == before.answers
        assert dialogue.repeats == before.repeats
        assert dialogue.skeleton() == before.skeleton()


def test_every_vote_is_kept_on_the_disk(tmp_path):
    path, ids = tmp_path / "a.csv", list("ab")
    session = Session(2, AnswerFile(path, ids, keep_all=True), fallible=True)
    for same in (True, True, False):
        session.answer(1, 0, same)
    assert len(path.read_text().splitlines()) == 4
    again = Session(2, AnswerFile(path, ids, keep_all=True), fallible=True)
    assert again.dialogue.answers == [Answer(1, 0, True)]
    again.undo()
    assert again.dialogue.answers == [Answer(1, 0, True, times=2)]
    assert len(path.read_text().splitlines()) == 3


# What an answer is worth


def test_weights_are_log_odds_over_those_of_ninety_nine_to_one():
    assert answer_weight(0.2) == pytest.approx(log(4) / log(99))
    assert answer_weight(0.2, lead=4) == 1.0
    assert answer_weight(0.001) == 1.0
    assert answer_weight(0.49) > 0


def test_what_is_inferred_weighs_less_than_each_of_its_answers():
    assert inference_weight(0.2, 2) == pytest.approx(log(0.64 / 0.36) / log(99))
    assert inference_weight(0.2, 4) == 0.0


@given(st.floats(0.001, 0.49), st.integers(1, 6))
def test_weights_are_positive_and_at_most_one_and_fall_with_the_error_rate(rate, lead):
    assert 0 < answer_weight(rate, lead) <= 1
    assert answer_weight(rate, lead) <= answer_weight(rate, lead + 1)
    assert answer_weight(rate, lead) <= answer_weight(rate / 2, lead)
    assert inference_weight(rate, lead + 1) <= inference_weight(rate, lead)
    assert inference_weight(rate, lead) <= answer_weight(rate) + 1e-9


def test_constraints_weigh_by_the_error_rate():
    dialogue = fallible((1, 0, False), (2, 0, False), (3, 0, True), (3, 0, True), n_clusters=2)
    assert dialogue.inferred == [(2, 1)]
    found = dialogue.constraints(0.3)
    weights = dict(zip(found.must_link + found.cannot_link, found.weights.tolist(), strict=True))
    single = log(7 / 3) / log(99)
    expected = {(3, 0): 2 * single, (2, 1): single, (1, 0): single, (2, 0): single}
    assert weights == pytest.approx(expected)


def test_without_an_error_rate_weights_are_as_they_were():
    dialogue = dialogue_of((1, 0, True), (1, 0, True), (2, 0, False))
    assert dialogue.constraints().weights.tolist() == [2.0, 1.0]


# What is asked once more


def test_a_placement_is_confirmed_through_another_document():
    state = doubted(*APART, (1, 0, True), (2, 0, True))
    confirm = confirming(lambda dialogue: 0.1)
    assert answers_to_believe(0.1) == 3
    assert confirm(state) == (1, 2)
    state.dialogue.record(1, 2, True)
    assert confirm(state) == (1, 0)  # no other document is left
    assert confirming(lambda dialogue: 0.01)(state) is None


def test_what_fits_nowhere_is_asked_about_once_more():
    state = doubted(*APART, (1, 0, False), (1, 5, False), (1, 7, False), (2, 0, True))
    assert state.dialogue.surplus() == [[1]]
    assert confirming(lambda dialogue: 0.01)(state) == (1, 2)


def test_what_is_surely_of_no_group_is_left_alone():
    """There are more clusters than k: it is not asked about for ever."""
    away = [(1, other, False) for other in (0, 5, 7) for _ in range(2)]
    state = doubted(*(3 * APART), *away)
    assert state.dialogue.surplus() == [[1]]
    assert confirming(lambda dialogue: 0.001)(state) is None


def test_the_skeleton_is_confirmed_through_other_documents_the_nearest_first():
    state = doubted(*APART, (2, 0, True), (4, 5, True))
    confirm = confirming_skeleton(lambda dialogue: 0.05)
    assert confirm(state) == (2, 5)
    state.dialogue.record(2, 5, False)
    assert confirm(state) == (4, 7)
    assert confirming_skeleton(lambda dialogue: 0.0)(state) is None


# How many are wrong


def test_the_estimate_is_the_mean_of_the_posterior():
    assert estimated_error_rate({}) == pytest.approx(0.1, abs=0.002)
    rates = np.linspace(0, 0.5, 100_001)[1:-1]
    for repeats in ({(1, True): 8, (1, False): 2}, {(2, True): 30, (3, False): 1}):
        chances = (1 - rates) ** 8
        for (answers, expected), count in repeats.items():
            odd = (1 - (1 - 2 * rates) ** (answers + 1)) / 2
            chances = chances * (1 - odd if expected else odd) ** count
        mean = (rates * chances).sum() / chances.sum()
        assert estimated_error_rate(repeats) == pytest.approx(mean, abs=1e-3)


def test_repeats_are_counted_by_the_answers_that_imply_them():
    dialogue = fallible((1, 0, True), (2, 1, True), (2, 0, True), (2, 0, False), (3, 2, False))
    assert dialogue.repeats == {(2, True): 1, (1, False): 1}


@pytest.mark.parametrize("size", [None, 8])
@pytest.mark.parametrize("wrong", [0.0, 0.2])
def test_the_error_rate_is_estimated(size, wrong):
    X, truth = three_kinds()
    found = []
    for seed in range(5):
        asking = tc.ExploreConsolidate(3, 60, set_size=size, error_rate="estimate")
        asking.query(X, Erring(truth, wrong, seed))
        found.append(asking.error_rate_)
    assert abs(np.mean(found) - wrong) < 0.08


# The whole dialogue


@pytest.mark.parametrize(("size", "budget"), [(None, 200), (8, 60)])
def test_with_the_error_rate_fewer_documents_are_misplaced(size, budget):
    X, truth = three_kinds(40)
    shares = []
    for rate in (0.0, 0.2):
        found = []
        for seed in range(5):
            asking = tc.ExploreConsolidate(3, budget, set_size=size, error_rate=rate)
            asking.query(X, Erring(truth, 0.2, seed))
            found.append(misplaced(asking, truth))
        shares.append(np.mean(found))
    assert shares[1] < shares[0] / 2


def test_with_an_error_rate_a_right_oracle_still_places_everything():
    X, truth = three_kinds(40)
    asking = tc.ExploreConsolidate(3, 400, error_rate=0.1)
    found = asking.query(X, Erring(truth, 0.0))
    assert asking.dialogue_.questions < 400  # until every placement is certain
    assert not found.violated(truth).any()
    assert sorted(row for group in asking.dialogue_.skeleton() for row in group) == list(range(40))
    assert asking.error_rate_ == 0.1


@pytest.mark.parametrize("rate", [0.5, -0.1, "guess", True])
def test_an_error_rate_is_below_one_half(rate):
    with pytest.raises(tc.InputError, match="error_rate must be"):
        tc.ExploreConsolidate(2, 5, error_rate=rate).query(np.eye(4), lambda i, j: True)
