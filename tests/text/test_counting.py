"""The tokeniser-counter: the tokens of the pattern, whatever the path, the threads, the batches."""

from __future__ import annotations

import re
import tarfile
import threading
from collections import Counter
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core import needs_core
from textclust import native
from textclust.errors import InputError
from textclust.text import native_counting
from textclust.text.analysis import TOKEN_PATTERN, Analyser
from textclust.text.counting import count_terms
from textclust.text.term_counts import index_type

PATHS = [pytest.param(nullcontext, marks=needs_core, id="native"), native.without]

LETTERS = "aAbZ09_ß.- \n\0éÉÿµªḰ\u0130\u0131\u017fſΣσςΑ\u0301\u0345١९Ⅷ½²中日𝒜𐐀😀\ud800\udfff"
TEXT = st.one_of(
    st.text(st.sampled_from(LETTERS), max_size=40),
    st.text(st.characters(max_codepoint=0xFF), max_size=40),
    st.text(st.characters(), max_size=40),
    st.text(st.characters(exclude_categories=()), max_size=40),  # surrogates too
)


def analyser(stop_words=(), lowercase=True, tokenize=None, ngram_range=(1, 1)):
    return Analyser(
        tokenize=tokenize,
        lowercase=lowercase,
        stop_words=frozenset(stop_words),
        ngram_range=ngram_range,
    )


def counts_of(texts, analyse, **parameters):
    """The counts of each text, by term, and all terms in order."""
    counts = count_terms(texts, analyse, **parameters)
    counts = counts.chosen(np.arange(len(counts.frequencies)))
    matrix, terms = counts.matrix, list(counts.vocabulary)
    assert matrix.has_canonical_format
    assert counts.frequencies.tolist() == np.bincount(matrix.indices, minlength=len(terms)).tolist()
    rows = [
        {terms[j]: int(matrix.data[i]) for i, j in enumerate(matrix.indices[a:b], a)}
        for a, b in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    ]
    return rows, terms


def expected_counts(texts, stop_words=(), lowercase=True):
    """The documented pattern itself."""
    found = [
        Counter(
            token
            for token in re.findall(TOKEN_PATTERN, text.lower() if lowercase else text)
            if token not in stop_words
        )
        for text in texts
    ]
    return found, sorted(set().union(*found))


@pytest.mark.parametrize("path", PATHS)
@given(
    texts=st.lists(TEXT, max_size=8),
    lowercase=st.booleans(),
    stop_words=st.sets(st.sampled_from(["ab", "AB", "zz", "éé", "中日", "", "a b", "\ud800"])),
)
@example(["İİ ſſ ΑΣ ΑΣΑ σς", "i̇i̇ ss ας", "ΟΔΟΣ", "𐐀𐐀 𝒜𝒜", "éÉ ÉÉ", "日éé"], True, {"éé"})
@example(["a\0b ab_ _ __ a1 \ud800\udfff xx\ud800"], True, set())
@example(["The THE the", "tHE"], False, {"The"})
def test_tokens_are_those_of_the_pattern(path, texts, lowercase, stop_words):
    with path():
        found = counts_of(texts, analyser(stop_words, lowercase))
    assert found == expected_counts(texts, stop_words, lowercase)


@needs_core
def test_every_character_there_is():
    characters = [chr(code) for code in range(0x110000)]
    texts = [
        "".join(f"x{c} {c}{c} " for c in characters[i : i + 999]) for i in range(0, 0x110000, 999)
    ]
    counts = count_terms(texts, analyser())
    with native.without():
        expected = count_terms(texts, analyser())
    kept = np.arange(len(counts.frequencies))
    found, wanted = counts.chosen(kept), expected.chosen(kept)
    assert found.vocabulary == wanted.vocabulary
    assert (found.matrix != wanted.matrix).nnz == 0


@needs_core
@given(texts=st.lists(st.one_of(TEXT, st.just("star moon " * 9)), max_size=12))
def test_threads_and_batches_change_nothing(texts):
    expected = expected_counts(texts)
    for threads in (1, 2, 5):
        for batch in (1, 40, 1 << 20):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(native_counting, "_BATCH", batch)
                assert counts_of(iter(texts), analyser(), n_jobs=threads) == expected


@needs_core
def test_many_terms_in_many_threads(monkeypatch):
    monkeypatch.setattr(native_counting, "_BATCH", 5000)
    rng = np.random.default_rng(0)
    texts = [" ".join(f"w{i}" for i in rng.zipf(1.2, 300) % 100_000) for _ in range(200)]
    expected = expected_counts(texts)
    for threads in (1, 2, 5):
        assert counts_of(texts, analyser(), n_jobs=threads) == expected


@pytest.mark.parametrize("path", PATHS)
def test_a_given_vocabulary_is_all_that_is_counted(path):
    vocabulary = {"moon": 0, "ñandú": 1, "the": 2, "two words": 3, "abend": 4}
    texts = ["Moon moon star the", "", "ÑANDÚ abend 中日", "star"]
    with path():
        counts = count_terms(texts, analyser(["the"]), vocabulary)
        matrix = counts.aligned(vocabulary)
    assert matrix.toarray().tolist() == [[2, 0, 0, 0, 0], [0] * 5, [0, 1, 0, 0, 1], [0] * 5]


