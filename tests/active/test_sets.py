"""Questions about sets: what an answer settles, which sets are chosen, and who is asked."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.active.test_explore_consolidate import Oracle, documents_and_classes, settings
from tests.active.test_strategies import SKELETON, line
from textclust.active.answer_files import AnswerFile
from textclust.active.batches import questions_at_once
from textclust.active.consolidate import consolidate
from textclust.active.dialogue import Answer, Dialogue, Question
from textclust.active.explore import explore
from textclust.active.in_sets import in_sets
from textclust.active.oracles import answers_to
from textclust.active.session import Session
from textclust.active.set_questions import SetQuestion, settled_pairs
from textclust.active.words import words_of_set


class SetOracle:
    """Points at what is not of the class of the first, and remembers the sets."""

    def __init__(self, truth):
        self.truth, self.asked = truth, []

    def strangers(self, documents):
        self.asked.append(list(documents))
        return [row for row in documents if self.truth[row] != self.truth[documents[0]]]


def said(answers):
    return [(answer.left, answer.right, answer.same) for answer in answers]


# What an answer settles


def test_none_are_strangers():
    assert said(settled_pairs([4, 5, 6], [])) == [(5, 4, True), (6, 4, True)]


def test_a_stranger_is_apart_from_the_others_and_nothing_else():
    answers = settled_pairs([4, 5, 6, 7], [5, 7])
    assert said(answers) == [(6, 4, True), (5, 4, False), (7, 4, False)]
    dialogue = Dialogue()
    dialogue.record_all(answers)
    assert dialogue.same_group(5, 6) is False
    assert dialogue.same_group(5, 7) is None
    assert dialogue.questions == 1


def test_the_first_may_be_the_stranger():
    assert said(settled_pairs([4, 5, 6], [4])) == [(6, 5, True), (5, 4, False)]


@pytest.mark.parametrize("strangers", [[5, 6], [4, 5, 6]])
def test_where_no_two_belong_together_the_others_are_apart_from_the_first(strangers):
    assert said(settled_pairs([4, 5, 6], strangers)) == [(5, 4, False), (6, 4, False)]


def test_where_one_is_left_that_is_not_the_first_all_are_apart_from_it():
    assert said(settled_pairs([4, 5, 6], [4, 6])) == [(5, 4, False), (6, 5, False)]


@given(st.lists(st.integers(0, 3), min_size=2, max_size=9), st.data())
def test_what_an_honest_answer_settles_is_true(classes, data):
    """Whichever class the others are said to be of."""
    home = data.draw(st.sampled_from(classes))
    rows = range(len(classes))
    dialogue = Dialogue()
    dialogue.record_all(settled_pairs(rows, [row for row in rows if classes[row] != home]))
    for i, j in combinations(rows, 2):
        assert dialogue.same_group(i, j) in (None, classes[i] == classes[j])
        if home in (classes[i], classes[j]):
            assert dialogue.same_group(i, j) is (classes[i] == classes[j])


def test_dont_know_is_said_of_every_pair_with_the_first():
    class Nobody:
        def strangers(self, documents):
            return None

    assert said(answers_to(SetQuestion((4, 5, 6)), Nobody())) == [(5, 4, None), (6, 4, None)]


# Who is asked


def test_an_oracle_of_pairs_compares_each_with_the_first():
    oracle = Oracle([0, 1, 0], knows=lambda i, j: i != 1)
    assert said(answers_to(SetQuestion((0, 1, 2)), oracle)) == [(1, 0, None), (2, 0, True)]
    assert oracle.asked == [(1, 0), (2, 0)]


def test_an_oracle_of_sets_alone_is_asked_about_sets_of_two():
    oracle = SetOracle([0, 1, 0])
    assert said(answers_to(Question(1, 0), oracle)) == [(1, 0, False)]
    assert said(answers_to(Question(2, 0), oracle)) == [(2, 0, True)]
    assert oracle.asked == [[0, 1], [0, 2]]


@pytest.mark.parametrize("found", [[9], 3, "ab"])
def test_strangers_must_be_of_the_set(found):
    oracle = SetOracle([0, 0])
    oracle.strangers = lambda documents: found
    with pytest.raises(tc.InputError, match=r"strangers of the set \[0, 1\]"):
        answers_to(SetQuestion((0, 1)), oracle)


# Which sets


def test_a_set_has_the_documents_that_are_nearest_to_the_same_group():
    state = line(*SKELETON, order=[1, 4, 2, 3, 6])
    assert in_sets(consolidate, 3)(state) == SetQuestion((0, 1, 2))
    assert in_sets(consolidate, 4)(state) == SetQuestion((0, 1, 2))  # the first of the largest
    assert in_sets(consolidate, 2)(state) == (1, 0)  # a pair


def test_a_stranger_is_in_a_set_of_the_next_nearest_group():
    state = line(*SKELETON, order=[1, 4, 2, 3, 6])
    state.dialogue.record_all(settled_pairs([0, 1, 2], [2]))
    assert in_sets(consolidate, 3)(state) == SetQuestion((5, 2, 4))


def test_exploring_asks_about_documents_far_from_each_other():
    assert in_sets(explore, 4)(line()) == SetQuestion((0, 7, 5, 2))


def test_a_set_is_chosen_without_a_change_of_the_state():
    state = line(*SKELETON)
    strategy = in_sets(consolidate, 3)
    assert strategy(state) == strategy(state)


def test_several_sets_at_once_place_different_documents():
    batch = questions_at_once(line(*SKELETON), in_sets(consolidate, 3), 5)
    placed = [row for question in batch for row in question.placed]
    assert len(batch) == 3
    assert sorted(placed) == [1, 2, 3, 4, 6]


# The whole dialogue


@given(documents_and_classes(), settings(), st.integers(2, 6), st.integers(0, 12))
def test_sets_are_no_larger_and_no_more_than_allowed(drawn, chosen, size, budget):
    X, truth = drawn
    k = len(set(truth))
    oracle = SetOracle(truth)
    asking = tc.ExploreConsolidate(k, budget, set_size=size, **chosen)
    found = asking.query(X, oracle)
    assert len(oracle.asked) == asking.dialogue_.questions <= budget
    assert all(2 <= len(rows) == len(set(rows)) <= size for rows in oracle.asked)
    assert not found.violated(np.array(truth)).any() or k > len(asking.dialogue_.skeleton())


@given(documents_and_classes(), settings(), st.integers(3, 6))
def test_with_sets_enough_everything_is_known(drawn, chosen, size):
    X, truth = drawn
    somewhere = np.flatnonzero(X.any(axis=1))
    k = len({truth[row] for row in somewhere})
    asking = tc.ExploreConsolidate(k, 300, set_size=size, **{**chosen, "checks": 0.0})
    found = asking.query(X, Oracle(truth))
    assert not found.violated(np.array(truth)).any()
    if k > 1:
        placed = sorted(row for group in asking.dialogue_.skeleton() for row in group)
        assert placed == list(somewhere)


def test_a_set_of_eight_places_several_times_as_many_documents_as_a_pair():
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=200)
    X = np.eye(3)[truth] + 0.5 * rng.random((200, 3))
    placed = []
    for size in (None, 8):
        asking = tc.ExploreConsolidate(3, 12, set_size=size)
        asking.query(X, Oracle(truth))
        placed.append(sum(map(len, asking.dialogue_.skeleton())))
    assert placed[1] > 4 * placed[0]


@pytest.mark.parametrize("size", [1, 0, "eight", 2.5])
def test_a_set_has_two_documents_at_least(size):
    with pytest.raises(tc.InputError, match="set_size must be a whole number of at least 2"):
        tc.ExploreConsolidate(2, 5, set_size=size).query(np.eye(4), lambda i, j: True)


# The way back, and the disk


def test_undo_takes_a_whole_set_back():
    dialogue = Dialogue(2)
    dialogue.record(1, 0, False)
    dialogue.record_all(settled_pairs([0, 2, 3], [3]))
    assert dialogue.undo() == Answer(3, 0, False)
    assert dialogue.answers == [Answer(1, 0, False)]
    assert dialogue.questions == 1


def test_a_set_is_one_question_on_the_disk_too(tmp_path):
    path, ids = tmp_path / "a.csv", list("abcdef")
    path.write_text("left,right,kind,who\nb,a,cannot-link,me\n")
    session = Session(2, AnswerFile(path, ids))
    session.answer_all(settled_pairs([0, 2, 3], [3]))
    session.answer(4, 0, True)
    session.answer_all(settled_pairs([0, 4, 5], []))
    assert path.read_text().splitlines() == [
        "left,right,kind,who,set",
        "b,a,cannot-link,me,",
        "c,a,must-link,,1",
        "d,a,cannot-link,,1",
        "e,a,must-link,,",
        "e,a,must-link,,2",
        "f,a,must-link,,2",
    ]
    again = Session(2, AnswerFile(path, ids))
    assert again.dialogue.questions == session.dialogue.questions == 4
    assert again.dialogue.answers == session.dialogue.answers
    again.undo()
    again.undo()
    assert path.read_text().splitlines()[-1] == "d,a,cannot-link,,1"
    again.undo()
    assert path.read_text().splitlines()[1:] == ["b,a,cannot-link,me,"]
    assert again.dialogue.questions == 1


def test_a_set_that_was_cut_off_in_writing_goes_on_with_what_is_there(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("left,right,kind,set\nb,a,must-link,1\nc,a,cannot-link,1\nd,a,cann")
    file = AnswerFile(path, list("abcd"))
    assert file.incomplete_line == "d,a,cann"
    assert [len(event) for event in file.events] == [2]


def test_a_set_corrects_earlier_answers_on_the_disk_and_undo_brings_them_back(tmp_path):
    path = tmp_path / "a.csv"
    file = AnswerFile(path, list("abcd"))
    file.append(1, 0, False)
    file.append_all(settled_pairs([0, 1, 2], []))
    assert path.read_text().splitlines()[1:] == ["b,a,must-link,1", "c,a,must-link,1"]
    file.undo()
    assert path.read_text().splitlines()[1:] == ["b,a,cannot-link,"]


def test_words_of_a_set_are_in_half_of_it():
    X = np.array([[1.0, 0, 0, 2], [1, 3, 0, 0], [1, 3, 9, 0], [1, 0, 0, 0]])
    assert words_of_set(sp.csr_array(X), list("abcd"), [0, 1, 2, 3]) == ["b", "a"]
