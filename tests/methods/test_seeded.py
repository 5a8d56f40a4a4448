"""Seeded-KMeans and Constrained-KMeans against the thesis, and at their edges."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import textclust as tc
from tests.methods import slow_hmrf as slow
from tests.strategies import counts, random_documents
from textclust.errors import InputError

RNG = np.random.default_rng
PAPER = {"init": "seeds", "n_init": 1, "refine": False, "tol": 0.0}


def some_seeds(n, k, per_class, seed):
    y = np.full(n, -1)
    chosen = RNG(seed).permutation(n)[: k * per_class]
    y[chosen] = np.repeat(np.arange(k), per_class)
    return y


@pytest.mark.parametrize("kind", [tc.SeededKMeans, tc.ConstrainedKMeans])
@pytest.mark.parametrize("seed", range(6))
def test_both_agree_with_the_thesis(kind, seed):
    X = random_documents(40, 12, 0.5, seed).toarray()
    y = some_seeds(40, 3, 4, seed)
    labels, centres = slow.seeded(X, y, 3, clamp=kind is tc.ConstrainedKMeans)
    assert len(set(labels.tolist())) == 3
    model = kind(3, distortion="euclidean", **PAPER).fit(sp.csr_array(X), y)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, centres)


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@given(table=counts(), k=st.integers(1, 4), seed=st.integers(0, 99))
def test_a_clamped_seed_never_moves(table, k, seed):
    n = len(table)
    assume(n >= k)
    y = RNG(seed).integers(-1, k, n)
    model = tc.ConstrainedKMeans(k, n_init=1, random_state=seed).fit(table, y)
    np.testing.assert_array_equal(model.labels_[y >= 0], y[y >= 0])


def test_seeds_may_move_but_cluster_numbers_stay_theirs():
    X = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    y = [1, -1, -1, 0, -1, 1]  # the last one is wrong
    assert tc.SeededKMeans(2).fit(X, y).labels_.tolist() == [1, 1, 1, 0, 0, 0]
    assert tc.ConstrainedKMeans(2).fit(X, y).labels_.tolist()[-1] == 1


@pytest.mark.parametrize("init", ["auto", "seeds", "lsa"])
@pytest.mark.parametrize("kind", [tc.SeededKMeans, tc.ConstrainedKMeans])
def test_clusters_without_seeds_are_found(kind, init):
    X = random_documents(120, 150, seed=3)
    y = np.full(120, -1)
    y[:5] = 2
    model = kind(4, distortion="cosine", init=init, random_state=0).fit(X, y)
    assert set(model.labels_.tolist()) == {0, 1, 2, 3}


def test_classes_beyond_k_are_numbered_in_their_order():
    X = np.array([[0.0], [0.1], [9.0], [9.1]])
    assert tc.SeededKMeans(2).fit(X, [70, -1, 30, -1]).labels_.tolist() == [1, 1, 0, 0]


def test_centres_serve_as_seeds():
    X = np.array([[0.0], [0.1], [9.0], [9.1]])
    model = tc.SeededKMeans(2, init=np.array([[8.0], [1.0]])).fit(X)
    assert model.labels_.tolist() == [0, 0, 1, 1]  # by size, equal ones by their first document


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1, 2, -1], "3 classes among the seeds, but n_clusters=2"),
        ([0, 1], "one label for each of 4 documents"),
        ([0, -2, 1, 1], "-1 is unknown"),
        (["a", "b", "a", "b"], "whole numbers"),
        ([0.5, 1, 0, 0], "whole numbers"),
        ([0, 1e300, -1, -1], "too large for a class"),
        ([0, np.inf, -1, -1], "too large for a class"),
        ([1j, 0, 0, 0], "whole numbers"),
    ],
)
def test_bad_seeds_are_told(y, message):
    with pytest.raises(InputError, match=message):
        tc.SeededKMeans(2).fit(np.eye(4), y)


def test_right_seeds_help():
    rng = RNG(1)
    truth = np.repeat(np.arange(3), 40)
    topics = rng.random((3, 200)) ** 6
    X = sp.csr_array(rng.poisson(topics[truth] * 2.0).astype(float))
    y = np.where(rng.random(120) < 0.2, truth, -1)
    blind = tc.SphericalKMeans(3, init="perturbed", random_state=0).fit(X)
    for kind in (tc.SeededKMeans, tc.ConstrainedKMeans):
        model = kind(3, distortion="cosine", random_state=0).fit(X, y)
        unseeded = y < 0
        found = tc.metrics.nmi(truth[unseeded], model.labels_[unseeded])
        assert found > 0.9
        assert found >= tc.metrics.nmi(truth[unseeded], blind.labels_[unseeded])
