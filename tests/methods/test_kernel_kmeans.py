"""Kernel k-means with constraints, and its width, beside slow references."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import textclust as tc
from tests.methods import slow_kernel as slow
from tests.strategies import constraint_sets, random_documents
from textclust.errors import InputError
from textclust.geometry.similarity import NearestCosines
from textclust.methods.learners.kernel_width import WidthLearner, WidthObjective

POINTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=8, max_size=8)


def circles(rng, count=60):
    angles = rng.uniform(0, 2 * np.pi, 2 * count)
    radii = np.repeat([1.0, 3.0], count) + rng.normal(0, 0.1, 2 * count)
    X = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
    return X, np.repeat([0, 1], count)


def linked(y, rng, count):
    pairs = rng.integers(len(y), size=(count, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    return tc.Constraints(pairs[same], pairs[~same])


def graph(rng, n=14, density=0.5):
    table = np.triu(rng.random((n, n)) * (rng.random((n, n)) < density), 1)
    return table + table.T + 0.01 * (1 - np.eye(n))


@settings(max_examples=20, deadline=None)
@given(POINTS, constraint_sets())
def test_the_energy_is_that_of_the_paper_and_no_single_move_lowers_it(points, links):
    X, weight = np.array(points, dtype=float), 0.3
    settled = {"n_init": 2, "random_state": 0, "emphasis": False}  # which is not in the paper
    model = tc.SSKernelKMeans(2, width=2.0, weight=weight, **settled)
    labels = model.fit(X, constraints=links).labels_.tolist()
    K = slow.matrix(X, lambda x, y: slow.rbf(x, y, 2.0))
    weights = links.links.weights
    must = [p for p, w in zip(links.must_link, weights, strict=False) for _ in range(int(w))]
    later = weights[len(links.must_link) :]
    cannot = [p for p, w in zip(links.cannot_link, later, strict=True) for _ in range(int(w))]
    found = slow.objective(K, labels, must, cannot, weight)
    assert model.objective_ == pytest.approx(found)
    for i, cluster in itertools.product(range(len(X)), range(2)):
        moved = [cluster if j == i else label for j, label in enumerate(labels)]
        if len(set(moved)) == 2:
            assert slow.objective(K, moved, must, cannot, weight) >= found - 1e-3


@settings(max_examples=20, deadline=None)
@given(POINTS, constraint_sets(), st.floats(0.5, 5.0))
def test_j_and_its_slope_are_those_of_the_paper(points, links, width):
    X = np.array(points, dtype=float) + np.arange(8)[:, None] / 100
    labels = np.arange(8) % 3
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    plain = tc.Constraints(links.must_link, links.cannot_link)
    for references in (range(8), [2]):
        reference = np.bincount(list(references), minlength=8) / len(references)
        learner = WidthLearner(X, squares, np.ones(8), reference, plain.links)
        sought = WidthObjective(learner, labels, 3)
        settings = (plain.must_link, plain.cannot_link, width, references)
        expected = slow.adaptive_objective(X, labels.tolist(), *settings)
        assert sought.energy(width) == pytest.approx(expected)
        step = 1e-5
        rise = sought.energy(width + step) - sought.energy(width - step)
        assert sought.slope(width) == pytest.approx(rise / (2 * step), rel=1e-4, abs=1e-6)


def test_the_learned_energy_is_j_and_never_rises():
    rng = np.random.default_rng(0)
    X, y = circles(rng, 25)
    links = linked(y, rng, 40)
    model = tc.AdaptiveSSKernelKMeans(
        2, width=1.5, weight=1.0, init="neighbourhoods", n_init=1, random_state=0
    ).fit(X, constraints=links)
    settings = (links.must_link, links.cannot_link, model.width_, range(50))
    expected = slow.adaptive_objective(X, model.labels_.tolist(), *settings)
    assert model.objective_ == pytest.approx(expected)
    assert model.width_ != 1.5
    history = [*model.objective_history_, model.objective_]
    assert all(b <= a + 1e-9 * abs(a) for a, b in itertools.pairwise(history))


def test_two_pairs_on_a_line_by_hand():
    """K is 1 within and e^-2 between near points; J of two pairs is 2 (1 - e^-2)."""
    X = [[0.0], [2.0], [50.0], [52.0]]
    model = tc.SSKernelKMeans(2, width=1.0, random_state=0).fit(X)
    assert model.labels_.tolist() == [0, 0, 1, 1]
    assert model.objective_ == pytest.approx(2 * (1 - np.exp(-2.0)))
    np.testing.assert_allclose(model.cluster_centers_, [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    assert model.predict([[3.0], [40.0], [51.0]]).tolist()[::2] == [0, 1]


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "cosine", "rbf"])
def test_a_precomputed_kernel_gives_what_the_kernel_does(kernel):
    from sklearn.metrics.pairwise import pairwise_kernels

    X = random_documents(40, 12)
    settings = {"rbf": {"gamma": 0.5}, "polynomial": {"gamma": 1, "coef0": 1, "degree": 3}}
    K = pairwise_kernels(X, metric=kernel, **settings.get(kernel, {}))
    start = np.arange(40) % 3
    named = tc.SSKernelKMeans(3, kernel=kernel, width=1.0, init=start).fit(X)
    given_one = tc.SSKernelKMeans(3, kernel="precomputed", init=start).fit(K)
    sparse = tc.SSKernelKMeans(3, kernel="precomputed", init=start).fit(sp.csr_array(K))
    assert named.labels_.tolist() == given_one.labels_.tolist() == sparse.labels_.tolist()
    assert named.objective_ == pytest.approx(given_one.objective_)
    assert given_one.predict(K[:7]).tolist() == named.predict(X[:7]).tolist()


@pytest.mark.parametrize(
    ("cut", "slowly"), [("normalised", slow.normalised_cut), ("ratio", slow.ratio_cut)]
)
def test_cuts_are_kernel_kmeans_with_weights(cut, slowly):
    rng = np.random.default_rng(3)
    A = graph(rng)
    labels = [rng.integers(3, size=14) for _ in range(4)]
    labels = [np.where(np.arange(14) < 3, np.arange(14), each) for each in labels]
    found = [_energy_of(A, each, cut) for each in labels]
    cuts = [slowly(A, each) for each in labels]
    np.testing.assert_allclose(np.diff(found), np.diff(cuts), atol=1e-8)


def _energy_of(A, labels, cut):
    """The energy of labels that stay as they are: those of one cluster are all linked."""
    links = tc.Constraints.from_labels(labels)
    settings = {"kernel": "precomputed", "weight": 1e3, "init": labels, "refine": False}
    model = tc.SSKernelKMeans(3, cut=cut, **settings).fit(A, constraints=links)
    assert not model.violations_
    return model.objective_


@pytest.mark.parametrize("cut", [None, "normalised", "ratio"])
def test_the_energy_never_rises_where_the_kernel_has_negative_eigenvalues(cut):
    A = graph(np.random.default_rng(1), 40, 0.2)
    assert np.linalg.eigvalsh(A)[0] < -0.5
    for seed in range(3):
        settings = {"init": "k-means++", "n_init": 1, "random_state": seed}
        model = tc.SSKernelKMeans(4, kernel="precomputed", cut=cut, **settings).fit(sp.csr_array(A))
        history = [*model.objective_history_, model.objective_]
        assert all(b <= a + 1e-9 * (1 + abs(a)) for a, b in itertools.pairwise(history))
        assert np.isfinite(history).all()


def test_circles_are_told_apart_and_links_do_not_hurt():
    rng = np.random.default_rng(0)
    X, y = circles(rng)
    links = linked(y, rng, 60)
    assert tc.metrics.rand_index(y, tc.KMeans(2, random_state=0).fit(X).labels_) < 0.6
    for model in (
        tc.SSKernelKMeans(2, random_state=0),
        tc.AdaptiveSSKernelKMeans(2, random_state=0),
    ):
        fitted = model.fit(X, constraints=links)
        assert tc.metrics.rand_index(y, fitted.labels_) == 1.0
        assert (fitted.predict(X) == fitted.labels_).all()
        assert (fitted.predict(0.97 * X) == fitted.labels_).all()
    many = tc.SSKernelKMeans(2, n_landmarks=60, width=0.8, random_state=0).fit(X, constraints=links)
    assert tc.metrics.rand_index(y, many.labels_) == 1.0
    assert (many.predict(X) == many.labels_).mean() > 0.99


def test_the_graph_of_neighbours_is_symmetric_sparse_and_right():
    X = random_documents(50, 20)
    A = NearestCosines(X, 4).graph()
    unit = X.toarray() / np.linalg.norm(X.toarray(), axis=1)[:, None]
    cosines = unit @ unit.T - 2 * np.eye(50)
    assert abs(A - A.T).max() == 0
    assert (A.diagonal() == 0).all()
    assert 50 * 2 <= A.nnz <= 50 * 8
    for i in range(50):
        nearest = A[[i]].toarray().ravel()
        assert nearest.max() == pytest.approx(max(cosines[i].max(), 0.0))


def test_neighbours_find_topics_place_new_documents_and_survive_rows_of_zeros():
    blocks = sp.block_diag([random_documents(30, 12, 0.6, seed) for seed in range(3)])
    X = sp.vstack([blocks, sp.csr_array((2, 36))], format="csr")
    y = np.repeat(np.arange(3), 30)
    model = tc.SSKernelKMeans(3, kernel="neighbours", n_neighbors=8, random_state=0).fit(X)
    assert tc.metrics.rand_index(y, model.labels_[:90]) == 1.0
    assert (model.predict(X)[:90] == model.labels_[:90]).all()


def test_too_many_documents_are_reported_with_the_memory_they_would_need():
    X = sp.random_array((6000, 5), density=0.5, format="csr", random_state=np.random.default_rng(0))
    with pytest.raises(InputError, match=r"all 6000 documents would take 0.3 GB; set n_landmarks"):
        tc.SSKernelKMeans(3).fit(X)
    with pytest.raises(InputError, match=r"would take 0.9 GB"):
        tc.AdaptiveSSKernelKMeans(3).fit(X)


@pytest.mark.parametrize(
    ("parameters", "X", "message"),
    [
        ({"kernel": "sigmoid"}, np.eye(4), "kernel must be one of 'linear'"),
        ({"kernel": "precomputed"}, np.ones((4, 3)), "a row and a column for each document"),
        ({"kernel": "precomputed"}, np.triu(np.ones((4, 4))), "not symmetric"),
        ({"kernel": "linear", "cut": "normalised"}, np.diag([1, 2, -1, 3]) - 0.5, "of at least 0"),
        ({"n_landmarks": 3, "kernel": "neighbours"}, np.eye(4), "n_landmarks is for the kernels"),
        ({"kernel": "neighbours"}, np.eye(4), "no document is like any other"),
        ({"kernel": "precomputed", "cut": "normalised"}, np.zeros((5, 5)), "no document is like"),
        ({"kernel": "polynomial", "degree": 400}, 1e3 * np.eye(4), "too large for a number"),
        ({"width": 1e200}, np.eye(4), "at most 1e"),
        ({"width": 0.0}, np.eye(4), "width must be a number"),
        ({"init": np.ones((2, 7))}, np.eye(4), "2 centres of 4 features"),
    ],
)
def test_what_cannot_be_is_reported(parameters, X, message):
    with pytest.raises(InputError, match=message):
        tc.SSKernelKMeans(2, **parameters).fit(X)


def test_a_width_is_learned_beside_landmarks():
    rng = np.random.default_rng(0)
    X, y = circles(rng)
    model = tc.AdaptiveSSKernelKMeans(2, n_landmarks=100, random_state=0)
    found = model.fit(X, constraints=linked(y, rng, 60))
    assert tc.metrics.rand_index(y, found.labels_) == 1.0


def test_eigenvectors_of_few_documents_give_way_to_draws():
    X = np.repeat(np.eye(2), 3, axis=0)
    labels = tc.SSKernelKMeans(2, init="spectral", random_state=0).fit(X).labels_
    assert labels.tolist() in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])
