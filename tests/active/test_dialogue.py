"""A dialogue: what follows from answers, what contradicts them, and the way back."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textclust import Constraints
from textclust.active.dialogue import Answer, Dialogue


def dialogue_of(*answers, n_clusters=None):
    dialogue = Dialogue(n_clusters)
    for answer in answers:
        dialogue.record(*answer)
    return dialogue


def view(dialogue):
    """Everything there is to see."""
    return (
        dialogue.answers,
        dialogue.skeleton(),
        dialogue.open_groups(),
        dialogue.disputed,
        dialogue.inferred,
        dialogue.questions,
        dialogue.checks,
    )


@st.composite
def truthful_answers(draw, rows=9):
    """Labels, and answers that keep to them; some say nothing."""
    labels = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    pair = st.lists(st.integers(0, rows - 1), min_size=2, max_size=2, unique=True)
    asked = draw(st.lists(st.tuples(pair, st.booleans()), max_size=14))
    answers = [(i, j, labels[i] == labels[j] if known else None) for (i, j), known in asked]
    return labels, answers


@st.composite
def any_answers(draw, rows=6):
    """Answers of someone who contradicts themselves."""
    pair = st.lists(st.integers(0, rows - 1), min_size=2, max_size=2, unique=True)
    return draw(st.lists(st.tuples(pair, st.sampled_from([True, False, None])), max_size=14))


# What follows


def test_of_more_than_k_groups_the_largest_are_the_skeleton():
    dialogue = dialogue_of((1, 0, False), (2, 0, False), (2, 1, False), n_clusters=2)
    assert dialogue.skeleton() == [[0], [1]]
    assert dialogue.surplus() == [[2]]
    dialogue.record(3, 2, True)
    assert dialogue.skeleton() == [[0], [2, 3]]
    assert dialogue.surplus() == [[1]]
    assert dialogue_of((1, 0, False), (2, 0, False), (2, 1, False)).surplus() == []


def test_must_links_pass_on_and_carry_cannot_links():
    dialogue = dialogue_of((1, 0, True), (2, 1, True), (3, 2, False))
    assert dialogue.same_group(2, 0) is True
    assert dialogue.same_group(3, 0) is False
    assert dialogue.same_group(4, 0) is None
    assert dialogue.group(0) == [0, 1, 2]


@given(truthful_answers())
def test_what_follows_is_the_closure_of_the_constraints(drawn):
    _, answers = drawn
    dialogue = dialogue_of(*answers)
    definite = [answer for answer in dialogue.answers if answer.same is not None]
    given_ones = Constraints(
        [(a.left, a.right) for a in definite if a.same],
        [(a.left, a.right) for a in definite if not a.same],
    )
    closure = given_ones.entailed()
    for i, j in combinations(range(9), 2):
        expected = {True: (i, j) in closure.must_link, False: (i, j) in closure.cannot_link}
        assert dialogue.same_group(i, j) is next(
            (s for s, found in expected.items() if found), None
        )


@given(truthful_answers())
def test_what_follows_from_the_truth_is_true_and_never_disputed(drawn):
    labels, answers = drawn
    dialogue = dialogue_of(*answers, n_clusters=len(set(labels)))
    assert dialogue.disputed == []
    for i, j in combinations(range(9), 2):
        assert dialogue.same_group(i, j) in (None, labels[i] == labels[j])


@given(truthful_answers())
def test_the_skeleton_has_one_document_of_each_of_several_clusters(drawn):
    labels, answers = drawn
    dialogue = dialogue_of(*answers, n_clusters=len(set(labels)))
    clusters = [{labels[row] for row in group} for group in dialogue.skeleton()]
    assert all(len(cluster) == 1 for cluster in clusters)
    assert len(set().union(*clusters)) == len(clusters)


def test_the_last_answer_is_inferred():
    dialogue = dialogue_of((1, 0, False), (2, 0, False), n_clusters=2)
    assert dialogue.inferred == [(2, 1)]
    assert dialogue.skeleton() == [[0], [1, 2]]
    assert dialogue.constraints() == Constraints([(2, 1)], [(1, 0), (2, 0)])


def test_nothing_is_inferred_where_the_number_of_clusters_is_not_known():
    dialogue = dialogue_of((1, 0, False), (2, 0, False))
    assert dialogue.inferred == []
    assert dialogue.open_groups() == [[2]]


def test_an_inference_gives_way_to_an_answer():
    dialogue = dialogue_of((1, 0, False), (2, 0, False), (2, 1, False), n_clusters=2)
    assert (dialogue.inferred, dialogue.disputed) == ([], [])
    assert dialogue.same_group(2, 1) is False


def test_one_inference_leads_to_the_next():
    dialogue = dialogue_of((3, 0, False), (4, 3, False), (5, 4, False), (1, 0, False), n_clusters=2)
    assert dialogue.skeleton() == [[0, 4], [1, 3, 5]]


# Don't know


def test_dont_know_says_nothing_but_is_remembered():
    dialogue = dialogue_of((1, 0, None))
    assert dialogue.same_group(1, 0) is None
    assert len(dialogue.constraints()) == 0
    assert dialogue.times_asked(0, 1) == 1
    assert dialogue.unanswered(0, 1)


def test_a_document_nobody_knows_anything_of_is_left_alone():
    dialogue = dialogue_of((1, 0, None), (2, 0, None))
    assert dialogue.skeleton() == [[1]]
    assert dialogue.open_groups() == [[2]]


# Contradictions


def test_an_answer_against_a_chain_is_disputed_and_entails_nothing():
    dialogue = dialogue_of((1, 0, True), (2, 1, True), (2, 0, False))
    assert dialogue.disputed == [Answer(2, 0, False)]
    assert dialogue.same_group(2, 0) is True
    assert dialogue.constraints() == Constraints([(1, 0), (2, 1)])


def test_a_confirmed_answer_is_believed_before_others():
    dialogue = dialogue_of((1, 0, True), (2, 1, True), (2, 0, False), (2, 0, False))
    assert dialogue.disputed == [Answer(2, 1, True)]
    assert dialogue.same_group(2, 0) is False
    assert dialogue.constraints() == Constraints([(1, 0)], [(2, 0)], [1, 2])


def test_the_latest_answer_about_a_pair_counts():
    dialogue = dialogue_of((1, 0, True), (2, 1, True), (2, 0, False), (2, 1, False))
    assert dialogue.disputed == []
    assert dialogue.constraints() == Constraints([(1, 0)], [(2, 0), (2, 1)])
    assert dialogue.questions == 4


def test_an_answer_can_be_withdrawn():
    dialogue = dialogue_of((1, 0, True), (0, 1, None))
    assert len(dialogue.constraints()) == 0
    assert dialogue.answers == [Answer(0, 1, None)]


@given(any_answers(), st.sampled_from([None, 2, 3]))
def test_what_stands_never_contradicts_itself(answers, k):
    dialogue = dialogue_of(*((i, j, same) for (i, j), same in answers), n_clusters=k)
    standing = dialogue.constraints()
    assert standing.conflicts() == []
    for kind, pairs in ((True, standing.must_link), (False, standing.cannot_link)):
        assert all(dialogue.same_group(i, j) is kind for i, j in pairs)
    kept = len(standing) - len(dialogue.inferred) + len(dialogue.disputed)
    assert kept == sum(answer.same is not None for answer in dialogue.answers)


# The way back


@given(any_answers(), st.sampled_from([None, 2, 3]))
def test_undo_is_as_if_nothing_had_been_said(answers, k):
    answers = [(i, j, same) for (i, j), same in answers]
    dialogue = dialogue_of(*answers, n_clusters=k)
    for n in range(len(answers) - 1, -1, -1):
        undone = dialogue.undo()
        assert (undone.left, undone.right, undone.same) == answers[n]
        assert view(dialogue) == view(dialogue_of(*answers[:n], n_clusters=k))
    assert dialogue.undo() is None


def test_a_dialogue_goes_on_from_the_answers_of_another():
    first = dialogue_of((1, 0, True), (1, 0, True), (2, 1, False), (3, 0, None), n_clusters=2)
    again = Dialogue(2, first.answers)
    assert view(again) == view(first)


def test_answers_about_many_documents_are_taken_in_quickly():
    """Three thousand answers in a row take no more than a few steps each."""
    rng = np.random.default_rng(0)
    labels = rng.integers(20, size=3_000)
    firsts = [int(np.flatnonzero(labels == h)[0]) for h in range(20)]
    pairs = [(j, i, False) for i, j in combinations(firsts, 2)]
    pairs += [(row, firsts[labels[row]], True) for row in range(3_000) if row not in firsts]
    dialogue = dialogue_of(*pairs, n_clusters=20)
    assert sum(map(len, dialogue.skeleton())) == 3_000
