"""SemiFuzzy against the paper and against a numerical optimiser."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import textclust as tc
from tests.background import slow_gao as slow
from tests.background.test_semihard import Says, topics
from tests.strategies import random_documents
from textclust.methods.semifuzzy import Pull, memberships

RNG = np.random.default_rng


class Believes(Says):
    """A labeller with confidences of its own."""

    def __init__(self, confidences):
        self.confidences = confidences

    def predict_proba(self, X):
        return self.confidences


@pytest.mark.parametrize("R", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_steps_are_those_of_the_paper(seed, R):
    X = random_documents(30, 7, 0.6, seed).toarray() + 0.1 * RNG(seed).random((30, 7))
    f = RNG(seed).dirichlet(np.full(3, 0.4), 30)
    known = f.max(axis=1) >= 0.6
    model = tc.SemiFuzzy(
        3,
        labeller=Believes(f),
        R=R,
        threshold=0.6,
        distortion="euclidean",
        init="confident",
        tol=0.0,
        max_iter=25,
    )
    model.fit(sp.csr_array(X), background=tc.Background(X[:3], [0, 1, 2]))
    start = np.array([X[known & (f.argmax(axis=1) == j)].mean(axis=0) for j in range(3)])
    w = model.cluster_weights_
    t, _ = slow.semi_fuzzy(X, start, f, known, w, R, model.n_iter_ + 1)
    np.testing.assert_allclose(model.memberships_, t, atol=1e-7)
    before = slow.semi_fuzzy(X, start, f, known, w, R, model.n_iter_)[1]
    np.testing.assert_allclose(model.cluster_centers_, before, atol=1e-7)
    assert model.objective_ == pytest.approx(slow.fuzzy_energy(X, before, t, f, known, w, R))
    pairs = itertools.pairwise(model.objective_history_)
    assert all(later <= earlier + 1e-9 for earlier, later in pairs)


@given(seed=st.integers(0, 10_000), k=st.integers(2, 5))
def test_memberships_are_where_the_energy_of_a_document_is_least(seed, k):
    rng = RNG(seed)
    costs, strengths = rng.gamma(1.0, 1.0, (1, k)), rng.gamma(1.0, 1.0, (1, k))
    f = rng.dirichlet(np.ones(k))[None, :]
    t = memberships(costs, Pull(strengths, f))

    def energy(free):
        point = np.append(free, 1.0 - free.sum())
        return float((point**2 * costs + strengths * (point - f) ** 2).sum())

    best = minimize(energy, np.full(k - 1, 1 / k), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(t[0, :-1], best.x, atol=1e-5)
    assert t.sum() == pytest.approx(1.0)
    assert t.min() >= 0


def test_without_a_background_it_is_fuzzy_c_means():
    X = np.concatenate([RNG(0).normal(0, 0.3, (20, 2)), RNG(1).normal(4, 0.3, (20, 2))])
    model = tc.SemiFuzzy(2, distortion="euclidean", random_state=0, tol=1e-12).fit(X)
    apart = ((X[:, None, :] - model.cluster_centers_) ** 2).sum(axis=2)
    expected = (1 / apart) / (1 / apart).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.memberships_, expected, atol=1e-6)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_a_very_large_price_leaves_the_confidences_of_the_labeller():
    X = random_documents(30, 7, 0.6, 3).toarray()
    f = RNG(4).dirichlet(np.ones(3), 30)
    model = tc.SemiFuzzy(3, labeller=Believes(f), R=1e9, threshold=0.0, distortion="euclidean")
    model.fit(X, background=tc.Background(X[:3], [0, 1, 2]))
    np.testing.assert_allclose(model.memberships_, f, atol=1e-6)


def test_a_document_on_a_prototype_belongs_there():
    t = memberships(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 1.0]]), Pull(*np.zeros((2, 2, 3))))
    np.testing.assert_allclose(t, [[1, 0, 0], [0.5, 0.5, 0]], atol=1e-9)


@pytest.mark.parametrize("labeller", ["naive-bayes", "nearest"])
def test_documents_come_out_in_the_classes_of_the_background(labeller):
    X, y = topics(20, seed=1)
    old = tc.Background(*topics(4, seed=2))
    model = tc.SemiFuzzy(3, labeller=labeller, random_state=0).fit(X, background=old)
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1.0)


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@given(seed=st.integers(0, 99), k=st.integers(1, 5))
def test_any_k_survives_rows_of_zeros_and_duplicates(seed, k):
    X = random_documents(12, 10, 0.4, seed).toarray()
    X[3], X[5] = 0.0, X[6]
    old = tc.Background(random_documents(8, 10, 0.4, seed + 1), np.arange(8) % 3)
    model = tc.SemiFuzzy(k, n_init=1, random_state=seed).fit(X, background=old)
    assert np.isfinite(model.memberships_).all()
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1.0)
    np.testing.assert_allclose(model.memberships_[5], model.memberships_[6])
