"""Each distortion against its textbook definition, and the promises of the affine form."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import rel_entr
from sklearn.exceptions import ConvergenceWarning

import textclust as tc
from tests.geometry.moving import check_a_move_costs_what_joining_and_leaving_cost
from tests.strategies import CONTAINERS, DISTORTIONS, counts, random_documents
from textclust import geometry
from textclust.errors import InputError
from textclust.geometry.affine import costs
from textclust.geometry.assignment import moments, nearest
from textclust.geometry.capabilities import without_direction
from textclust.geometry.energies import optimum


def smoothed(distortion, x):
    alpha, prior = distortion.smoothing, distortion.prior_value(x.shape[-1])
    return (x + alpha * prior) / (1 + alpha)


def slow_distance(distortion, x, mu):
    """The definition, one pair at a time; x as the distortion prepared it."""
    if distortion.name == "euclidean":
        return ((x - mu) ** 2).sum()
    if distortion.name == "cosine":
        return 1 - x @ mu
    point = smoothed(distortion, x)
    if distortion.name == "itakura-saito":
        return (point / mu - np.log(point / mu) - 1).sum()
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
    points = dense(X)[~without_direction(distortion, X)]
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
                optimum(distortion, changed, mass).energies[0], abs=1e-7
            )


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(), seed=st.integers(0, 9))
def test_a_move_costs_what_joining_and_leaving_cost(name, table, seed):
    distortion, X = prepared(name, table)
    check_a_move_costs_what_joining_and_leaving_cost(distortion, X, 2, seed)


@pytest.mark.parametrize("name", DISTORTIONS)
def test_cluster_energies_and_own_costs_add_up_to_the_distances(name):
    distortion, X = prepared(name, random_documents().toarray())
    n = X.shape[0]
    total, mass = moments(X, np.zeros(n, int), np.ones(n), 1).sums, np.array([float(n)])
    mu = distortion.prototypes(total, mass)[0]
    distances = sum(slow_distance(distortion, x, mu) for x in dense(X))
    together = optimum(distortion, total, mass).energies[0] + distortion.own_costs(X).sum()
    assert together == pytest.approx(distances)


def test_kl_on_two_hand_worked_documents():
    kl = geometry.distortion_class("kl")(smoothing=0.0, floor=0.0)
    X = np.array([[0.5, 0.5], [1.0, 0.0]])
    mean = kl.prototypes(X.sum(axis=0)[None], np.array([2.0]))[0]
    np.testing.assert_allclose(mean, [0.75, 0.25])
    first = 0.5 * np.log(0.5 / 0.75) + 0.5 * np.log(0.5 / 0.25)
    second = np.log(1 / 0.75)
    found = costs(X, kl.affine(mean[None]))[:, 0] + kl.own_costs(X)
    np.testing.assert_allclose(found, [first, second])


def test_smoothing_anneals_to_its_floor_and_stays_there():
    kl = geometry.distortion_class("kl")(smoothing=1.0, floor=0.2, cooling=0.5)
    assert kl.cooled().smoothing == 0.5
    assert kl.cooled().cooled().cooled().smoothing == 0.2
    assert kl.cooled().cooled().cooled().cooled() == kl.cooled().cooled().cooled()


def test_a_smoothed_kl_prototype_sums_to_one():
    distortion, X = prepared("kl", random_documents().toarray())
    mu = distortion.prototypes(dense(X).sum(axis=0)[None], np.array([float(X.shape[0])]))
    assert mu.sum() == pytest.approx(1.0)


def test_itakura_saito_on_two_hand_worked_documents():
    plain = geometry.ItakuraSaito(smoothing=0.0, floor=0.0)
    X = plain.prepare(np.array([[1.0, 8.0], [3.0, 2.0]]))
    mean = plain.prototypes(X.sum(axis=0)[None], np.array([2.0]))[0]
    np.testing.assert_allclose(mean, [2.0, 5.0])
    first = (1 / 2 - np.log(1 / 2) - 1) + (8 / 5 - np.log(8 / 5) - 1)
    second = (3 / 2 - np.log(3 / 2) - 1) + (2 / 5 - np.log(2 / 5) - 1)
    found = costs(X, plain.affine(mean[None]))[:, 0] + plain.own_costs(X)
    np.testing.assert_allclose(found, [first, second])


def test_itakura_saito_of_a_smoothed_zero_by_hand():
    """alpha = 1 towards p = 3: the zero becomes 3/2, the 6 becomes 9/2, their mean is 3."""
    smooth = geometry.ItakuraSaito(smoothing=1.0, floor=1.0)
    X = sp.csr_array(np.array([[0.0], [6.0]]))
    smooth = smooth.fitted(X, np.ones(2))
    assert smooth.prior == 3.0
    mean = smooth.prototypes(np.array([[6.0]]), np.array([2.0]))
    assert mean.tolist() == [[3.0]]
    found = costs(X, smooth.affine(mean))[:, 0] + smooth.own_costs(X)
    np.testing.assert_allclose(found, [0.5 - np.log(0.5) - 1, 1.5 - np.log(1.5) - 1])


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_itakura_saito_does_not_depend_on_the_unit(scale):
    X = random_documents(60, 30)
    plain, scaled = (
        tc.KMeans(3, distortion="itakura-saito", random_state=0).fit(x) for x in (X, X * scale)
    )
    assert plain.labels_.tolist() == scaled.labels_.tolist()
    assert plain.objective_ == pytest.approx(scaled.objective_)


@pytest.mark.parametrize("name", ["kl", "i-divergence", "itakura-saito"])
def test_zeros_are_refused_without_smoothing(name):
    plain = geometry.get(name, smoothing=0.0)
    for table in (np.array([[1.0, 0.0]]), sp.csr_array(np.array([[1.0, 0.0]]))):
        with pytest.raises(InputError, match=r"Zeros in data.*floor above 0"):
            plain.prepare(table)


@given(table=counts(max_rows=8, max_columns=5), k=st.integers(1, 3), seed=st.integers(0, 9))
def test_itakura_saito_finds_no_worse_than_a_slow_lloyd(table, k, seed):
    """Plain alternation, one document and one term at a time, rests where it is put to rest."""
    k = min(k, len(table))
    start = np.random.default_rng(seed).permutation(np.arange(len(table)) % k)
    model = tc.KMeans(k, distortion="itakura-saito", init=start, refine=False, tol=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(sp.csr_array(table))
    prior, alpha = table.mean(), 1.0
    points = (table + alpha * prior) / (1 + alpha)
    energy = 0.0
    for x, h in zip(points, model.labels_, strict=True):
        each = [
            sum(v / m - np.log(v / m) - 1 for v, m in zip(x, mu, strict=True))
            for mu in model.cluster_centers_
        ]
        assert each[h] <= min(each) + 1e-9
        energy += each[h]
    assert model.objective_ == pytest.approx(energy, abs=1e-9)
    for h in range(k):
        if (model.labels_ == h).any() and model.n_iter_ < 200:
            own = points[model.labels_ == h].mean(axis=0)
            np.testing.assert_allclose(model.cluster_centers_[h], own, atol=1e-9)


@pytest.mark.parametrize("name", ["kl", "i-divergence", "itakura-saito"])
def test_smoothing_can_be_set_by_name(name):
    found = geometry.get(name, smoothing=20.0)
    assert (found.smoothing, found.floor) == (20.0, 20.0)
    assert geometry.get(name, smoothing=0.5).floor == 0.5
    with pytest.raises(InputError, match="smoothing is for the distortions kl, i-divergence"):
        geometry.get("cosine", smoothing=0.5)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"smoothing": -1.0}, "at least 0"),
        ({"cooling": 1.0}, "between 0 and 1"),
        ({"floor": 0.0}, "floor must be above 0, or 0 like smoothing"),
    ],
)
def test_a_smoothing_that_makes_no_sense_is_refused(setting, message):
    with pytest.raises(InputError, match=message):
        geometry.KL(**setting)


@pytest.mark.parametrize("name", [*geometry.DISTORTIONS, *geometry.LEARNED])
def test_a_distortion_is_registered_under_its_own_name(name):
    assert geometry.distortion_class(name).name == name


@pytest.mark.parametrize("name", ["kl", "i-divergence", "itakura-saito"])
def test_negative_values_are_refused_where_they_have_no_meaning(name):
    with pytest.raises(InputError, match="Negative values"):
        geometry.get(name).prepare(np.array([[1.0, -1.0]]))


def test_an_unknown_distortion_is_named_with_the_known_ones():
    with pytest.raises(
        InputError, match=r"euclidean, cosine, kl, i-divergence, itakura-saito.*'hamming'"
    ):
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
    whole = nearest(X, form)
    monkeypatch.setattr("textclust.geometry.assignment._TABLE_ENTRIES", 20)
    parts = nearest(X, form)
    for name in ("labels", "cost", "second", "second_cost"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))


def test_ties_fall_to_the_lowest_cluster():
    form = geometry.AffineForm(np.ones((3, 2)), np.zeros(3))
    found = nearest(np.ones((2, 2)), form)
    assert found.labels.tolist() == [0, 0]
    assert found.second.tolist() == [1, 1]
