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
    euclidean = {"distortion": "euclidean"}
    seeded = tc.SeededKMeans(2, **euclidean).fit(X, y)
    assert seeded.labels_.tolist() == [1, 1, 1, 0, 0, 0]
    assert tc.ConstrainedKMeans(2, **euclidean).fit(X, y).labels_.tolist()[-1] == 1


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
    model = tc.SeededKMeans(2, distortion="euclidean").fit(X, [70, -1, 30, -1])
    assert model.labels_.tolist() == [1, 1, 0, 0]
    assert model.classes_ == [30, 70]


@pytest.mark.parametrize("kind", [tc.SeededKMeans, tc.ConstrainedKMeans])
@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["up", None, "along", None], ["along", "up", None]),
        (["up", -1, "along", -1], ["along", "up", None]),
        (np.array(["up", "-", "along", "-"], dtype=object), None),
        (np.array(["up", "along"] * 2), ["along", "up", None]),
        ([2, None, 0, None], [0, None, 2]),
        (np.array([5, np.nan, 3, np.nan], dtype=object), [3, 5, None]),
        (np.array([5, np.nan, 3, np.nan]), [3, 5, None]),
        (np.array(["up", -1, "along", -1]), ["along", "up", None]),
    ],
)
def test_seeds_may_be_strings_and_gaps_none(kind, y, classes):
    X = np.array([[0.0, 1.0], [0.1, 1.0], [5.0, 0.0], [5.0, 0.2]])
    model = kind(3, random_state=0).fit(X, y)
    if classes is None:  # "-" is a class like any other
        classes = ["-", "along", "up"]
    assert model.classes_ == classes
    if kind is tc.ConstrainedKMeans:
        gaps = (None, -1, "-1")
        known = [row for row, label in enumerate(y) if label not in gaps and label == label]
        assert [model.classes_[model.labels_[row]] for row in known] == [y[row] for row in known]


@pytest.mark.parametrize("dtype", ["string", "Int64", "object"])
def test_what_pandas_has_no_value_for_is_no_seed(dtype):
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    y = pandas.Series(["4", None, "3", None], dtype="string").astype(dtype)
    model = tc.ConstrainedKMeans(2).fit(np.array([[0.0, 1.0]] * 2 + [[1.0, 0.0]] * 2), y)
    assert list(map(str, model.classes_)) == ["3", "4"]
    assert model.labels_.tolist() == [1, 1, 0, 0]


def test_centres_serve_as_seeds():
    X = np.array([[0.0], [0.1], [9.0], [9.1]])
    centres = np.array([[8.0], [1.0]])
    model = tc.SeededKMeans(2, distortion="euclidean", init=centres).fit(X)
    assert model.labels_.tolist() == [0, 0, 1, 1]  # without seeds the largest comes first


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1, 2, -1], "3 classes among the seeds, but n_clusters=2"),
        ([0, 1], "one label for each of 4 documents"),
        ([0, -2, 1, 1], "-1 is unknown"),
        ([None, 1, "a", None], "strings and numbers"),
        ([None, [1], None, None], "label type"),
        ([0.5, 1, 0, 0], "whole numbers"),
        ([0, 1e300, -1, -1], "too large for a class"),
        ([0, np.inf, -1, -1], "too large for a class"),
        ([1j, 0, 0, 0], "whole numbers"),
    ],
)
def test_bad_seeds_are_reported(y, message):
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
