"""What may be a term: patterns, stop words of a file, frequent ones, a given vocabulary."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

import textclust as tc
from tests.core import needs_core
from textclust import native
from textclust.errors import InputError
from textclust.text.analysis import TOKEN_PATTERN

WORDS = ["lens", "film", "star", "moon", "sky", "95", "000", "x11"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=3, max_size=10
)
SOME = ["lens lens film", "film star 1993", "moon 486 000", "moon x11 film"]


def vectorizer(**parameters):
    return tc.TextVectorizer(**{"min_df": 1, "max_df": 1.0, "stop_words": None, **parameters})


def terms_of(texts, **parameters):
    return vectorizer(**parameters).fit(texts).get_feature_names_out().tolist()


def test_a_pattern_of_ones_own():
    assert terms_of(["C++ and C#", "F# or x86"], token_pattern=r"[a-z][+#\w]*") == [
        *("and", "c#", "c++", "f#", "or", "x86")
    ]
    assert terms_of(["id=7 id=9", "id=7 x"], token_pattern=r"id=(\d)") == ["7", "9"]
    assert terms_of(["ab cd", "cd"], token_pattern=r"[a-z]*") == ["ab", "cd"]  # never ""


@given(texts=TEXTS, pattern=st.sampled_from([r"\w+", r"[a-z]+", r"\d(\d)", TOKEN_PATTERN]))
def test_the_tokens_of_a_pattern_are_those_of_scikit_learn(texts, pattern):
    theirs = CountVectorizer(token_pattern=pattern).build_analyzer()
    ours = vectorizer(token_pattern=pattern)._analyser()
    for text in texts:
        assert list(ours(text)) == theirs(text)


@needs_core
def test_the_default_pattern_is_counted_natively_and_others_are_not():
    assert vectorizer()._analyser().plain
    assert vectorizer(token_pattern=r"(?u)\b\w\w+\b")._analyser().plain
    assert not vectorizer(token_pattern=r"\w+")._analyser().plain


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("[", r"token_pattern='\[' is not a regular expression \(unterminated character set"),
        ("(a)(b)", "2 groups, and only one may be the token"),
        (7, "token_pattern must be a regular expression; got int"),
        (None, "token_pattern must be a regular expression; got NoneType"),
    ],
)
def test_a_bad_pattern_is_reported_before_any_text_is_read(pattern, message):
    def texts():
        raise AssertionError("read")
        yield

    with pytest.raises(InputError, match=message):
        vectorizer(token_pattern=pattern).fit(texts())


def test_the_terms_in_most_documents_are_kept():
    texts = ["b a c", "b a", "a c d", "d d d d"]
    pattern = {"token_pattern": r"\w"}
    assert terms_of(texts, max_features=1, **pattern) == ["a"]
    assert terms_of(texts, max_features=3, **pattern) == ["a", "b", "c"]  # d is in as many
    fitted = vectorizer(max_features=2, **pattern).fit(texts)
    assert fitted.n_pruned_ == {"rare": 0, "frequent": 0, "surplus": 2}
    assert vectorizer(max_features=9, **pattern).fit(texts).n_pruned_["surplus"] == 0


@given(texts=TEXTS, most=st.integers(1, 8), least=st.integers(1, 3), numbers=st.booleans())
def test_the_choice_is_the_slow_one_with_and_without_the_core(texts, most, least, numbers):
    found = {word: sum(word in text.split() for text in texts) for word in WORDS}
    wanted = [w for w in WORDS if found[w] >= least and (numbers or not w.isdigit())]
    kept = sorted(sorted(wanted, key=lambda word: (-found[word], word))[:most])
    space = vectorizer(max_features=most, min_df=least, numbers=numbers)
    if not any(found[word] < len(texts) for word in kept):
        with pytest.raises(InputError, match="no term"):
            space.fit(texts)
        return
    X = space.fit_transform(texts)
    assert list(space.vocabulary_) == kept
    with native.without():
        again = vectorizer(max_features=most, min_df=least, numbers=numbers)
        assert (again.fit_transform(texts) != X).nnz == 0
    assert again.n_pruned_ == space.n_pruned_


def test_without_numbers():
    assert terms_of(SOME, numbers=False) == ["film", "lens", "moon", "star", "x11"]
    pairs = terms_of(["windows 95 98", "windows nt"], numbers=False, ngram_range=(1, 2))
    assert pairs == ["nt", "windows", "windows 95", "windows nt"]
    assert vectorizer(numbers=False).fit(SOME).n_pruned_["numbers"] == 3


def test_stop_words_of_a_file(tmp_path):
    file = tmp_path / "stops.txt"
    file.write_text("# my words\nLens\n\n  moon \nfilm star\n", encoding="utf-8")
    for given_as in (file, str(file)):
        assert terms_of(SOME, stop_words=given_as) == ["000", "1993", "486", "x11"]
    assert "lens" in terms_of(SOME, stop_words=file, lowercase=False)


def test_a_language_comes_before_a_file_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("english", "german"):
        (tmp_path / name).write_text("lens")
    assert "lens" in terms_of(SOME, stop_words="english")
    assert "lens" in terms_of(SOME, stop_words="german")


def test_what_is_wrong_with_a_file_is_said(tmp_path):
    empty = tmp_path / "empty.txt"
    empty.write_text("# nothing\n")
    with pytest.raises(InputError, match=r"empty\.txt: no stop words in it"):
        terms_of(SOME, stop_words=empty)
    with pytest.raises(InputError, match=r"nowhere\.txt: cannot be read"):
        terms_of(SOME, stop_words=tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match=r"no stop words for 'nowhere\.txt': no file of this name"):
        terms_of(SOME, stop_words="nowhere.txt")
    (tmp_path / "stops.txt").write_text("lens")
    with pytest.raises(InputError, match="stem=True needs a language"):
        terms_of(SOME, stop_words=str(tmp_path / "stops.txt"), stem=True)


def test_a_fitted_vectorizer_needs_its_file_no_more(tmp_path):
    file = tmp_path / "stops.txt"
    file.write_text("moon")
    fitted = vectorizer(stop_words=file, ngram_range=(1, 2)).fit(SOME)
    expected = fitted.transform(SOME)
    file.write_text("lens")
    assert (fitted.transform(SOME) != expected).nnz == 0
    file.unlink()
    assert (fitted.transform(SOME) != expected).nnz == 0
    with pytest.raises(InputError, match="cannot be read"):
        clone(fitted).fit(SOME)


def test_binary_counts_as_those_of_scikit_learn():
    X = vectorizer(binary=True, use_idf=False).fit_transform(["lens lens film", "film"])
    np.testing.assert_allclose(X.toarray(), [[math.sqrt(0.5)] * 2, [1.0, 0.0]])
    damped = vectorizer(binary=True, sublinear_tf=True).fit_transform(SOME)
    assert (vectorizer(binary=True).fit_transform(SOME) != damped).nnz == 0
    theirs = CountVectorizer(binary=True).fit_transform(SOME)
    ours = vectorizer(binary=True, use_idf=False).fit_transform(SOME)
    np.testing.assert_array_equal(ours.toarray() > 0, theirs.toarray() > 0)


@pytest.mark.parametrize("given_as", [["star", "film", "sun"], {"sun": 2, "star": 0, "film": 1}])
def test_a_vocabulary_that_is_given(given_as):
    fitted = tc.TextVectorizer(vocabulary=given_as)
    X = fitted.fit_transform(SOME)
    assert fitted.get_feature_names_out().tolist() == ["star", "film", "sun"]
    assert fitted.vocabulary_ == {"star": 0, "film": 1, "sun": 2}
    assert (fitted.n_pruned_, fitted.min_df_) == ({}, 0)
    expected = np.log2([4 / 1, 4 / 3, 4 / 1])
    np.testing.assert_allclose(fitted.idf_, expected)  # sun is in no text
    assert X.shape == (4, 3)
    np.testing.assert_allclose(X.toarray()[1], [*(expected[:2] / np.hypot(*expected[:2])), 0])
    assert (fitted.transform(SOME) != X).nnz == 0
    assert fitted.transform(["sun"]).toarray().tolist() == [[0, 0, 1]]


def test_a_set_is_taken_by_the_alphabet_and_stems_are_taken_as_they_are():
    assert vectorizer(vocabulary={"star", "film"}).fit(SOME).vocabulary_ == {"film": 0, "star": 1}
    stems = vectorizer(vocabulary=["film", "galaxi"], stem="english")
    assert stems.fit_transform(["films of galaxies", "filming"]).nnz == 1  # film is in both


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("word", "vocabulary must be a list of terms"),
        (7, "vocabulary must be a list of terms"),
        ([], "vocabulary must have terms in it"),
        ([1, 2], "vocabulary must have terms in it, all of them strings"),
        (["star", "film", "star"], "vocabulary has 'star' twice"),
        ({"star": 1, "film": 2}, "the columns of vocabulary must be 0 to 1, each once"),
        ({"star": 0, "film": 0}, "the columns of vocabulary must be 0 to 1, each once"),
        ({"star": "0"}, "the columns of vocabulary must be 0 to 0"),
        (["unheard"], "no term of vocabulary is in any of the 4 texts"),
    ],
)
def test_a_bad_vocabulary_is_reported(vocabulary, message):
    with pytest.raises(InputError, match=re.escape(message)):
        tc.TextVectorizer(vocabulary=vocabulary).fit(SOME)


def test_rows_can_be_read_back():
    fitted = vectorizer()
    X = fitted.fit_transform(SOME)
    expected = [["film", "lens"], ["1993", "film", "star"], ["000", "486", "moon"]]
    for rows in (X, sp.csc_array(X), sp.csr_matrix(X), X.toarray()):
        found = fitted.inverse_transform(rows)
        assert [each.tolist() for each in found[:3]] == expected
        assert len(found) == 4
    assert fitted.inverse_transform(X.toarray()[0])[0].tolist() == ["film", "lens"]
    assert fitted.inverse_transform(X[:0]) == []
    with pytest.raises(InputError, match="3 columns for 8 terms"):
        fitted.inverse_transform(np.ones((1, 3)))
    theirs = CountVectorizer().fit(SOME)
    for ours, other in zip(
        fitted.inverse_transform(X), theirs.inverse_transform(theirs.transform(SOME)), strict=True
    ):
        assert sorted(ours) == sorted(other)


def test_it_clones_with_everything_and_frames_can_be_had():
    full = vectorizer(
        vocabulary=["star", "film"],
        max_features=3,
        token_pattern=r"\w+",
        binary=True,
        numbers=False,
    )
    assert clone(full).get_params() == full.get_params()
    dense = clone(full).fit(SOME)
    assert dense.get_feature_names_out().tolist() == ["star", "film"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_features": 0}, "max_features must be a whole number of at least 1"),
        ({"numbers": "no"}, "numbers must be True or False"),
        ({"binary": 2}, "binary must be True or False"),
        ({"stop_words": 7}, "stop_words must be a language, the path of a file, a list"),
        ({"stop_words": ["the", 7]}, "stop_words must be a language, the path of a file, a list"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        vectorizer(**parameters).fit(SOME)
