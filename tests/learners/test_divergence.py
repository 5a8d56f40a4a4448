"""Weights of terms learned for KL and I-divergence, against J written out slowly."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import rel_entr

import textclust as tc
from tests.learners.descent import RANDOM_PROBLEMS, run, run_and_check_descent
from tests.strategies import CONTAINERS, counts, random_documents
from textclust import geometry
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.geometry.affine import costs
from textclust.geometry.assignment import moments
from textclust.geometry.energies import optimum
from textclust.geometry.weighted_divergence import WeightedKL
from textclust.methods.learned_hmrf import _evened
from textclust.methods.learners.cosine import CosineLearner
from textclust.methods.learners.divergence import DivergenceLearner

RNG = np.random.default_rng
KINDS = pytest.mark.parametrize("name", ["kl", "i-divergence"])
LINKS = tc.Constraints([(0, 1), (2, 7), (3, 9)], [(0, 4), (5, 6), (1, 8)], [1, 2, 1, 3, 1, 1])


def divergence(x, mu):
    """By term: x log(x/mu) - x + mu."""
    return rel_entr(x, mu) - x + mu


def smoothed(X, alpha):
    return (X + alpha / X.shape[1]) / (1 + alpha)


def scatter(X, labels, alpha=0.01):
    """By term: the divergence of documents from the means of their clusters."""
    points, total = smoothed(X, alpha), np.zeros(X.shape[1])
    for h in set(labels.tolist()):
        rows = points[labels == h]
        total += sum(divergence(x, rows.mean(axis=0)) for x in rows)
    return total


def broken_links(X, labels, links):
    """By term: what broken links cost."""
    total, count = np.zeros(X.shape[1]), len(links.must_link)
    for (i, j), weight in zip(links.must_link, links.weights[:count], strict=True):
        middle = (X[i] + X[j]) / 2
        apart = divergence(X[i], middle) + divergence(X[j], middle)
        total += weight * apart * (labels[i] != labels[j])
    for (i, j), weight in zip(links.cannot_link, links.weights[count:], strict=True):
        middle = (X[i] + X[j]) / 2
        apart = divergence(X[i], middle) + divergence(X[j], middle)
        total += weight * (np.log(2) * (X[i] + X[j]) - apart) * (labels[i] == labels[j])
    return total


def slow_objective(X, labels, links, a):
    whole = scatter(X, np.zeros(len(X), dtype=int))
    price = scatter(X, labels) + (0.0 if links is None else broken_links(X, labels, links))
    return a @ price - whole @ np.log(a)


def rows_of(name, table):
    return table / table.sum(axis=1, keepdims=True) if name == "kl" else table


def problem_of(table, k=2, links=None, name="kl", alpha=1.0):
    distortion = geometry.distortion_class(name)(smoothing=alpha)
    plain = Problem(distortion.prepare(sp.csr_array(table)), distortion, k, np.ones(len(table)))
    return DivergenceLearner.problem(plain, None if links is None else links.links)


@KINDS
@pytest.mark.parametrize("links", [None, LINKS])
def test_the_energy_is_the_objective(name, links):
    X = random_documents(30, 12, 0.6).toarray()
    found = run(problem_of(X, 3, links, name), RNG(0).integers(3, size=30))
    assert np.ptp(found.distortion.weights) > 0.01  # something was learned
    expected = slow_objective(rows_of(name, X), found.labels, links, found.distortion.weights)
    assert found.energy == pytest.approx(expected)


@KINDS
def test_the_weights_are_where_an_optimiser_ends(name):
    X = random_documents(20, 6, 0.6).toarray()
    labels = RNG(1).integers(3, size=20)
    problem = problem_of(X, 3, LINKS, name, alpha=0.01)
    learned = problem.learner.learn(problem, Partition(problem, labels)).distortion.weights

    def objective(logs):
        return slow_objective(rows_of(name, X), labels, LINKS, np.exp(logs))

    np.testing.assert_allclose(learned, np.exp(minimize(objective, np.zeros(6)).x), rtol=1e-3)


@KINDS
@RANDOM_PROBLEMS
def test_no_half_step_raises_the_energy(name, table, k, links, seed, refine):
    found = run_and_check_descent(problem_of(table, k, links, name), seed, refine)
    assert (found.distortion.weights > 0).all()
    assert (found.distortion.weights <= 100).all()


def test_it_rests_only_where_there_is_nothing_more_to_learn():
    X = random_documents(60, 15, 0.5)
    problem = problem_of(X.toarray(), 3, LINKS, alpha=0.01)
    found = run(problem, RNG(0).integers(3, size=60), refine=True)
    assert found.converged
    there = problem.learned(found.distortion, problem.learner.interaction(found.distortion.weights))
    assert there.learner.learn(there, Partition(there, found.labels)) is there


@pytest.mark.parametrize("container", CONTAINERS)
@given(table=counts(), seed=st.integers(0, 9))
def test_weighted_costs_and_joined_energies_are_those_of_the_definition(container, table, seed):
    n, d = table.shape
    weights, labels = RNG(seed).uniform(0.1, 5.0, d), np.arange(n) % 2
    distortion = WeightedKL(0.3, weights=weights, toll=0.7)
    X = distortion.prepare(container(table))
    dense = smoothed(X.toarray() if sp.issparse(X) else X, 0.3)
    clusters = moments(X, labels, np.ones(n), 2)
    prototypes = distortion.prototypes(*clusters)
    found = costs(X, distortion.affine(prototypes)) + distortion.own_costs(X)[:, None]
    slow = [[weights @ divergence(x, mu) + 0.7 for mu in prototypes] for x in dense]
    np.testing.assert_allclose(found, slow, atol=1e-9)
    joined = distortion.joined(X, np.ones(n), *clusters)
    for i in range(n):
        row = X.toarray()[i] if sp.issparse(X) else X[i]
        for h in range(2):
            changed, mass = (clusters.sums[h] + row)[None], clusters.masses[[h]] + 1
            energy = optimum(distortion, changed, mass).energies[0]
            assert joined[i, h] == pytest.approx(energy, abs=1e-7)


@pytest.mark.parametrize("container", CONTAINERS)
@KINDS
def test_labels_are_what_predict_says_without_links(container, name):
    X = container(random_documents(60, 30).toarray())
    model = tc.HMRFKMeans(3, learn=True, distortion=name, n_init=2, random_state=0).fit(X)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_broken_links_teach_the_weights_of_their_terms():
    table = np.array([[5.0, 0, 1, 2], [4, 0, 0, 2], [0, 5, 1, 2], [0, 4, 0, 2]])
    labels = np.array([0, 0, 1, 1])

    def learned(links):
        problem = problem_of(table, 2, links, alpha=0.01)
        return problem.learner.learn(problem, Partition(problem, labels)).distortion.weights

    alone = learned(None)
    parted = learned(tc.Constraints([(0, 2)], weights=[3.0]))
    assert (parted[:2] < alone[:2]).all()  # what they differ in counts less
    joined = learned(tc.Constraints([], [(0, 1)], weights=[3.0]))
    assert joined[0] < alone[0]  # what they share counts less
    assert joined[1] == pytest.approx(alone[1])


def planted(seed, n=120, informative=6, noise=20):
    """Two classes that differ in few terms, and strong topics that cut across them."""
    rng = RNG(seed)
    truth, other = np.arange(n) % 2, rng.integers(2, size=n)
    signal = np.kron(np.eye(2), np.ones(informative // 2))[truth] * 0.9 + 0.1
    across = np.kron(np.eye(2), np.ones(noise // 2))[other] * 0.6 + 0.4
    X = rng.poisson(np.hstack([2.0 * signal, 1.5 * across])) + 0.0
    X[:, 0] += X.sum(axis=1) == 0
    pairs = [rng.choice(n, 2, replace=False) for _ in range(200)]
    must = [tuple(map(int, pair)) for pair in pairs if truth[pair[0]] == truth[pair[1]]]
    cannot = [tuple(map(int, pair)) for pair in pairs if truth[pair[0]] != truth[pair[1]]]
    return sp.csr_array(X), truth, tc.Constraints(must, cannot)


def test_the_weights_find_the_terms_that_links_are_about():
    informative = 6
    for seed in range(3):
        X, truth, links = planted(seed)
        model = tc.HMRFKMeans(2, distortion="kl", learn=True, random_state=0)
        model.fit(X, constraints=links)
        weights = model.fitted_distortion_.weights
        assert weights[:informative].min() > weights[informative:].max()
        assert tc.metrics.nmi(truth, model.labels_) > 0.8


def test_more_documents_of_the_same_kind_leave_the_weights_as_they_are():
    X = random_documents(30, 10, 0.5).toarray()
    labels = RNG(0).integers(3, size=30)
    once, thrice = problem_of(X, 3, alpha=0.01), problem_of(np.vstack([X] * 3), 3, alpha=0.01)
    few = once.learner.learn(once, Partition(once, labels)).distortion.weights
    many = thrice.learner.learn(thrice, Partition(thrice, np.tile(labels, 3))).distortion.weights
    np.testing.assert_allclose(few, many)


def test_a_term_that_no_document_has_keeps_its_weight():
    X = np.column_stack([random_documents(30, 6, 0.5).toarray(), np.zeros(30)])
    found = run(problem_of(X, 2, alpha=0.01), np.arange(30) % 2)
    assert found.distortion.weights[-1] == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("weight", [0.2, "auto"])
def test_broken_links_are_reported_at_the_price_the_objective_has_for_them(weight):
    X = random_documents(30, 12, 0.6)
    model = tc.HMRFKMeans(3, distortion="kl", learn=True, weight=weight, n_init=2, random_state=0)
    model.fit(X, constraints=LINKS)
    assert model.violations_
    a = model.fitted_distortion_.weights
    rest = slow_objective(rows_of("kl", X.toarray()), model.labels_, None, a)
    assert sum(link.price for link in model.violations_) == pytest.approx(model.objective_ - rest)


@pytest.mark.parametrize("name", ["cosine", "kl"])
def test_links_cost_on_average_what_they_cost_without_learning(name):
    X = random_documents(40, 30, 0.3)
    model = tc.HMRFKMeans(3, distortion=name, learn=True)
    learner = CosineLearner if name == "cosine" else DivergenceLearner
    problem = learner.problem(model.solver._problem(X), LINKS.links)
    weights = LINKS.links.weights
    prices = weights * _evened(problem) * problem.learner.penalties(np.ones(30))
    for kind in (LINKS.links.together, ~LINKS.links.together):
        assert prices[kind].sum() == pytest.approx(weights[kind].sum())
        assert np.ptp(prices[kind]) > 0
