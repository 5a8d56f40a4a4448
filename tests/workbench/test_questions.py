"""Questions in the workbench, and what their answers settle."""

from __future__ import annotations

import pytest

from tests.workbench.small import do, ids, said
from textclust.active.dialogue import Dialogue
from textclust.active.set_questions import settled_pairs
from textclust.errors import InputError
from textclust.workbench.questions import KINDS, Questions, dialogue_of
from textclust.workbench.view import View

GROUP = [row // 20 for row in range(60)]


def rows_of(question):
    if question["kind"] == "pair":
        return [question["left"], question["right"]]
    return question["rows"] if question["kind"] == "set" else [question["row"]]


def answered(collection, question, skip=False):
    """The answer of somebody who knows the groups."""
    rows = rows_of(question)
    if question["kind"] == "pair":
        left, right = ids(collection, *rows)
        answer = "same" if GROUP[rows[0]] == GROUP[rows[1]] else "different"
        return do(
            "answer",
            question="pair",
            left=left,
            right=right,
            answer="skip" if skip else answer,
        )
    if question["kind"] == "set":
        return do(
            "answer",
            question="set",
            documents=ids(collection, *rows),
            strangers=[] if skip else ids(collection, *strangers(rows)),
            answer="skip" if skip else "settled",
        )
    number = None if skip else question["clusters"][0]
    return do("answer", question="cluster", document=ids(collection, *rows)[0], cluster=number)


def strangers(rows):
    return [row for row in rows if GROUP[row] != GROUP[rows[0]]]


@pytest.mark.parametrize("kind", KINDS)
def test_questions_of_every_kind(collection, first, kind):
    found = Questions().next(View(collection, first), kind, 3)
    assert 1 <= len(found["questions"]) <= 3
    assert found["reason"] is None
    for question in found["questions"]:
        rows = rows_of(question)
        assert question["kind"] == kind
        assert len(set(rows)) == len(rows) == {"pair": 2, "set": 8, "cluster": 1}[kind]
        if kind == "cluster":
            assert sorted(question["clusters"]) == [1, 2, 3]
    assert Questions().next(View(collection, first), kind, 3) == found


def test_other_kinds_are_refused(collection, first):
    with pytest.raises(InputError, match="no questions of kind 'word'"):
        Questions().next(View(collection, first), "word", 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("skip", [False, True])
def test_nothing_is_asked_twice(collection, first, kind, skip):
    asking, state, seen = Questions(), first, set()
    for _ in range(6):
        found = asking.next(View(collection, state), kind, 1)["questions"]
        if not found:
            break
        key = frozenset(rows_of(found[0]))
        assert key not in seen
        seen.add(key)
        state = said(collection, state, answered(collection, found[0], skip))
    assert len(seen) > 2


@pytest.mark.parametrize("kind", KINDS)
def test_discarded_documents_are_not_asked_about(collection, first, kind):
    asking = Questions()
    before = asking.next(View(collection, first), kind, 5)["questions"]
    rows = sorted({row for question in before for row in rows_of(question)})
    state = said(collection, first, do("discard", documents=ids(collection, *rows)))
    for question in asking.next(View(collection, state), kind, 5)["questions"]:
        assert not set(rows) & set(rows_of(question))


def test_answers_settle_what_ask_would_settle(collection, first):
    asking, state, dialogue = Questions(), first, Dialogue(3)
    for turn in range(8):
        kind = KINDS[turn % 2]
        question = asking.next(View(collection, state), kind, 1)["questions"][0]
        rows = rows_of(question)
        if kind == "pair":
            dialogue.record(*rows, GROUP[rows[0]] == GROUP[rows[1]])
        else:
            dialogue.record_all(settled_pairs(rows, strangers(rows)))
        state = said(collection, state, answered(collection, question))
    mine = dialogue_of(state)
    assert mine.answers == dialogue.answers
    assert mine.skeleton() == dialogue.skeleton()
    links = {(frozenset((e.left, e.right)), e.kind == "must-link") for e in state.links}
    assert links == {(answer.pair, answer.same) for answer in dialogue.answers}


def test_a_pair_shows_the_words_that_both_have(collection, first):
    texts = [text.lower() for text in collection.documents.texts]
    for question in Questions().next(View(collection, first), "pair", 5)["questions"]:
        for word in question["words"]:
            assert word in texts[question["left"]]
            assert word in texts[question["right"]]


def test_when_all_is_known_nothing_is_left_to_ask(collection, first):
    state = said(collection, first, do("seed", documents=list(collection.documents.ids)))
    found = Questions().next(View(collection, state), "cluster", 3)
    assert found["questions"] == []
    assert "nothing is left" in found["reason"]


@pytest.mark.parametrize("kind", KINDS)
def test_with_hardly_any_documents_left(collection, first, kind):
    state = said(collection, first, do("discard", documents=ids(collection, *range(1, 60))))
    found = Questions().next(View(collection, state), kind, 3)
    assert {*found} == {"questions", "reason"}
