"""Weights of terms for each cluster, under the cosine and KL, against J written out slowly."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import textclust as tc
from tests.learners.descent import RANDOM_PROBLEMS, run, run_and_check_descent
from tests.learners.test_cosine import LINKS, cosine
from tests.learners.test_divergence import divergence, rows_of, scatter, smoothed
from tests.strategies import CONTAINERS, counts, random_documents
from textclust import geometry
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.affine import costs
from textclust.geometry.assignment import moments
from textclust.geometry.capabilities import cold
from textclust.geometry.clusterwise_cosine import ClusterwiseCosine
from textclust.geometry.clusterwise_divergence import ClusterwiseKL
from textclust.geometry.energies import joining_costs, optimum
from textclust.methods.learners.cosine import CosineLearner
from textclust.methods.learners.divergence import DivergenceLearner

RNG = np.random.default_rng
NAMES = pytest.mark.parametrize("name", ["cosine", "kl", "i-divergence"])


def halves_of(links, labels):
    """Each broken link with its weight, and the clusters that pay half of it each."""
    count = len(links.must_link)
    for (i, j), weight in zip(links.must_link, links.weights[:count], strict=True):
        if labels[i] != labels[j]:
            yield i, j, True, weight, (labels[i], labels[j])
    for (i, j), weight in zip(links.cannot_link, links.weights[count:], strict=True):
        if labels[i] == labels[j]:
            yield i, j, False, weight, (labels[i], labels[j])


def slow_cosine(X, labels, links, A):
    total = sum(((a**2 - 1) / 2 - np.log(a)).sum() for a in A)
    for h in set(labels.tolist()):
        a, rows = A[h], X[labels == h]
        units = [np.sqrt(a) * x / np.sqrt((a * x) @ x) for x in rows]
        centre = np.sum(units, axis=0) / np.sqrt(a)
        total += sum(1 - cosine(x, centre, a) for x in rows)
    for i, j, must, weight, clusters in halves_of(links, labels):
        for h in clusters:
            near = cosine(X[i], X[j], A[h])
            total += weight / 2 * (1 - near if must else near)
    return total


def slow_divergence(X, labels, links, A):
    whole, n = scatter(X, np.zeros(len(X), dtype=int)), len(X)
    total = 0.0
    for h in set(labels.tolist()):
        inside = labels == h
        own = np.zeros(inside.sum(), dtype=int)
        total += A[h] @ scatter(X[inside], own) - inside.sum() / n * whole @ np.log(A[h])
    for i, j, must, weight, clusters in halves_of(links, labels):
        middle = (X[i] + X[j]) / 2
        apart = divergence(X[i], middle) + divergence(X[j], middle)
        price = apart if must else np.log(2) * (X[i] + X[j]) - apart
        total += sum(weight / 2 * A[h] @ price for h in clusters)
    return total


def slow(name, X, labels, links, A):
    if name == "cosine":
        return slow_cosine(X, labels, links, A)
    return slow_divergence(rows_of(name, X), labels, links, A)


def problem_of(name, table, k=2, links=None, local=True, inference="icm"):
    distortion = geometry.get(name)
    plain = Problem(distortion.prepare(sp.csr_array(table)), distortion, k, np.ones(len(table)))
    learner = CosineLearner if name == "cosine" else DivergenceLearner
    return learner.problem(plain, None if links is None else links.links, inference, local)


@NAMES
@pytest.mark.parametrize("inference", ["icm", "bp", "lp"])
def test_the_energy_is_the_objective(name, inference):
    X = random_documents(30, 12, 0.6).toarray()
    problem = problem_of(name, X, 3, LINKS, inference=inference)
    found = run(problem, RNG(0).integers(3, size=30))
    A = found.distortion.weights
    assert A.shape == (3, 12)
    assert np.ptp(A, axis=0).max() > 0.01  # clusters have learned different weights
    assert found.energy == pytest.approx(slow(name, X, found.labels, LINKS, A))


@NAMES
@RANDOM_PROBLEMS
def test_no_half_step_raises_the_energy(name, table, k, links, seed, refine):
    found = run_and_check_descent(problem_of(name, table, k, links), seed, refine)
    assert (found.distortion.weights > 0).all()


@NAMES
def test_with_one_cluster_it_is_the_same_as_weights_for_all(name):
    X = random_documents(20, 8, 0.6).toarray()
    links = tc.Constraints([], LINKS.cannot_link)
    y = np.zeros(20, dtype=int)
    local, all_ = (problem_of(name, X, 1, links, kind) for kind in (True, False))
    if name != "cosine":
        all_ = all_.learned(cold(all_.distortion), all_.interaction)
    one = local.learner.learn(local, Partition(local, y)).distortion.weights
    other = all_.learner.learn(all_, Partition(all_, y)).distortion.weights
    np.testing.assert_allclose(one[0], other)


@pytest.mark.parametrize("name", ["kl", "i-divergence"])
def test_the_weights_are_where_an_optimiser_ends(name):
    X, y = random_documents(30, 6, 0.6).toarray(), RNG(1).integers(2, size=30)
    problem = problem_of(name, X, 2, LINKS)
    learned = problem.learner.learn(problem, Partition(problem, y)).distortion.weights

    def objective(logs):
        return slow(name, X, y, LINKS, np.exp(logs).reshape(2, 6))

    found = minimize(objective, np.zeros(12), method="L-BFGS-B", options={"maxiter": 2000})
    np.testing.assert_allclose(learned.ravel(), np.exp(found.x), rtol=1e-2)


def test_the_gradient_of_each_cluster_is_how_the_objective_changes():
    X, y = random_documents(20, 6, 0.6).toarray(), RNG(1).integers(3, size=20)
    problem = problem_of("cosine", X, 3, LINKS)
    for h in range(3):
        gradient = problem.learner._measure(problem, y, h).gradient(np.ones(6))
        for m in range(6):
            nudge = np.ones((3, 6))
            nudge[h, m] = np.exp(1e-6)
            up, down = (slow_cosine(X, y, LINKS, nudge**sign) for sign in (1.0, -1.0))
            assert gradient[m] == pytest.approx((up - down) / 2e-6, abs=1e-5)


def test_a_hand_solved_pair_of_clusters_under_kl():
    # In cluster 0 the documents agree in every term, so its weights rise to the ceiling of 100;
    # those of cluster 1 are its share of the scatter in all by its own scatter.
    X = np.array([[2.0, 2.0, 0.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0], [0.0, 1.0, 3.0]])
    y = np.array([0, 0, 1, 1])
    problem = problem_of("kl", X)
    learned = problem.learner.learn(problem, Partition(problem, y)).distortion.weights
    np.testing.assert_allclose(learned[0], 100.0)
    rows = rows_of("kl", X)
    whole, own = scatter(rows, np.zeros(4, dtype=int)), scatter(rows[2:], np.zeros(2, dtype=int))
    np.testing.assert_allclose(learned[1], whole / 2 / own)


@pytest.mark.parametrize("container", CONTAINERS)
@given(table=counts(), seed=st.integers(0, 9))
def test_costs_and_joined_energies_are_those_of_the_definition(container, table, seed):
    table = table + (table.sum(axis=1, keepdims=True) == 0)  # a row of zeros has no cosine
    n, d = table.shape
    A, labels = RNG(seed).uniform(0.1, 5.0, (2, d)), np.arange(n) % 2
    for distortion in (
        ClusterwiseCosine(A, 0.7),
        ClusterwiseKL(0.3, 0.3, weights=A, tolls=np.array([0.7, -0.2])),
    ):
        X = distortion.prepare(container(table))
        clusters = moments(X, labels, np.ones(n), 2)
        prototypes = distortion.prototypes(*clusters)
        found = costs(X, distortion.affine(prototypes)) + distortion.own_costs(X)[:, None]
        if isinstance(distortion, ClusterwiseCosine):
            raw = prototypes / np.sqrt(A)
            expected = [[1.7 - cosine(x, raw[h], A[h]) for h in range(2)] for x in table]
        else:
            dense = smoothed(rows_of("kl", table), 0.3)
            tolls = distortion.tolls
            expected = [
                [A[h] @ divergence(x, prototypes[h]) + tolls[h] for h in range(2)] for x in dense
            ]
        np.testing.assert_allclose(found, expected, atol=1e-9)
        joined = distortion.joined(X, np.ones(n), *clusters)
        added = joining_costs(distortion, X, np.ones(n), labels, clusters)
        elsewhere = np.arange(2) != labels[:, None]
        energies = optimum(distortion, *clusters).energies
        np.testing.assert_allclose(added[elsewhere], (joined - energies)[elsewhere], atol=1e-9)
        for i in range(n):
            row = X.toarray()[i] if sp.issparse(X) else X[i]
            for h in range(2):
                sums, masses = clusters.sums.copy(), clusters.masses.copy()
                sums[h], masses[h] = sums[h] + row, masses[h] + 1
                assert joined[i, h] == pytest.approx(
                    optimum(distortion, sums, masses).energies[h], abs=1e-7
                )


@NAMES
@pytest.mark.parametrize("container", CONTAINERS)
def test_labels_are_what_predict_says_without_links(container, name):
    X = container(random_documents(60, 30).toarray())
    model = tc.HMRFKMeans(
        3, learn=True, metric="local", distortion=name, n_init=2, random_state=0
    ).fit(X)
    np.testing.assert_array_equal(model.labels_, model.predict(X))
    assert model.fitted_distortion_.weights.shape == (3, 30)


@pytest.mark.parametrize("weight", [0.2, "auto"])
@NAMES
def test_broken_links_are_reported_at_the_price_the_objective_has_for_them(weight, name):
    X = random_documents(30, 12, 0.6)
    model = tc.HMRFKMeans(
        3, learn=True, metric="local", distortion=name, weight=weight, n_init=2, random_state=0
    ).fit(X, constraints=LINKS)
    assert model.violations_
    A = model.fitted_distortion_.weights
    rest = slow(name, X.toarray(), model.labels_, tc.Constraints(), A)
    assert sum(link.price for link in model.violations_) == pytest.approx(model.objective_ - rest)


@pytest.mark.parametrize("name", ["cosine", "kl"])
def test_each_cluster_finds_the_terms_that_it_is_about(name):
    """Terms 0 to 3 are steady in one class and noise in the other, 4 to 7 the other way round."""
    rng, truth = RNG(0), np.repeat([0, 1], 60)
    steady, noise = rng.poisson(6.0, (120, 8)), rng.poisson(12.0 * rng.random((120, 8)) ** 3)
    about = (np.arange(8) >= 4)[None] == truth[:, None].astype(bool)
    X = np.where(about, steady + 3, noise) + 0.0
    model = tc.HMRFKMeans(2, distortion=name, learn=True, metric="local", random_state=0).fit(X)
    assert tc.metrics.nmi(truth, model.labels_) > 0.9
    own = model.fitted_distortion_.weights[model.labels_[0]]
    other = model.fitted_distortion_.weights[1 - model.labels_[0]]
    assert own[:4].mean() > own[4:].mean()
    assert other[4:].mean() > other[:4].mean()


def test_what_local_weights_need_is_reported():
    X = random_documents(20, 5)
    with pytest.raises(InputError, match="set learn=True as well"):
        tc.HMRFKMeans(2, metric="local").fit(X)
    wide = sp.csr_array((np.ones(100), (np.arange(100), np.arange(100))), (100, 50_000))
    with pytest.raises(InputError, match="40 clusters of 50000 terms are too many"):
        tc.HMRFKMeans(40, learn=True, metric="local", n_init=1).fit(wide)
