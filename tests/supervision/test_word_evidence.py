"""Seed words that tell nothing of their class: which are set aside, and why."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from textclust.supervision.seed_words import SeedWords
from textclust.supervision.word_evidence import (
    LIKE_ALL,
    context_similarities,
    judged_by_company,
    spread_like_all,
)

NAMES = [f"t{column}" for column in range(44)]
GOOD = {"a": ["t0", "t1", "t2"], "b": ["t10", "t11", "t12"], "c": ["t20", "t21", "t22"]}


def topics(n=300, k=3, seed=0):
    """Documents of k topics, each with ten terms; t30 to t39 are anywhere, t40 in most of them.

    t41 is in two documents, t42 in a fifth of all.
    """
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    rates = np.full((k, 44), 0.1)
    for topic in range(k):
        rates[topic, 10 * topic : 10 * topic + 10] = 0.7
    rates[:, 40:] = 0.0
    X = rng.poisson(rates[truth]).astype(float)
    X[rng.random(n) < 0.8, 40] = 1.0
    X[:2, 41] = 1.0
    X[rng.random(n) < 0.2, 42] = 1.0
    return sp.csr_array(X), truth


def seed_words(words, X=None):
    X = topics()[0] if X is None else X
    return SeedWords.of(words, {name: column for column, name in enumerate(NAMES)}, X)


def rejected(words):
    found = seed_words(words)
    return {found.terms[term]: why for term, why in found.rejected.items()}


def slow_similarities(X, columns, held):
    """The definition, word by word."""
    rest = np.delete(X, columns, axis=1)
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    rest = np.divide(rest, lengths, where=lengths > 0, out=np.zeros_like(rest))
    contexts = [rest[row > 0].mean(axis=0) - rest.mean(axis=0) for row in held.T]
    return np.array(
        [[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a in contexts] for b in contexts]
    )


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_contexts_are_what_the_definition_says(kind):
    X = topics()[0].toarray()
    columns = np.array([3, 15, 31, 7])
    held = (X[:, columns] > 0).astype(float)
    found = context_similarities(kind(X), columns, sp.csc_array(held))
    np.testing.assert_allclose(found, slow_similarities(X, columns, held), atol=1e-9)


def test_good_words_are_all_used():
    assert rejected(GOOD) == {}


def test_a_word_of_another_class_is_set_aside():
    words = {**GOOD, "a": ["t0", "t1", "t2", "t15"]}
    assert rejected(words) == {"t15": "its documents are more like those of the words of b"}


def test_words_in_most_documents_or_in_hardly_any_are_set_aside():
    words = {**GOOD, "a": ["t0", "t1", "t40"], "b": ["t10", "t11", "t41"]}
    assert rejected(words) == {
        "t40": f"it is in {np.mean(topics()[0].toarray()[:, 40] > 0):.0%} of the documents",
        "t41": "only 2 of the documents have it",
    }
    assert "t41" not in rejected({**GOOD, "b": ["t41"]})  # it has no other


def test_words_that_have_nothing_in_common_are_all_set_aside():
    words = {"a": ["t0", "t13", "t25"], "b": ["t1", "t14", "t26"], "c": ["t2", "t15", "t27"]}
    reasons = rejected(words)
    assert reasons.keys() == {word for each in words.values() for word in each}
    assert set(reasons.values()) == {
        "words of a class have hardly more in common than words of different classes"
    }
    assert not seed_words(words).scores.any()


@given(st.permutations(range(9)))
def test_the_order_of_words_does_not_matter(order):
    similar = np.full((9, 9), -0.2)
    for topic in range(3):
        similar[3 * topic : 3 * topic + 3, 3 * topic : 3 * topic + 3] = 0.6
    np.fill_diagonal(similar, 1.0)
    classes = np.repeat([0, 1, 2], 3)
    classes[2] = 1  # one word is under another class
    order = np.array(order)
    found = judged_by_company(similar[np.ix_(order, order)], classes[order], 3)
    assert found.is_sound
    assert {int(order[word]): nearer for word, nearer in found.nearer.items()} == {2: 0}


def test_a_word_alone_is_compared_with_clusters():
    X, truth = topics()
    words = seed_words({"a": ["t42"], "b": ["t10", "t11"], "c": ["t20"]}, X)
    assert words.rejected == {}
    assert words.beside_clusters(truth).rejected == {0: LIKE_ALL}
    held = sp.csc_array(X.toarray()[:, [42, 0]] > 0, dtype=float)
    assert spread_like_all(held, truth).tolist() == [True, False]
    assert spread_like_all(held, np.zeros(len(truth), dtype=int)).tolist() == [True, True]


def test_poor_words_leave_the_clusters_that_are_found_without_them():
    X, _ = topics()
    words = {"a": ["t0", "t13", "t25"], "b": ["t1", "t14", "t26"], "c": ["t2", "t15", "t27"]}
    free = tc.GuidedClustering(3, random_state=0).fit(X)
    guided = tc.GuidedClustering(3, random_state=0).fit(X, seed_words=words, feature_names=NAMES)
    assert tc.metrics.nmi(free.labels_, guided.labels_) == pytest.approx(1.0)
    assert (guided.weak_labels_ == -1).all()
    assert guided.classes_ == ["a", "b", "c"]


def test_clusters_without_guidance_are_named_by_what_words_say():
    X, truth = topics()
    words = seed_words(GOOD, X)
    places = {"a": 0, "b": 1, "c": 2}
    assert words.best_order(places, (truth + 1) % 3, 3).tolist() == [1, 2, 0]
    assert words.best_order(places, truth, 4).tolist()[:3] == [0, 1, 2]


def test_few_documents_say_nothing_about_words():
    X, _ = topics(n=20)
    assert seed_words({"a": ["t0", "t13"], "b": ["t40"]}, X).rejected == {}


def test_the_outcome_says_what_was_set_aside(sample, tmp_path):
    words = {"bikes": ["bike", "wheel", "planet"], "stars": ["orbit", "telescope", "star"]}
    r = tc.cluster(sample, 3, seed_words=words)
    assert r.outcome.words.rejected == {
        "planet": "its documents are more like those of the words of stars"
    }
    assert r.outcome.notes() == [
        "1 seed word is set aside, as its documents are more like those of the words of stars: "
        "'planet' (bikes)"
    ]
    r.save(tmp_path / "model")
    assert tc.load(tmp_path / "model").outcome == r.outcome
    assert r.to_dict()["seed_words"]["rejected"] == r.outcome.words.rejected
    poor = {"a": ["bike", "lens"], "b": ["wheel", "planet"], "c": ["camera", "orbit"]}
    outcome = tc.cluster(sample, 3, seed_words=poor).outcome
    assert outcome.words.unused_classes == ["a", "b", "c"]
    assert (
        outcome.notes()[-1]
        == "No word is used of a, b, c: the clusters of these classes are a guess"
    )
