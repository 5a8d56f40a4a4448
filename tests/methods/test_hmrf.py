"""PC-KMeans and HMRF-KMeans against the papers, and what they promise."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st

import textclust as tc
from tests.engine.test_loop import descends, problem_of
from tests.methods import slow_hmrf as slow
from tests.strategies import counts, random_documents
from textclust.engine.loop import minimise
from textclust.engine.neighbourhood_starts import largest_neighbourhoods, neighbourhood_centroids
from textclust.engine.problem import Start
from textclust.errors import InputError
from textclust.supervision.potts import Potts

RNG = np.random.default_rng


def random_links(n, count, seed, weights=None):
    pairs = RNG(seed).choice([(i, j) for i in range(n) for j in range(i + 1, n)], count, False)
    half = count // 2
    return tc.Constraints(pairs[:half], pairs[half:], weights)


def consistent_links(truth, count, seed):
    rng = RNG(seed)
    pairs = [tuple(sorted(rng.choice(len(truth), 2, replace=False).tolist())) for _ in range(count)]
    same = [truth[i] == truth[j] for i, j in pairs]
    must = [p for p, s in zip(pairs, same, strict=True) if s]
    return tc.Constraints(must, [p for p, s in zip(pairs, same, strict=True) if not s])


@pytest.mark.parametrize("name", ["euclidean", "cosine"])
@pytest.mark.parametrize("entailed", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_it_settles_where_the_thesis_does(name, entailed, seed):
    table = random_documents(30, 12, 0.6, seed).toarray()
    X = table if name == "euclidean" else table / np.linalg.norm(table, axis=1, keepdims=True)
    links = consistent_links(RNG(seed).integers(3, size=30), 25, seed)
    model = tc.HMRFKMeans(
        3,
        distortion=name,
        weight=0.4,
        init="neighbourhoods",
        entailed=entailed,
        refine=False,
        tol=0.0,
        random_state=seed,
    ).fit(table, constraints=links)
    must, cannot = links.must_link, links.cannot_link
    if entailed:
        must, cannot = slow.closure(30, must, cannot)
    links = (must, cannot, 0.4, name)
    assert slow.settles(X, model.labels_, model.cluster_centers_, *links)
    expected = slow.energy(X, model.labels_, model.cluster_centers_, *links)
    assert model.objective_ == pytest.approx(expected)


@pytest.mark.parametrize("inference", ["icm", "bp", "lp"])
@pytest.mark.parametrize("name", ["euclidean", "cosine", "kl"])
@given(table=counts(), k=st.integers(1, 4), seed=st.integers(0, 99), weight=st.floats(0, 3))
def test_no_half_step_raises_the_energy(name, inference, table, k, seed, weight):
    n = len(table)
    assume(n >= max(k, 3))
    links = random_links(n, 3, seed, [weight + 0.1, 1.0, 2.0]).links
    problem = problem_of(table, name, k, interaction=Potts(links, inference))
    start = Start(labels=RNG(seed).integers(k, size=n))
    options = {"max_iter": 30, "tol": 0.0, "refine": True, "every_half_step": True}
    solution = minimise(problem, start, rng=RNG(seed), **options)
    assert descends(solution.history)


def test_only_what_is_linked_differs_from_the_nearest_cluster():
    X = random_documents(80, 40, seed=2)
    links = random_links(80, 12, seed=2)
    model = tc.HMRFKMeans(4, weight=5.0, random_state=0).fit(X, constraints=links)
    differ = np.flatnonzero(model.labels_ != model.predict(X))
    assert set(differ) <= set(links.links.documents.tolist())


def test_heavy_links_hold_and_light_ones_change_nothing():
    X = random_documents(60, 30, seed=4)
    free = tc.HMRFKMeans(3, random_state=0).fit(X)
    links = tc.Constraints(must_link=[(0, 1), (2, 3)], cannot_link=[(4, 5)])
    heavy = tc.HMRFKMeans(3, weight=100.0, random_state=0).fit(X, constraints=links)
    assert not links.violated(heavy.labels_).any()
    light = tc.HMRFKMeans(3, weight=1e-9, random_state=0).fit(X, constraints=links)
    assert light.objective_ == pytest.approx(free.objective_, rel=1e-3)


def test_the_price_of_a_link_grows_with_the_scale_of_the_documents():
    X = random_documents(60, 30, seed=6).toarray()
    links = random_links(60, 20, seed=6)
    solver = {"distortion": "euclidean", "init": "neighbourhoods", "random_state": 0}
    one = tc.HMRFKMeans(3, **solver).fit(X, constraints=links)
    ten = tc.HMRFKMeans(3, **solver).fit(10 * X, constraints=links)
    assert one.labels_.tolist() == ten.labels_.tolist()
    assert ten.objective_ == pytest.approx(100 * one.objective_)


def test_links_for_the_start_alone_leave_nearest_clusters():
    X = random_documents(60, 30, seed=7)
    links = random_links(60, 20, seed=7)
    model = tc.HMRFKMeans(3, use_constraints="init", random_state=0).fit(X, constraints=links)
    assert (model.link_prices_ == 0).all()
    assert all(violation.price == 0 for violation in model.violations_)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


@pytest.mark.parametrize("inference", ["icm", "bp", "lp"])
def test_same_links_same_result_whatever_the_threads_and_the_core(inference):
    from textclust import native

    X = random_documents(90, 120, seed=8)
    links = random_links(90, 40, seed=8)

    def fit(n_jobs=1):
        model = tc.HMRFKMeans(4, inference=inference, n_init=2, random_state=0, n_jobs=n_jobs)
        return model.fit(X, constraints=links).labels_.tolist()

    expected = fit()
    assert fit(2) == expected
    with native.without():
        assert fit() == expected


@pytest.mark.parametrize("name", ["euclidean", "cosine", "kl"])
@pytest.mark.parametrize("weight", ["auto", 0.02, 2.0])
@pytest.mark.parametrize("k", [3, 20])
def test_known_leads_change_no_label(name, weight, k, monkeypatch):
    from textclust.geometry.assignment import Assignment
    from textclust.geometry.screening import ScreenedAssignment

    X = random_documents(240, 60, 0.2, seed=k)
    links = random_links(240, 300, seed=9, weights=RNG(9).integers(1, 4, 300) / 2)
    importance = RNG(1).integers(0, 3, 240) / 2
    settings = {"distortion": name, "weight": weight, "init": "neighbourhoods", "n_init": 1}

    def fit():
        model = tc.HMRFKMeans(k, random_state=0, **settings)
        return model.fit(X, sample_weight=importance, constraints=links)

    found = fit()
    monkeypatch.setattr(ScreenedAssignment, "leads", Assignment.leads)
    whole = fit()
    np.testing.assert_array_equal(found.labels_, whole.labels_)
    assert found.objective_ == whole.objective_


def test_violations_are_reported_with_their_price():
    X = np.array([[0.0, 1.0], [0.0, 1.1], [9.0, 0.0], [9.0, 0.1]])
    links = tc.Constraints([(0, 2)], [(2, 3)], weights=[1.0, 2.0])
    model = tc.PCKMeans(2, weight=0.5, random_state=0).fit(X, constraints=links)
    found = [(v.left, v.right, v.kind, v.price) for v in model.violations_]
    assert found == [(0, 2, "must-link", 0.5), (2, 3, "cannot-link", 1.0)]
    assert tc.PCKMeans(2, random_state=0).fit(X).violations_ == ()


def test_farthest_neighbourhoods_are_weighted_by_their_size():
    """Three neighbourhoods for two clusters: a lone pair far out loses to a large one nearer."""
    X = np.concatenate([np.zeros((6, 1)), np.full((6, 1), 5.0), np.full((2, 1), 7.0)])
    links = [(i, i + 1) for i in range(13) if i not in (5, 11)]
    problem = problem_of(X, "euclidean", 2, interaction=Potts(tc.Constraints(links).links))
    sums, masses = neighbourhood_centroids(problem, RNG(0)).moments
    assert sorted((sums[:, 0] / masses).tolist()) == [0.0, 5.0]


def test_a_point_apart_from_every_neighbourhood_starts_the_next_cluster():
    X = np.array([[0.0], [0.0], [5.0], [5.0], [100.0], [50.0]])
    links = tc.Constraints([(0, 1), (2, 3)], [(5, 0), (3, 5), (4, 0)]).links
    problem = problem_of(X, "euclidean", 3, interaction=Potts(links))
    sums, masses = largest_neighbourhoods(problem, RNG(0)).moments
    assert sorted((sums[:, 0] / masses).tolist()) == [0.0, 5.0, 50.0]


def test_contradictions_are_borne():
    X = random_documents(30, 20, seed=9)
    links = tc.Constraints([(0, 1), (1, 2)], [(0, 2), (3, 4)])
    model = tc.HMRFKMeans(3, random_state=0).fit(X, constraints=links)
    assert len(model.violations_) >= 1


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (tc.Constraints([(0, 30)]), "the last of 30 rows is 29"),
        ([(0, 1)], "must be textclust.Constraints; got list"),
    ],
)
def test_constraints_on_other_documents_are_reported(constraints, message):
    with pytest.raises(InputError, match=message):
        tc.HMRFKMeans(3).fit(random_documents(30, 20), constraints=constraints)


def test_duplicates_zero_rows_and_one_cluster_survive_links():
    X = sp.vstack([random_documents(20, 10, seed=1), sp.csr_array((4, 10))], format="csr")
    links = tc.Constraints([(0, 20), (20, 21)], [(21, 1), (22, 23)])
    for k in (1, 2, 20):
        model = tc.HMRFKMeans(k, random_state=0).fit(X, constraints=links)
        assert np.isfinite(model.objective_)
        assert len(set(model.labels_.tolist())) == k


def planted_links(truth, count, wrong, seed):
    rng = RNG(seed)
    n = len(truth)
    pairs = rng.choice([(i, j) for i in range(n) for j in range(i)], count, replace=False)
    amiss = rng.random(count) < wrong
    same = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ amiss
    together = {tuple(pair) for pair in pairs[amiss].tolist()}
    return tc.Constraints(pairs[same], pairs[~same]), together


def topics(seed, n=90, d=60):
    """Documents of three kinds, of which many are hard to place."""
    rng = RNG(seed)
    truth = np.arange(n) % 3
    rates = np.full((n, d), 0.15)
    rates[np.arange(d) // 20 == truth[:, None]] = 0.35
    return sp.csr_array(rng.poisson(rates).astype(float)), truth


@cache
def fitted_to_wrong_links(seed, **settings):
    """A model of 500 links, a fifth of them wrong; the same to several tests."""
    X, truth = topics(seed)
    links, _ = planted_links(truth, 500, 0.2, seed)
    return tc.HMRFKMeans(3, random_state=0, **settings).fit(X, constraints=links)


@pytest.mark.parametrize("seed", range(3))
def test_robust_finds_the_wrong_links(seed):
    X, truth = topics(seed)
    links, wrong = planted_links(truth, 500, 0.2, seed)
    robust = fitted_to_wrong_links(seed, robust=True)
    unreliable = {
        pair
        for pair, price in zip(links.links.pairs(), robust.link_prices_, strict=True)
        if price == 0
    }
    assert len(unreliable & wrong) >= 0.7 * len(wrong)
    assert len(unreliable - wrong) <= 0.3 * len(wrong)
    again = tc.HMRFKMeans(3, robust=True, random_state=0).fit(X, constraints=links)
    assert again.labels_.tolist() == robust.labels_.tolist()


def test_robust_does_better_than_to_believe_wrong_links():
    ways = {"robust": {"robust": True}, "cautious": {}, "believing": {"weight": 1.0}}
    scores = {way: [] for way in ways}
    for seed in range(6):
        _, truth = topics(seed)
        for way, settings in ways.items():
            model = fitted_to_wrong_links(seed, **settings)
            scores[way].append(tc.metrics.nmi(truth, model.labels_))
    mean = {way: np.mean(found) for way, found in scores.items()}
    assert mean["robust"] > mean["cautious"] > mean["believing"]


def test_robust_leaves_right_links_alone():
    X, truth = topics(5)
    links, _ = planted_links(truth, 300, 0.0, seed=5)
    plain, robust = (
        tc.HMRFKMeans(3, robust=robust, random_state=0).fit(X, constraints=links)
        for robust in (False, True)
    )
    assert (robust.link_prices_ > 0).all()
    assert tc.metrics.nmi(plain.labels_, robust.labels_) > 0.9


def test_robust_ends_where_its_links_at_their_prices_do_not_move_it():
    X, truth = topics(2)
    links, _ = planted_links(truth, 200, 0.2, seed=2)
    model = tc.HMRFKMeans(3, robust=True, random_state=0).fit(X, constraints=links)
    trusted = links.times(model.link_prices_)
    again = tc.HMRFKMeans(3, weight=1.0, init=model.labels_, random_state=0)
    assert again.fit(X, constraints=trusted).labels_.tolist() == model.labels_.tolist()
    assert again.objective_ == pytest.approx(model.objective_)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            tc.HMRFKMeans(3, robust=True, use_constraints="init"),
            "robust=True needs use_constraints='both'",
        ),
        (
            tc.HMRFKMeans(3, robust=True, learn=True),
            "robust=True does not go with a learned metric",
        ),
        (tc.MPCKMeans(3, robust=True), "robust=True does not go with a learned metric"),
        (
            tc.HMRFKMeans(3, robust=True, emphasis=True),
            "emphasis=True and robust=True exclude each other",
        ),
        (tc.HMRFKMeans(3, learn=True, emphasis=True), "emphasis=True is for distortions that"),
        (tc.MPCKMeans(3, emphasis=True), "emphasis=True is for distortions that"),
        (tc.AdaptiveSSKernelKMeans(3, emphasis=True), "emphasis=True is for kernels that"),
    ],
)
def test_settings_that_exclude_one_another_are_named(model, message):
    X, truth = topics(1)
    with pytest.raises(InputError, match=message):
        model.fit(X, constraints=planted_links(truth, 20, 0.0, seed=1)[0])


@pytest.mark.parametrize("distortion", ["euclidean", "kl"])
def test_robust_knows_every_distortion_entailed_links_and_a_given_price(distortion):
    X, truth = topics(3)
    links, _ = planted_links(truth, 100, 0.1, seed=3)
    model = tc.HMRFKMeans(3, distortion=distortion, robust=True, entailed=True, random_state=0)
    assert np.isfinite(model.fit(X, constraints=links).objective_)
    priced = tc.HMRFKMeans(3, robust=True, weight=0.25, random_state=0).fit(X, constraints=links)
    assert 0.125 < priced.link_prices_.max() <= 0.25
