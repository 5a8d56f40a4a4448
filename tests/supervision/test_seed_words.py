"""Seed words: which documents they name, how words become columns, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from textclust.errors import InputError
from textclust.supervision.seed_words import SeedWords, weakly_named
from textclust.text.termspace import TermSpace
from textclust.text.word_lists import given_words

TEXTS = ["Black holes bend light", "a hole in the roof", "light roofs", "black roofs, black holes"]


@given(
    arrays.arrays(float, st.tuples(st.integers(1, 60), st.integers(1, 4)), elements=st.floats(0, 9))
)
def test_only_documents_with_words_are_named_and_every_class_has_one_if_it_can(scores):
    named = weakly_named(scores)
    rows = np.flatnonzero(named >= 0)
    assert (scores[rows, named[rows]] > 0).all()
    for number in range(scores.shape[1]):
        held = scores[:, number] > 0
        assert (named == number).any() or not (held & (named < 0)).any()


def test_the_clearest_quarter_is_named_and_ambiguous_documents_are_not():
    scores = np.zeros((1000, 2))
    scores[:400, 0] = np.linspace(1, 2, 400)
    scores[400:, 1] = 1.0
    scores[350:400, 1] = 1.9  # about both
    named = weakly_named(scores)
    assert (named == 0).sum() == np.ceil(350 / 4)
    assert np.flatnonzero(named == 0).tolist() == list(range(350 - 88, 350))
    assert (named[350:400] == -1).all()
    assert (named == 1).sum() == 150


def test_short_documents_are_no_clearer_than_long_ones():
    X = np.zeros((2, 101))
    X[0, 0] = 1.0  # one word alone
    X[1] = 0.1
    X[1, 0] = 0.2  # twice what its other words weigh
    words = SeedWords.of({"a": ["w"]}, {"w": 0}, X)
    assert words.scores[1, 0] > words.scores[0, 0]
    np.testing.assert_allclose(words.scores, SeedWords.of({"a": ["w"]}, {"w": 0}, 7 * X).scores)
    of_sparse = SeedWords.of({"a": ["w"]}, {"w": 0}, sp.csr_array(X))
    np.testing.assert_allclose(words.scores, of_sparse.scores)


@pytest.mark.parametrize(
    ("settings", "word", "term"),
    [
        ({}, "BLACK", "black"),
        ({}, " light, ", "light"),
        ({}, "black holes", None),
        ({}, "the", None),
        ({}, "", None),
        ({}, "absent", None),
        ({"stem": True}, "roof", "roof"),
        ({"stem": True}, "Roofing", "roof"),
        ({"ngram_range": (1, 2)}, "black holes", "black holes"),
        ({"ngram_range": (1, 2), "stem": True}, "Black Hole", "black hole"),
        ({"tokenizer": str.split}, "roofs,", "roofs,"),
        ({"lowercase": False}, "Black", "Black"),
    ],
)
def test_a_word_goes_the_way_of_the_documents(settings, word, term):
    space = TermSpace(min_df=1, **settings).fit(TEXTS)
    expected = None if term is None else list(space.vocabulary_).index(term)
    assert space.column_of(word) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({}, "no words in it"),
        ({"a": []}, "no words for 'a'"),
        ({"a": [" "]}, "no words for 'a'"),
        ({"a": [3]}, "no words for 'a'"),
        ({"a": "camera"}, "no list for 'a'; put its words in a list"),
        (["camera"], "path of a table or a dict"),
        ({"a": ["x", "y"], "b": ["y"]}, "the word 'y' is under 'a' and under 'b'"),
    ],
)
def test_words_that_cannot_be_used(words, message):
    with pytest.raises(InputError, match=message):
        given_words(words)


def test_words_that_become_the_same_term_are_under_two_labels_too():
    with pytest.raises(InputError, match="the word 'roofs' is under 'a' and under 'b'"):
        SeedWords.of({"a": ["roof"], "b": ["roofs"]}, {"roof": 1, "roofs": 1}, np.eye(3))
    both = SeedWords.of({"a": ["roof", "roofs"]}, {"roof": 1, "roofs": 1}, np.eye(3))
    assert both.scores.ravel().tolist() == [0, 1, 0]


def test_a_class_without_a_known_word_is_an_error_and_a_single_word_is_not():
    X = np.eye(3)
    with pytest.raises(InputError, match=r"no word of 'b' is a term of the documents .*'y'"):
        SeedWords.of({"a": ["x"], "b": ["y"]}, {"x": 0, "y": None}, X)
    found = SeedWords.of({"a": ["x", "y"]}, {"x": 0, "y": None}, X)
    assert found.unknown == ("y",)
    assert found.words == {"a": ("x", "y")}
