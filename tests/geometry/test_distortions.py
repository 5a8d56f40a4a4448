"""Each distortion against its textbook definition, and the promises of the affine form."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import rel_entr

from tests.strategies import CONTAINERS, DISTORTIONS, counts, random_documents
from textclust import geometry
from textclust.errors import InputError
from textclust.geometry.affine import costs
from textclust.geometry.kernel import Readable, moments, nearest


def smoothed(distortion, x):
    alpha, d = distortion.smoothing, x.shape[-1]
    return (x + alpha / d) / (1 + alpha)


def slow_distance(distortion, x, mu):
    """The definition, one pair at a time; x as the distortion prepared it."""
    if distortion.name == "euclidean":
        return ((x - mu) ** 2).sum()
    if distortion.name == "cosine":
        return 1 - x @ mu
    point = smoothed(distortion, x)
    return (rel_entr(point, mu) - point + mu).sum()


def prepared(name, table, container=sp.csr_array):
    distortion = geometry.get(name)
    return distortion, distortion.prepare(container(table))


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X)


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("container", CONTAINERS)
@given(table=counts())
def test_affine_costs_are_the_distances_of_the_definition(name, container, table):
    distortion, X = prepared(name, table, container)
    k = min(3, len(table))
    labels = np.arange(len(table)) % k
    prototypes = distortion.prototypes(*moments(X, labels, np.ones(len(table)), k))

    table_of_costs = costs(X, distortion.affine(prototypes)) + distortion.own_costs(X)[:, None]

    slow = [[slow_distance(distortion, x, mu) for mu in prototypes] for x in dense(X)]
    np.testing.assert_allclose(table_of_costs, slow, atol=1e-9)


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(max_rows=5, max_columns=4), seed=st.integers(0, 99))
def test_no_other_prototype_is_better(name, table, seed):
    distortion, X = prepared(name, table)
    points = dense(X)[~distortion.without_direction(X)]
    assume(len(points) > 0)
    best = distortion.prototypes(points.sum(axis=0)[None], np.array([float(len(points))]))[0]

    def total(mu):
        return sum(slow_distance(distortion, x, mu) for x in points)

    rng = np.random.default_rng(seed)
    for _ in range(20):
        other = np.abs(best + rng.normal(0, 0.1, len(best))) + 1e-9
        if name == "cosine":
            other /= np.linalg.norm(other)
        if name == "kl":
            other /= other.sum()
        assert total(best) <= total(other) + 1e-9


def test_the_kl_prototype_is_where_an_optimiser_ends():
    distortion, X = prepared("kl", random_documents(6, 5, 0.6).toarray())
    points = dense(X)
    best = distortion.prototypes(points.sum(axis=0)[None], np.array([6.0]))[0]

    def total(logits):
        mu = np.exp(logits) / np.exp(logits).sum()
        return sum(slow_distance(distortion, x, mu) for x in points)

    found = minimize(total, np.zeros(5), tol=1e-12).x
    np.testing.assert_allclose(np.exp(found) / np.exp(found).sum(), best, atol=1e-5)


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(), sign=st.sampled_from([1, -1]))
def test_joined_is_the_energy_of_the_changed_cluster(name, table, sign):
    distortion, X = prepared(name, table)
    n, k = len(table), 2
    labels = np.arange(n) % k
    total, masses = (
        moments(X, labels, np.ones(n), k).sums,
        np.bincount(labels, minlength=k).astype(float),
    )

    energies = distortion.joined(X, np.full(n, float(sign)), total, masses)

    for i, x in enumerate(dense(X)):
        for h in range(k):
            if sign < 0 and (labels[i] != h or masses[h] == 1):
                continue
            changed, mass = (total[h] + sign * x)[None], masses[[h]] + sign
            assert energies[i, h] == pytest.approx(
                distortion.best(changed, mass).energies[0], abs=1e-7
            )


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(), seed=st.integers(0, 9))
def test_a_move_costs_what_joining_and_leaving_cost(name, table, seed):
    distortion, X = prepared(name, table)
    n, k, rng = len(table), 2, np.random.default_rng(seed)
    labels, weights = rng.integers(k, size=n), rng.uniform(0.1, 3.0, n)
    clusters = moments(X, labels, weights, k)

    moved = distortion.moved(X, weights, labels, clusters)

    without = distortion.joined(X, -weights, *clusters)[np.arange(n), labels]
    np.testing.assert_allclose(moved.joined, distortion.joined(X, weights, *clusters), atol=1e-7)
    np.testing.assert_allclose(moved.left, without, atol=1e-7)


@pytest.mark.parametrize("name", DISTORTIONS)
def test_cluster_energies_and_own_costs_add_up_to_the_distances(name):
    distortion, X = prepared(name, random_documents().toarray())
    n = X.shape[0]
    total, mass = moments(X, np.zeros(n, int), np.ones(n), 1).sums, np.array([float(n)])
    mu = distortion.prototypes(total, mass)[0]
    distances = sum(slow_distance(distortion, x, mu) for x in dense(X))
    together = distortion.best(total, mass).energies[0] + distortion.own_costs(X).sum()
    assert together == pytest.approx(distances)


def test_kl_on_two_hand_worked_documents():
    kl = geometry.DISTORTIONS["kl"](smoothing=0.0, floor=0.0)
    X = kl.prepare(np.array([[1.0, 1.0], [4.0, 0.0]]))
    mean = kl.prototypes(X.sum(axis=0)[None], np.array([2.0]))[0]
    np.testing.assert_allclose(mean, [0.75, 0.25])
    first = 0.5 * np.log(0.5 / 0.75) + 0.5 * np.log(0.5 / 0.25)
    second = np.log(1 / 0.75)
    found = costs(X, kl.affine(mean[None]))[:, 0] + kl.own_costs(X)
    np.testing.assert_allclose(found, [first, second])


def test_smoothing_anneals_to_its_floor_and_stays_there():
    kl = geometry.DISTORTIONS["kl"](smoothing=1.0, floor=0.2, cooling=0.5)
    assert kl.cooled().smoothing == 0.5
    assert kl.cooled().cooled().cooled().smoothing == 0.2
    assert kl.cooled().cooled().cooled().cooled() == kl.cooled().cooled().cooled()


def test_a_smoothed_kl_prototype_sums_to_one():
    distortion, X = prepared("kl", random_documents().toarray())
    mu = distortion.prototypes(dense(X).sum(axis=0)[None], np.array([float(X.shape[0])]))
    assert mu.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["kl", "i-divergence"])
def test_negative_values_are_refused_where_they_have_no_meaning(name):
    with pytest.raises(InputError, match="Negative values"):
        geometry.get(name).prepare(np.array([[1.0, -1.0]]))


def test_an_unknown_distortion_is_named_with_the_known_ones():
    with pytest.raises(InputError, match=r"euclidean, cosine, kl, i-divergence.*'hamming'"):
        geometry.get("hamming")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_preparing_keeps_the_type_and_shares_the_index_arrays(dtype):
    X = random_documents(dtype=dtype)
    unit = geometry.get("cosine").prepare(X)
    assert unit.dtype == dtype
    assert np.shares_memory(unit.indices, X.indices)
    lengths = np.sqrt(unit.multiply(unit).sum(axis=1))
    np.testing.assert_allclose(lengths, 1.0, rtol=1e-6)
    assert geometry.get("cosine").prepare(unit) is unit  # nothing to do, nothing copied


def test_nearest_in_small_blocks_is_nearest_at_once(monkeypatch):
    distortion, X = prepared("cosine", random_documents().toarray())
    form = distortion.affine(dense(X)[:7])
    whole = Readable(X).nearest(form)
    monkeypatch.setattr("textclust.geometry.kernel._TABLE_ENTRIES", 20)
    parts = Readable(X).nearest(form)
    for name in ("labels", "cost", "second", "second_cost"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))


def test_ties_fall_to_the_lowest_cluster():
    form = geometry.AffineForm(np.ones((3, 2)), np.zeros(3))
    found = nearest(np.ones((2, 2)), form)
    assert found.labels.tolist() == [0, 0]
    assert found.second.tolist() == [1, 1]
