"""Texts made harmless many at a time: the same as one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.report.test_hostile import HOSTILE
from textclust.plain import cleaned, plain, plain_all, tidied, unwrapped
from textclust.report.content import shown_excerpts
from textclust.result.clustering import Card

LETTERS = st.sampled_from("ab  \t\n\r\0\x1f\x85\xa0é\u2028\u202e\ud800日") | st.characters()
TEXTS = st.lists(st.text(LETTERS, max_size=30) | st.sampled_from(HOSTILE), max_size=8)
CALM = ["a line that was broken because it had grown so long\nagain", "  spaces ", "short"] * 50


@given(TEXTS)
def test_many_are_made_plain_as_one_is(texts):
    assert plain_all(texts, 20) == [plain(text, 20) for text in texts]


@given(TEXTS)
def test_many_are_tidied_as_one_is(texts):
    assert tidied(texts) == [unwrapped(cleaned(text).strip()) for text in texts]


def test_a_hostile_text_changes_no_other():
    for texts in (CALM, CALM + HOSTILE, HOSTILE + CALM):
        assert plain_all(texts, 60) == [plain(text, 60) for text in texts]
        assert tidied(texts) == [unwrapped(cleaned(text).strip()) for text in texts]


def test_an_excerpt_is_cut_at_a_word_and_leaves_the_title_out():
    text = "A title\n\n" + "some words " * 30
    one, whole = Card("1", "A title", text), Card("2", "Else", "few words")
    assert shown_excerpts([one, whole], 24) == ["some words some words …", "few words"]
    assert shown_excerpts([one])[0] == "some words " * 29 + "some words"