@pytest.mark.parametrize("path", PATHS)
def test_names_that_meet_are_added_up(path):
    with path():
        counts = count_terms(["lens lenses", "lenses", "star"], analyser())
        counts = counts.renamed(lambda term: term[:4]).chosen(np.arange(2))
    assert counts.vocabulary == {"lens": 0, "star": 1}
    assert counts.matrix.toarray().tolist() == [[2, 0], [1, 0], [0, 1]]
    assert counts.frequencies.tolist() == [2, 1]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("texts", [[], [""], ["", "a . !", ""]])
def test_nothing_to_count_is_counted(path, texts):
    with path():
        assert counts_of(texts, analyser(["the"])) == ([{}] * len(texts), [])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("letter", ["x", "é", "中", "𐐀"])
def test_a_huge_token_is_one_term(path, letter):
    huge = letter * 300_000
    texts = [f"{huge} {huge}", f"{huge}{letter}", f"{huge} star"]
    with path():
        assert counts_of(texts, analyser()) == expected_counts(texts)


@pytest.mark.parametrize("path", PATHS)
def test_long_rows_are_in_order(path):
    rng = np.random.default_rng(0)
    words = [f"w{i:05}" for i in range(70_000)]
    texts = [" ".join(rng.permutation(words)[:size]) for size in (70_000, 49, 48, 3, 300)]
    with path():
        assert counts_of(texts, analyser()) == expected_counts(texts)


@needs_core
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_among_the_texts_ends_all_threads(monkeypatch, error):
    monkeypatch.setattr(native_counting, "_BATCH", 100)

    def texts():
        yield from ["star moon lens film"] * 200
        raise error("among the texts")

    before = threading.active_count()
    with pytest.raises(error, match="among the texts"):
        count_terms(texts(), analyser(), n_jobs=3)
    assert threading.active_count() == before


@needs_core
def test_few_texts_are_held_while_they_come(monkeypatch):
    monkeypatch.setattr(native_counting, "_BATCH", 100)
    alive = 0

    class Text(str):
        def __init__(self, _):
            nonlocal alive
            alive += 1

        def __del__(self):
            nonlocal alive
            alive -= 1

    most = 0

    def texts():
        nonlocal most
        for i in range(300):
            most = max(most, alive)
            yield Text(f"star{i} " * 20)

    assert count_terms(texts(), analyser(), n_jobs=2).n == 300
    assert most < 20


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_the_place_of_what_is_no_text_is_reported(path, n_jobs):
    with path(), pytest.raises(InputError, match="text 2 is of type bytes; every text must be"):
        count_terms(["ab cd", "ef", b"gh"], analyser(), n_jobs=n_jobs)


@needs_core
def test_ngrams_and_tokenizers_are_counted_the_readable_way(monkeypatch):
    monkeypatch.setattr("textclust.text.counting.count_natively", None)
    pairs = counts_of(["red lens"], analyser(ngram_range=(1, 2)))
    assert pairs == ([{"red": 1, "lens": 1, "red lens": 1}], ["lens", "red", "red lens"])
    assert counts_of(["ab"], analyser(tokenize=list)) == ([{"a": 1, "b": 1}], ["a", "b"])


@needs_core
def test_stop_words_that_are_no_words_harm_nobody():
    assert counts_of(["star the"], analyser([7, "the", None])) == ([{"star": 1}], ["star"])


def test_wide_row_ends_are_for_what_needs_them():
    assert index_type(2**31 - 1) is np.int32
    assert index_type(2**31) is np.int64


@pytest.fixture(scope="module")
def posts(data):
    """20 Newsgroups as it is in the archive, headers and all, every byte a character."""
    with tarfile.open(data / "20newsgroups.tar.gz") as archive:
        files = (archive.extractfile(member) for member in archive if member.isfile())
        return [file.read().decode("latin-1") for file in files]


@pytest.mark.parametrize("raw", [True, False], ids=["raw", "cleaned"])
def test_newsgroups_are_counted_as_scikit_learn_counts_them(data, posts, raw):
    from sklearn.feature_extraction.text import CountVectorizer

    from textclust.experiments.collections import collection
    from textclust.text.stopwords import stop_word_set

    texts = posts[::8] if raw else collection("20newsgroups").texts[::8]
    assert any(not text.isascii() for text in texts)
    peer = CountVectorizer(stop_words=sorted(stop_word_set("english")))
    expected = peer.fit_transform(texts)
    counts = count_terms(texts, analyser(stop_word_set("english")))
    counts = counts.chosen(np.arange(len(counts.frequencies)))
    assert list(counts.vocabulary) == peer.get_feature_names_out().tolist()
    assert counts.matrix.indptr.tolist() == expected.indptr.tolist()
    assert (counts.matrix != expected).nnz == 0


@needs_core
def test_counts_need_no_memory_of_their_own_where_the_system_has_none_left(monkeypatch):
    def none_left(*_):
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(native_counting, "mmap", none_left)
    assert counts_of(["lens star lens"], analyser()) == ([{"lens": 2, "star": 1}], ["lens", "star"])


@needs_core
def test_an_empty_stop_word_or_term_is_a_word_of_no_letters():
    """Without any letters before it, which the sanitizers of `make sanitized` look at."""
    tokens = native.module("tokens")
    assert len(tokens.TermTable(stop_words=[""])) == 0
    assert len(tokens.TermTable(vocabulary=[""])) == 1
