"""The full matrix of a learned metric, against the paper written out slowly."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import textclust as tc
from tests.engine.test_loop import descends
from tests.learners import slow_metric as slow
from tests.learners.descent import RANDOM_PROBLEMS, run, run_and_check_descent
from tests.learners.test_metric import KINDS, RNG, random_question
from tests.strategies import CONTAINERS, random_documents
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.affine import costs
from textclust.geometry.assignment import moments
from textclust.geometry.euclidean import Euclidean
from textclust.geometry.mahalanobis import Mahalanobis, products
from textclust.methods.learners.full_matrix import MOST_FEATURES, Full
from textclust.methods.learners.metric import EuclideanLearner
from textclust.supervision.pair_differences import Bounds, PairDifferences

BOUNDS = (0.25, 1.0)


def problem_of(table, k=2, kind="global", constraints=None, inference="icm"):
    plain = Problem(sp.csr_array(table), Euclidean(), k, np.ones(len(table)))
    pair_differences = None
    if constraints is not None:
        pair_differences = PairDifferences.of(plain.X, constraints.links, Bounds(*BOUNDS), products)
    return EuclideanLearner.problem(plain, pair_differences, kind == "local", inference, Full)


def matrices(distortion, k):
    return np.broadcast_to(distortion.weights, (k, *distortion.weights.shape[1:]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_the_energy_is_the_objective_of_the_paper_and_no_document_moves(kind, seed):
    X, must, cannot = random_question(seed)
    problem = problem_of(X, 3, kind, tc.Constraints(must, cannot))
    found = run(problem, RNG(seed).integers(3, size=len(X)))
    assert descends(found.history)
    y, centres, A = found.labels, found.prototypes, matrices(found.distortion, 3)
    rest = (must, cannot, 1.0, A, kind == "local", BOUNDS)
    assert found.energy == pytest.approx(slow.objective(X, y, centres, *rest))
    for i in range(len(X)):
        prices = slow.conditional(X, i, y, centres, *rest)
        assert prices[y[i]] <= min(prices) + 1e-9


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_the_matrix_is_that_of_the_paper_wherever_it_does_not_raise_the_objective(kind, seed):
    X, must, cannot = random_question(seed, n=24)
    y, local = RNG(seed).permutation(np.arange(len(X)) % 3), kind == "local"
    problem = problem_of(X, 3, kind, tc.Constraints(must, cannot))
    learned = problem.learner.learn(problem, Partition(problem, y)).distortion
    centres = np.array([X[y == h].mean(axis=0) for h in range(3)])
    start = np.stack([np.eye(4)] * 3)

    def energy(A):
        return slow.objective(X, y, centres, must, cannot, 1.0, A, local, BOUNDS)

    for h, got in enumerate(learned.weights):
        inner = (X, y, centres, must, cannot, 1.0, np.eye(4), h if local else None, BOUNDS)
        total, documents = slow.to_invert(*inner), np.sum(y == h) if local else len(X)
        least = np.linalg.eigvals(np.linalg.solve(np.cov(X.T, bias=True), total)).real.min()
        if least < 0.01 * documents:
            continue  # it has a floor
        tried = start.copy()
        tried[[h] if local else slice(None)] = (documents if local else 1) * np.linalg.inv(total)
        if energy(tried) < energy(start):
            np.testing.assert_allclose(got, tried[h], rtol=1e-7)
    assert energy(matrices(learned, 3)) <= energy(start) + 1e-9


def test_a_hand_solved_matrix():
    # Two clusters of scatter [[2, 2], [2, 4]] each: A = ([[4, 4], [4, 8]])^-1.
    X = np.array([[-1.0, -1.0], [1.0, 1.0], [0.0, -1.0], [0.0, 1.0]])
    X = np.vstack([X, X + np.array([4.0, 0.0])])
    problem = problem_of(X, 2)
    learned = problem.learner.learn(problem, Partition(problem, np.repeat([0, 1], 4)))
    np.testing.assert_allclose(learned.distortion.weights[0], [[0.5, -0.25], [-0.25, 0.25]])


@pytest.mark.parametrize("kind", KINDS)
@RANDOM_PROBLEMS
def test_no_half_step_raises_the_energy(kind, table, k, links, seed, refine):
    A = run_and_check_descent(problem_of(table, k, kind, links), seed, refine).distortion.weights
    np.testing.assert_allclose(A, A.swapaxes(1, 2))
    assert (np.linalg.eigvalsh(A) > 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_parted_must_links_that_outweigh_the_scatter_leave_the_matrix_positive(kind):
    X = np.array([[0.0, 0.0], [0.1, 5.0], [6.0, 0.2], [6.1, 5.1], [0.0, 2.0], [6.0, 2.0]])
    must, y = [(0, 2), (1, 3), (4, 5), (0, 3)], (X[:, 0] > 3).astype(int)
    problem = problem_of(X, 2, kind, tc.Constraints(must, weights=[50.0] * 4))
    centres = np.array([X[y == h].mean(axis=0) for h in range(2)])
    total = slow.to_invert(X, y, centres, must, [], 50.0, np.eye(2), None, BOUNDS)
    assert np.linalg.eigvalsh(total).min() < 0
    learned = problem.learner.learn(problem, Partition(problem, y)).distortion.weights
    ceiling = 100 / (1 if kind == "local" else len(X)) * np.linalg.inv(np.cov(X.T, bias=True))
    assert (np.linalg.eigvalsh(learned) > 0).all()
    assert (np.linalg.eigvalsh(ceiling - learned) > -1e-9).all()


def test_directions_in_which_nothing_varies_keep_the_weight_of_the_identity():
    X = RNG(0).normal(size=(30, 2))
    X = np.column_stack([X, np.full(30, 3.0)])
    A = run(problem_of(X, 2), np.arange(30) % 2).distortion.weights[0]
    np.testing.assert_allclose(A[2], [0.0, 0.0, 1.0], atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_turning_the_features_turns_the_matrix_and_nothing_else(kind):
    X, must, cannot = random_question(5, n=40)
    turn = np.linalg.qr(RNG(0).normal(size=(4, 4)))[0]
    settings = {"matrix": "full", "metric": kind, "init": np.arange(40) % 3, "random_state": 0}
    links = tc.Constraints(must, cannot)
    plain = tc.MPCKMeans(3, **settings).fit(X, constraints=links)
    turned = tc.MPCKMeans(3, **settings).fit(X @ turn, constraints=links)
    assert plain.labels_.tolist() == turned.labels_.tolist()
    np.testing.assert_allclose(turned.metric_, turn.T @ plain.metric_ @ turn, rtol=1e-5, atol=1e-6)


def test_it_sees_what_no_weights_of_single_features_can():
    rng, truth = RNG(0), np.repeat([0, 1], 60)
    along, across = rng.normal(0, 10, 120), 2.0 * truth + rng.normal(0, 0.3, 120)
    X = np.column_stack([along + across, along - across])  # two thin parallel stripes
    full = tc.MPCKMeans(2, matrix="full", random_state=0)
    pairs = [tuple(rng.choice(120, 2, replace=False).tolist()) for _ in range(60)]
    must = [pair for pair in pairs if truth[pair[0]] == truth[pair[1]]]
    links = tc.Constraints(must, [pair for pair in pairs if pair not in must])
    assert tc.metrics.nmi(truth, full.fit(X, constraints=links).labels_) > 0.9
    diagonal = tc.MPCKMeans(2, random_state=0).fit(X, constraints=links)
    assert tc.metrics.nmi(truth, diagonal.labels_) < 0.5


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("kind", KINDS)
def test_costs_and_joined_energies_are_those_of_the_definition(container, kind):
    X, k = random_documents(20, 5, 0.5).toarray(), 2
    roots = RNG(1).normal(size=(k if kind == "local" else 1, 5, 5))
    A = roots @ roots.swapaxes(1, 2) + np.eye(5)
    distortion = Mahalanobis(A, -np.linalg.slogdet(A)[1])
    rows, y = distortion.prepare(container(X)), np.arange(20) % k
    clusters = moments(rows, y, np.ones(20), k)
    means = distortion.prototypes(*clusters)
    each = matrices(distortion, k)
    tolls = np.broadcast_to(distortion.tolls, k)
    expected = [[slow.distance(x, means[h], each[h]) + tolls[h] for h in range(k)] for x in X]
    np.testing.assert_allclose(costs(rows, distortion.affine(means)), expected, atol=1e-9)
    joined = distortion.joined(rows, np.ones(20), *clusters)
    for i, h in ((0, 0), (0, 1), (7, 0)):
        inside = [*X[y == h], X[i]]
        mean = np.mean(inside, axis=0)
        expected = sum(slow.distance(x, mean, each[h]) for x in inside) + len(inside) * tolls[h]
        assert joined[i, h] == pytest.approx(expected)
    assert distortion.mismatch(k, 5) is None
    assert Mahalanobis(-A, distortion.tolls).mismatch(k, 5) is not None
    assert Mahalanobis(A[:, :4], distortion.tolls).mismatch(k, 5) is not None


def test_more_features_or_documents_than_it_is_for_are_reported():
    X = random_documents(40, MOST_FEATURES + 1)
    with pytest.raises(InputError, match="at most 200 features, and these are 201; reduce them"):
        tc.MPCKMeans(2, matrix="full").fit(X)
    many = sp.csr_array((np.ones(3_000), (np.arange(3_000), np.arange(3_000) % 200)), (3_000, 200))
    with pytest.raises(InputError, match="3000 documents and links of 200 features are too many"):
        tc.MPCKMeans(2, matrix="full").fit(many)
