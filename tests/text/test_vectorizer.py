"""TextVectorizer: the weights of Basu 2005, section 2.5, worked by hand and checked at random."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

import textclust as tc
from tests.core import needs_core
from textclust import native
from textclust.errors import InputError
from textclust.text import weighting
from textclust.text.termspace import TermSpace

WORDS = ["bike", "wheel", "lens", "film", "star", "moon", "the", "and", "Bike", "x", "9mm"]
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), min_size=3, max_size=12
)


def slow_weights(texts, min_df, max_df, stop_words):
    """Section 2.5, one document and one term at a time."""
    tokens = [
        [t for t in text.lower().split() if len(t) > 1 and t not in stop_words] for text in texts
    ]
    frequency = Counter(term for words in tokens for term in set(words))
    n = len(texts)
    kept = sorted(t for t, df in frequency.items() if min_df <= df <= max_df * n)
    rows = []
    for words in tokens:
        row = [words.count(t) * math.log2(n / frequency[t]) for t in kept]
        length = math.sqrt(sum(weight**2 for weight in row))
        rows.append([weight / length if length else 0.0 for weight in row])
    return kept, np.array(rows)


def test_two_hand_worked_documents():
    vectorizer = tc.TextVectorizer(min_df=1, max_df=1.0)
    X = vectorizer.fit_transform(["lens lens film", "film star"])
    assert vectorizer.get_feature_names_out().tolist() == ["film", "lens", "star"]
    assert vectorizer.idf_.tolist() == [0.0, 1.0, 1.0]  # film is in every document
    assert X.toarray().tolist() == [[0, 1, 0], [0, 0, 1]]
    assert X.nnz == 2  # a weight of zero is not stored


@given(texts=TEXTS)
def test_weights_agree_with_the_slow_reference(texts):
    vectorizer = tc.TextVectorizer(min_df=2, max_df=0.95)
    kept, expected = slow_weights(texts, 2, 0.95, {"the", "and"})
    if not kept:
        with pytest.raises(InputError, match="no term"):
            vectorizer.fit_transform(texts)
        return
    X = vectorizer.fit_transform(texts)
    assert vectorizer.get_feature_names_out().tolist() == kept
    np.testing.assert_allclose(X.toarray(), expected, atol=1e-12)
    np.testing.assert_allclose(vectorizer.transform(texts).toarray(), expected, atol=1e-12)


@given(text=st.text(max_size=60))
def test_tokens_are_those_of_the_documented_pattern(text):
    ours = tc.TextVectorizer(stop_words=None, min_df=1, max_df=1.0)
    theirs = CountVectorizer().build_analyzer()
    assert list(ours._analyser()(text)) == theirs(text)


@pytest.mark.parametrize(
    ("n", "floor"), [(3, 1), (9, 1), (10, 2), (299, 2), (300, 3), (499, 4), (500, 5), (9999, 5)]
)
def test_the_floor_is_gentle_with_small_collections(n, floor):
    words = ["lens", "star"]
    texts = [words[i % 2] for i in range(n)]
    assert tc.TextVectorizer().fit(texts).min_df_ == floor


def test_an_explicit_floor_is_taken_at_its_word():
    with pytest.raises(InputError, match=r"in fewer than 5 texts.*lower min_df"):
        tc.TextVectorizer(min_df=5).fit(["red lens", "dark star", "dark lens"])


def test_frequent_terms_are_pruned_by_share_or_by_number():
    texts = ["lens film"] * 19 + ["lens star"]
    assert "lens" not in tc.TextVectorizer(min_df=1).fit(texts).vocabulary_
    assert "film" not in tc.TextVectorizer(min_df=1, max_df=18).fit(texts).vocabulary_


@pytest.mark.parametrize("texts", [["the and of", "to be or not to be"], ["same words"] * 5])
def test_nothing_left_is_reported_with_the_numbers(texts):
    with pytest.raises(InputError, match=r"no term that tells the \d+ texts apart is left"):
        tc.TextVectorizer().fit(texts)


def test_one_text_alone_cannot_be_told_from_anything():
    for texts in (["some words"], [""]):
        with pytest.raises(InputError, match="one document alone cannot be clustered"):
            tc.TextVectorizer().fit(texts)


def test_a_document_without_known_terms_is_a_row_of_zeros():
    vectorizer = tc.TextVectorizer().fit(["red lens", "dark star"])
    X = vectorizer.transform(["unheard-of", "", "dark lens"])
    assert np.diff(X.indptr).tolist() == [0, 0, 2]
    assert np.isfinite(X.data).all()
    assert vectorizer.transform(["unheard-of"]).shape == (1, 4)
    assert vectorizer.transform([]).shape == (0, 4)


def test_english_stop_words_are_in_the_package_and_other_languages_have_names():
    german = tc.TextVectorizer(stop_words="german", min_df=1).fit(["der rote Helm", "die Linse"])
    assert set(german.vocabulary_) == {"rote", "helm", "linse"}
    assert "the" not in tc.TextVectorizer(min_df=1).fit(["the lens", "star"]).vocabulary_
    assert (
        "the" in tc.TextVectorizer(stop_words=None, min_df=1).fit(["the lens", "star"]).vocabulary_
    )
    with pytest.raises(InputError, match=r"no stop words for 'klingon'.*german"):
        tc.TextVectorizer(stop_words="klingon").fit(["a b"])


def test_stems_are_shared_each_token_stemmed_once_and_readable(monkeypatch):
    from nltk.stem.snowball import SnowballStemmer

    seen = []

    class Counted(SnowballStemmer):
        def stem(self, token):
            seen.append(token)
            return SnowballStemmer("english").stem(token)

    monkeypatch.setattr("textclust.text.termspace.load_stemmer", Counted)
    texts = ["clustering clusters", "cluster of galaxies", "galaxy galaxies", "lens"]
    vectorizer = tc.TextVectorizer(stem=True, min_df=1).fit(texts)
    assert "cluster" in vectorizer.vocabulary_
    assert len(seen) == len(set(seen))
    assert vectorizer.transform(["galaxies, clustered"]).nnz == 2
    assert "galaxy" in vectorizer.readable_terms()  # its stem is galaxi


def test_a_language_goes_by_name_or_code():
    texts = ["die roten Häuser", "das rote Haus", "der Mond"]
    by_code = tc.TextVectorizer(stop_words="de", stem=True, min_df=1).fit(texts)
    by_name = tc.TextVectorizer(stop_words="german", stem="german", min_df=1).fit(texts)
    assert by_code.vocabulary_ == by_name.vocabulary_
    assert "hau" in "".join(by_code.vocabulary_)


def test_stemming_without_a_language_asks_for_one():
    with pytest.raises(InputError, match="stem=True needs a language"):
        tc.TextVectorizer(stem=True, stop_words=None).fit(["a b", "c d"])
    with pytest.raises(InputError, match="no stemmer for 'klingon'"):
        tc.TextVectorizer(stem="klingon").fit(["ab", "cd"])


def test_ngrams_and_custom_tokenizers():
    pairs = tc.TextVectorizer(ngram_range=(1, 2), min_df=1).fit(["red lens", "dark star"])
    assert "red lens" in pairs.vocabulary_
    letters = tc.TextVectorizer(tokenizer=list, min_df=1, stop_words=None).fit(["ab", "bc"])
    assert set(letters.vocabulary_) == {"a", "c"}  # b is in every text


def test_damped_frequencies():
    vectorizer = tc.TextVectorizer(sublinear_tf=True, min_df=1, max_df=1.0)
    X = vectorizer.fit_transform(["lens lens lens lens star", "moon"])
    assert X.toarray()[0].tolist() == pytest.approx([3 / math.sqrt(10), 0.0, 1 / math.sqrt(10)])


def test_counts_at_unit_length_without_idf():
    """The rows of Gao et al. 2005, 4.5; a term in every text counts like any other."""
    vectorizer = tc.TextVectorizer(use_idf=False, min_df=1, max_df=1.0)
    X = vectorizer.fit_transform(["lens lens lens star star star star", "star"])
    np.testing.assert_allclose(X.toarray(), [[0.6, 0.8], [0.0, 1.0]])
    np.testing.assert_allclose(vectorizer.transform(["lens"]).toarray(), [[1.0, 0.0]])
    assert vectorizer.idf_.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_have_unit_length_in_the_type_asked_for(dtype):
    X = tc.TextVectorizer(dtype=dtype).fit_transform(["red lens", "dark star", "red star"])
    assert X.dtype == dtype
    assert sp.issparse(X)
    assert X.format == "csr"
    assert X.indices.dtype == X.indptr.dtype == np.int32  # what scikit-learn takes
    np.testing.assert_allclose(np.sqrt((X**2).sum(axis=1)), 1.0, rtol=1e-6)


@pytest.mark.parametrize("stem", [None, True])
def test_processes_do_not_change_the_matrix(sample, stem):
    texts = tc.read_documents(sample).texts[::5]
    alone, together = tc.TextVectorizer(stem=stem), tc.TextVectorizer(stem=stem, n_jobs=2)
    assert (alone.fit_transform(texts) != together.fit_transform(texts)).nnz == 0
    assert alone.vocabulary_ == together.vocabulary_
    assert (alone.transform(texts) != together.transform(texts)).nnz == 0
    assert alone.readable_terms() == together.readable_terms()


def test_it_clones_and_works_in_a_pipeline():
    vectorizer = tc.TextVectorizer(min_df=1, stop_words=["red"])
    assert clone(vectorizer).get_params() == vectorizer.get_params()
    pipeline = make_pipeline(vectorizer, tc.SphericalKMeans(2, random_state=0))
    texts = ["lens film", "film lens flash", "star moon", "moon star sky"]
    labels = pipeline.fit_predict(texts)
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert pipeline.predict(["moon"])[0] == labels[2]


@pytest.mark.parametrize("texts", ["one string", [1, 2], [None]])
def test_what_is_not_a_list_of_texts_is_reported(texts):
    with pytest.raises(InputError, match="text"):
        tc.TextVectorizer().fit(texts)


def test_a_generator_of_texts_is_enough():
    X = tc.TextVectorizer(min_df=1).fit_transform(word for word in ("lens", "star", "moon"))
    assert X.shape == (3, 3)


def test_scikit_learn_takes_the_matrix(sample):
    from sklearn.cluster import KMeans

    vectorizer = tc.TextVectorizer(stem="english")
    texts = tc.read_documents(sample).texts
    for X in (vectorizer.fit_transform(texts), vectorizer.transform(texts)):
        assert KMeans(2, n_init=1, random_state=0).fit(X).labels_.shape == (225,)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"dtype": int}, "dtype must be float32 or float64"),
        ({"dtype": np.float16}, "dtype must be float32 or float64"),
        ({"ngram_range": 2}, "ngram_range must be two whole numbers"),
        ({"ngram_range": (2, 1)}, "ngram_range must be two whole numbers"),
        ({"min_df": 0}, "min_df must be a whole number"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        tc.TextVectorizer(**parameters).fit(["red lens", "dark star"])


@pytest.mark.parametrize("share", [0.5, np.float32(0.5), np.float64(0.5)])
def test_any_float_is_a_share(share):
    texts = ["lens film", "lens star", "lens moon", "film sky"]
    assert set(tc.TextVectorizer(min_df=1, max_df=share).fit(texts).vocabulary_) >= {"film", "star"}


def test_the_place_of_what_is_no_text_is_reported_whatever_the_processes():
    for n_jobs in (None, 2):
        with pytest.raises(InputError, match="text 3 is of type int"):
            tc.TextVectorizer(n_jobs=n_jobs).fit(["a b", "c d", "e f", 7])


@needs_core
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "parameters", [{}, {"sublinear_tf": True, "stem": True}, {"stop_words": None, "max_df": 1.0}]
)
def test_the_native_and_the_readable_path_agree_to_the_last_bit(sample, parameters, dtype):
    texts = [*tc.read_documents(sample).texts, "", "ÑANDÚ ñandú 中日 中日 𐐀𐐀", "ñandú 中日"]
    compiled, readable = (tc.TextVectorizer(dtype=dtype, **parameters) for _ in range(2))
    X = compiled.fit_transform(texts), compiled.transform(texts[::-1])
    with native.without():
        Y = readable.fit_transform(texts), readable.transform(texts[::-1])
    assert list(compiled.vocabulary_) == list(readable.vocabulary_)
    assert compiled.idf_.tobytes() == readable.idf_.tobytes()
    assert compiled.n_pruned_ == readable.n_pruned_
    assert compiled.readable_terms() == readable.readable_terms()
    for ours, theirs in zip(X, Y, strict=True):
        for array in ("data", "indices", "indptr"):
            assert getattr(ours, array).tobytes() == getattr(theirs, array).tobytes()
            assert getattr(ours, array).dtype == getattr(theirs, array).dtype


def test_rows_are_scaled_alike_in_blocks_of_any_size(sample, monkeypatch):
    texts = ["", *tc.read_documents(sample).texts, "", ""]
    whole = tc.TextVectorizer().fit_transform(texts)
    monkeypatch.setattr(weighting, "_BLOCK", 7)
    assert abs(whole - tc.TextVectorizer().fit_transform(texts)).max() < 1e-15


def test_a_vectorizer_is_a_scikit_learn_transformer():
    vectorizer = tc.TextVectorizer(min_df=1)
    with pytest.raises(NotFittedError):
        vectorizer.transform(["red lens"])
    X = vectorizer.fit_transform(["red lens", "dark star"])
    again = pickle.loads(pickle.dumps(vectorizer))
    assert (again.transform(["red lens", "dark star"]) != X).nnz == 0
    assert repr(vectorizer) == "TextVectorizer(min_df=1)"
    assert vectorizer.set_params(min_df=2).min_df == 2
    with pytest.raises(ValueError, match="sparse"):
        again.set_output(transform="pandas").transform(["red lens"])


def test_a_term_space_is_a_vectorizer_without_scikit_learn():
    program = (
        "import sys, scipy.sparse; before = set(sys.modules);"  # an old one imports more at once
        "from textclust.text.termspace import TermSpace;"
        "X = TermSpace(min_df=1).fit_transform(['red lens', 'dark star']); assert X.nnz == 4;"
        "heavy = {'sklearn', 'joblib', 'scipy.linalg', 'scipy.special'} - before;"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_term_space_and_a_vectorizer_are_the_same_but_for_the_name():
    texts = ["red lens", "dark star", "dark lens"]
    space, vectorizer = TermSpace(min_df=1), tc.TextVectorizer(min_df=1)
    with pytest.raises(InputError, match="this TermSpace is not fitted yet; call fit first"):
        space.readable_terms()
    assert (space.fit_transform(texts) != vectorizer.fit_transform(texts)).nnz == 0
    assert space.get_params() == vectorizer.get_params() == BaseEstimator.get_params(vectorizer)
    assert space.fitted_state() == vectorizer.fitted_state()
