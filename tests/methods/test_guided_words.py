"""Guided clustering by words: from the estimator, beside seeds, links and a background."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.strategies import counts
from textclust.errors import InputError

NAMES = [f"t{column}" for column in range(40)]


def topics(n=120, k=3, seed=0):
    """Documents of k topics, each with ten terms of its own; the first of each are its words."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    rates = np.full((k, 40), 0.15)
    for topic in range(k):
        rates[topic, 10 * topic : 10 * topic + 10] = 0.6
    X = rng.poisson(rates[truth]).astype(float)
    X[0] = 0.0
    return sp.csr_array(X), truth


WORDS = {"a": ["t0", "t1", "t2"], "b": ["t10", "t11", "t12"], "c": ["t20", "t21", "t22"]}


def fitted(k=3, X=None, **given):
    X = topics()[0] if X is None else X
    model = tc.GuidedClustering(k, random_state=0)
    return model.fit(X, **{"feature_names": NAMES, "seed_words": WORDS, **given})


def test_clusters_are_those_of_the_words():
    X, truth = topics()
    model = fitted(X=X)
    assert model.classes_ == ["a", "b", "c"]
    assert (model.labels_[1:] == truth[1:]).mean() > 0.85
    assert model.accuracy_ is None  # the documents that words name are the clearest
    np.testing.assert_array_equal(fitted(X=X.toarray()).labels_, model.labels_)
    assert set(model.weak_labels_.tolist()) == {-1, 0, 1, 2}
    assert fitted(seed_words=None).weak_labels_ is None


def test_documents_that_words_name_may_leave_and_seeds_may_not():
    X, truth = topics()
    y = np.full(len(truth), None)
    wrong = int(np.flatnonzero(fitted(X=X).weak_labels_ == 0)[0])
    y[wrong] = "b"
    model = fitted(X=X, y=y)
    assert model.labels_[wrong] == 1
    assert model.weak_labels_[wrong] == -1
    about_a = X.toarray()
    about_a[3] = 0.0
    about_a[3, 3:10], about_a[3, 10:13] = 6.0, 5.0  # the words of b among many terms of a
    model = fitted(X=about_a)
    assert (model.weak_labels_[3], model.labels_[3]) == (1, 0)


def test_classes_without_words_and_words_without_seeds_go_together():
    X, truth = topics()
    y = [None] * len(truth)
    y[1], y[4] = "b", "b"
    model = fitted(X=X, y=y, seed_words={"a": WORDS["a"], "c": WORDS["c"]})
    assert model.classes_ == ["a", "b", "c"]
    assert (model.labels_[1:] == truth[1:]).mean() > 0.8


def test_more_clusters_than_classes_and_one_class_only():
    X, truth = topics()
    model = fitted(X=X, seed_words={"b": WORDS["b"]})
    assert model.classes_ == ["b", None, None]
    assert (truth[model.labels_ == 0] == 1).mean() > 0.8
    assert fitted(1, X=X, seed_words={"b": WORDS["b"]}).labels_.tolist() == [0] * len(truth)


def test_links_beside_words():
    X, _ = topics()
    named = fitted(X=X).weak_labels_
    one, other = (int(np.flatnonzero(named == h)[0]) for h in (0, 1))
    links = tc.Constraints(must_link=[(one, other)], weights=[1e6])
    model = fitted(X=X, constraints=links)
    assert model.labels_[one] == model.labels_[other]
    assert not model.violations_


def test_numbers_as_classes():
    X, truth = topics()
    y = np.full(len(truth), -1)
    y[[1, 2]] = 1, 2
    words = dict(enumerate(WORDS.values()))
    assert fitted(X=X, y=y, seed_words=words).classes_ == [0, 1, 2]
    with pytest.raises(InputError, match="by numbers and by strings"):
        fitted(X=X, y=y)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"feature_names": None}, "seed_words needs feature_names, one for each of 40 columns"),
        ({"feature_names": NAMES[:3]}, "needs feature_names, one for each of 40 columns; got 3"),
        ({"k": 2}, "3 classes among the seeds and words, but n_clusters=2"),
        ({"seed_words": {"a": ["zz"]}}, "no word of 'a' is a term"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        fitted(**given)


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@given(
    table=counts(min_rows=4),
    more=st.integers(0, 2),
    groups=st.lists(st.integers(-1, 2), min_size=8, max_size=8),
    seed=st.integers(0, 99),
)
def test_words_never_end_in_an_exception(table, more, groups, seed):
    names = [f"t{column}" for column in range(table.shape[1])]
    words = {}
    for name, group in zip(names, groups, strict=False):
        if group >= 0:
            words.setdefault("abc"[group], []).append(name)
    if not words:
        words = {"a": names[:1]}
    k = len(words) + more
    if k > len(table):
        return
    y = None if seed % 2 else [None] * (len(table) - 1) + ["a"]
    model = tc.GuidedClustering(max(k, len({*words, "a"})), n_init=1, random_state=seed)
    if model.n_clusters > len(table):
        return
    model.fit(sp.csr_array(table), y=y, seed_words=words, feature_names=names)
    assert model.labels_.shape == (len(table),)
    assert np.isfinite(model.predict_proba(table)).all()
