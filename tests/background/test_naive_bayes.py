"""Naive Bayes: what its default makes of lengths, class sizes and confidence."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import normalize

import textclust as tc
from tests.background import slow_gao as slow
from tests.background.texts import bursty_texts
from tests.strategies import random_documents
from textclust.errors import InputError

RNG = np.random.default_rng
PLAIN = {"fit_prior": True, "normalize": False, "temperature": 1.0}


@given(seed=st.integers(0, 999))
def test_neither_lengths_nor_the_container_make_a_difference(seed):
    X, y = random_documents(30, 12, seed=seed), np.arange(30) % 3
    new = random_documents(20, 12, seed=seed + 1)
    expected = tc.NaiveBayesLabeller().fit(X, y).predict_proba(new)
    factors = RNG(seed).uniform(0.01, 50.0, 30)
    longer = sp.csr_array(sp.diags_array(factors) @ X)
    model = tc.NaiveBayesLabeller().fit(longer.toarray(), y)
    np.testing.assert_allclose(model.predict_proba(7.0 * new), expected, atol=1e-4)
    np.testing.assert_allclose(expected.sum(axis=1), 1.0)


def test_a_class_of_few_labelled_documents_is_not_unlikely_for_that():
    """On unit rows with a learned prior the largest class took nearly everything."""
    X, y, _ = bursty_texts(60, seed=1)
    old, known, _ = bursty_texts(30, seed=2, shares=(1.0, 0.2, 0.1))
    unit_old, unit = normalize(old), normalize(X)
    named = tc.NaiveBayesLabeller().fit(unit_old, known).predict_proba(unit).argmax(axis=1)
    learned = tc.NaiveBayesLabeller(temperature=1.0, fit_prior=True).fit(unit_old, known)
    assert (named != y).mean() < 0.1
    assert (learned.predict_proba(unit).argmax(axis=1) != y).mean() > 0.3


@pytest.mark.parametrize("normal", [False, True])
@pytest.mark.parametrize("prior", [False, True])
def test_each_document_is_left_out_as_if_it_had_not_been_there(normal, prior):
    X, y, _ = bursty_texts(8, seed=3, shares=(1.0, 1.5, 0.125), width=12)  # one class of one
    model = tc.NaiveBayesLabeller(0.3, fit_prior=prior, normalize=normal).fit(X, y)
    rows = normalize(X) if normal else X
    priors = np.bincount(y) / len(y) if prior else np.full(3, 1 / 3)
    losses = [
        slow.left_out_loss(rows.toarray(), y, 0.3, priors, t)
        for t in model.temperature_ * np.array([1.0, 0.99, 1.01])
    ]
    assert 0.01 < model.temperature_ < 100.0
    assert losses[0] == min(losses)


@pytest.mark.parametrize("scale", ["counts", "unit"])
def test_confidences_can_be_taken_at_their_word(scale):
    """Plain Bayes is too certain of counts, and not certain enough of rows of unit length."""
    old, known, _ = bursty_texts(40, seed=4)
    X, y, _ = bursty_texts(200, seed=5)
    if scale == "unit":
        old, X = normalize(old), normalize(X)
    off = []
    for model in (tc.NaiveBayesLabeller(), tc.NaiveBayesLabeller(**PLAIN)):
        said = model.fit(old, known).predict_proba(X)
        off.append(abs(said.max(axis=1).mean() - (said.argmax(axis=1) == y).mean()))
    assert off[0] < 0.06 < off[1]


def test_where_nothing_can_be_left_out_it_is_plain_bayes():
    for y in ([0, 1], [0, 0]):
        assert tc.NaiveBayesLabeller().fit([[1.0, 0.0], [0.0, 1.0]], y).temperature_ == 1.0
    apart = np.repeat(np.eye(2), 4, axis=0)
    said = tc.NaiveBayesLabeller().fit(apart, [0] * 4 + [1] * 4).predict_proba(apart)
    assert np.isfinite(said).all()
    assert 0.8 < said.max() < 1.0


def test_settings_that_make_no_sense_are_refused():
    for wrong in ({"smoothing": 0.0}, {"temperature": 0.0}, {"temperature": "hot"}):
        with pytest.raises(InputError, match="|".join(wrong)):
            tc.NaiveBayesLabeller(**wrong).fit([[1.0]], [0])
    with pytest.raises(InputError, match="naive Bayes needs counts"):
        tc.NaiveBayesLabeller().fit([[-1.0]], [0])
