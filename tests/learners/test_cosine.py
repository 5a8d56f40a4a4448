"""Weights of terms learned for the cosine, against J written out slowly, and the descent."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc
from tests.learners.descent import RANDOM_PROBLEMS, run, run_and_check_descent
from tests.strategies import CONTAINERS, random_documents
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.cosine import Cosine
from textclust.methods.learners.cosine import CosineLearner

RNG = np.random.default_rng
LINKS = tc.Constraints([(0, 1), (2, 7), (3, 9)], [(0, 4), (5, 6), (1, 8)], [1, 2, 1, 3, 1, 1])


def cosine(x, y, a):
    return (a * x) @ y / np.sqrt(((a * x) @ x) * ((a * y) @ y))


def slow_objective(X, labels, links, a):
    """Basu, Bilenko and Mooney 2004, document by document, with the Rayleigh prior."""
    total = ((a**2 - 1) / 2 - np.log(a)).sum()
    for h in set(labels.tolist()):
        rows = X[labels == h]
        units = [np.sqrt(a) * x / np.sqrt((a * x) @ x) for x in rows]
        centre = np.sum(units, axis=0) / np.sqrt(a)
        total += sum(1 - cosine(x, centre, a) for x in rows)
    for (i, j), weight in zip(links.must_link, links.weights, strict=False):
        total += weight * (1 - cosine(X[i], X[j], a)) * (labels[i] != labels[j])
    apart = links.weights[len(links.must_link) :]
    for (i, j), weight in zip(links.cannot_link, apart, strict=True):
        total += weight * cosine(X[i], X[j], a) * (labels[i] == labels[j])
    return total


def problem_of(table, k=2, links=None):
    distortion = Cosine()
    plain = Problem(distortion.prepare(sp.csr_array(table)), distortion, k, np.ones(len(table)))
    return CosineLearner.problem(plain, None if links is None else links.links)


def test_the_energy_is_the_objective_of_the_paper():
    X = random_documents(30, 12, 0.6).toarray()
    found = run(problem_of(X, 3, LINKS), RNG(0).integers(3, size=30))
    assert np.ptp(found.distortion.weights) > 0.01  # something was learned
    expected = slow_objective(X, found.labels, LINKS, found.distortion.weights)
    assert found.energy == pytest.approx(expected)


def test_the_gradient_is_how_the_objective_changes():
    X = random_documents(20, 6, 0.6).toarray()
    labels = RNG(1).integers(3, size=20)
    problem = problem_of(X, 3, LINKS)
    gradient = problem.learner._measure(problem, labels).gradient(np.ones(6))
    for m in range(6):
        nudge = np.exp(1e-6 * (np.arange(6) == m))
        up, down = (slow_objective(X, labels, LINKS, nudge**sign) for sign in (1.0, -1.0))
        assert gradient[m] == pytest.approx((up - down) / 2e-6, abs=1e-5)


@RANDOM_PROBLEMS
def test_no_half_step_raises_the_energy(table, k, links, seed, refine):
    found = run_and_check_descent(problem_of(table, k, links), seed, refine)
    assert (found.distortion.weights > 0).all()


@pytest.mark.parametrize("container", CONTAINERS)
def test_labels_are_what_predict_says_without_links(container):
    X = container(random_documents(60, 30).toarray())
    model = tc.HMRFKMeans(3, learn=True, n_init=2, random_state=0).fit(X)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_a_broken_link_teaches_the_weights_of_its_terms():
    table = np.array([[5.0, 0, 1], [4, 0, 0], [0, 5, 1], [0, 4, 0]])
    labels = np.array([0, 0, 1, 1])
    problem = problem_of(table, 2, tc.Constraints([(0, 2)], weights=[3.0]))
    learned = problem.learner.learn(problem, Partition(problem, labels)).distortion.weights
    assert learned[2] > 1 > learned[:2].max()  # what they share counts more


@pytest.mark.parametrize("weight", [0.2, "auto"])
def test_broken_links_are_reported_at_the_price_the_objective_has_for_them(weight):
    X = random_documents(30, 12, 0.6)
    model = tc.HMRFKMeans(3, learn=True, weight=weight, n_init=2, random_state=0)
    model.fit(X, constraints=LINKS)
    assert model.violations_
    a = model.fitted_distortion_.weights
    rest = slow_objective(X.toarray(), model.labels_, tc.Constraints(), a)
    assert sum(link.price for link in model.violations_) == pytest.approx(model.objective_ - rest)


def test_other_distortions_are_referred_to_mpckmeans():
    with pytest.raises(InputError, match="MPCKMeans"):
        tc.HMRFKMeans(2, learn=True, distortion="euclidean").fit(random_documents(20, 5))
