"""Terms that enter a vocabulary after it was learned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from textclust.text import growth
from textclust.text.growth import WaitingTerms
from textclust.text.termspace import TermSpace

OLD = ["red bike", "red wheel", "blue wheel"]


def entering(space, batches):
    """The space after batches of texts, what waits, and what entered with each."""
    waiting, found = WaitingTerms(), []
    before = 3
    for texts in batches:
        counted = space.count(texts)
        waiting = waiting.counted(space, counted)
        terms = waiting.entering(space, before)
        space = space.with_terms(before + waiting.texts, terms, counted.surface_forms)
        waiting = waiting.without(terms)
        found.append(terms)
    return space, waiting, found


def test_a_term_enters_when_enough_texts_have_it_whatever_the_batches():
    space = TermSpace(min_df=2, max_df=1.0)
    space.fit(OLD)
    assert list(space.vocabulary_) == ["red", "wheel"]
    grown, waiting, found = entering(space, [["red moon", "dark moon sky"], ["dark bike"]])
    assert found == [{"moon": 2}, {"dark": 2}]
    assert waiting.frequencies == {"sky": 1, "bike": 1}
    assert list(grown.vocabulary_) == ["red", "wheel", "moon", "dark"]
    expected = np.log2([3 / 2, 3 / 2, 5 / 2, 6 / 2])
    np.testing.assert_allclose(grown.idf_, expected)
    np.testing.assert_array_equal(grown.idf_[:2], space.idf_)
    assert list(space.vocabulary_) == ["red", "wheel"]  # the other is as it was


def test_the_rules_of_the_vocabulary_hold_for_new_terms():
    texts = ["moon 1994", "moon 1994", "moon star", "moon star"]
    space = TermSpace(min_df=2, max_df=0.75, numbers=False)
    space.fit(OLD)
    assert entering(space, [texts])[2] == [{"star": 2}]  # moon is in too many
    limited = TermSpace(min_df=2, max_df=1.0, max_features=3)
    limited.fit(OLD)
    assert entering(limited, [texts])[2] == [{"moon": 4}]
    plain = TermSpace(min_df=2, use_idf=False)
    plain.fit(OLD)
    assert entering(plain, [["star light", "star"], ["none"]])[0].idf_.tolist() == [1.0] * 3


@given(st.lists(st.sets(st.sampled_from("abcde"), min_size=1).map(" ".join), min_size=2), st.data())
def test_in_which_batches_texts_come_does_not_matter(texts, data):
    """Once all are there: a term that entered meanwhile weighs by the texts that there were."""
    space = TermSpace(min_df=2, max_df=1.0, token_pattern=r"\w", stop_words=None)
    space.fit(["a x", "a y", "z"])
    cut = data.draw(st.integers(1, len(texts) - 1))
    in_one, in_two = entering(space, [texts])[0], entering(space, [texts[:cut], texts[cut:]])[0]
    assert set(in_two.vocabulary_) == set(in_one.vocabulary_)


def test_stems_that_enter_can_be_read():
    pytest.importorskip("nltk")
    space = TermSpace(min_df=2, max_df=1.0, stem=True)
    space.fit(OLD)
    grown = entering(space, [["telescopes", "telescope lens"], ["x"]])[0]
    assert grown.readable_terms()[-1].startswith("telescope")
    assert grown.column_of("telescopes") == 2


def test_a_grown_vectorizer_is_one_still(tmp_path):
    path = tmp_path / "stops.txt"
    path.write_text("the\n")
    space = tc.TextVectorizer(min_df=2, stop_words=path)
    space.fit(OLD)
    path.write_text("moon\n")  # changed since
    grown, _, _ = entering(space, [["the moon", "the moon"], ["x"]])
    assert isinstance(grown, tc.TextVectorizer)
    assert list(grown.vocabulary_) == ["red", "wheel", "moon"]
    assert grown.transform(["the moon"]).nnz == 1


def test_the_rarest_are_forgotten_where_too_many_wait(monkeypatch):
    monkeypatch.setattr(growth, "_MOST", 2)
    space = TermSpace(min_df=1)
    space.fit(OLD)
    waiting = WaitingTerms().counted(space, space.count(["owl toad newt", "newt toad"]))
    assert waiting.frequencies == {"newt": 2, "toad": 2}
    assert WaitingTerms.from_dict(waiting.to_dict()) == waiting


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1).map(" ".join), min_size=4))
def test_counted_rows_are_those_of_transform(texts):
    space = TermSpace(min_df=1, max_df=1.0, token_pattern=r"\w", stop_words=None)
    space.fit(["a b", "b c", "c"])
    X, shares = space.weighted_with_shares(space.count(texts))
    Y, expected = space.transform_with_shares(texts)
    assert abs(X - Y).nnz == 0
    np.testing.assert_array_equal(shares, expected)
