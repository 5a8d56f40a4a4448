"""Metric learning against the paper written out slowly, and the descent it promises."""

from __future__ import annotations

import itertools
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from sklearn.base import clone

import textclust as tc
from tests.engine.test_loop import descends
from tests.learners import slow_metric as slow
from tests.learners.descent import RANDOM_PROBLEMS, run, run_and_check_descent
from tests.strategies import CONTAINERS, counts, random_documents
from textclust.engine.partition import Partition
from textclust.engine.problem import Problem
from textclust.errors import InputError
from textclust.geometry.euclidean import Euclidean
from textclust.methods.learners.metric import EuclideanLearner
from textclust.methods.mpckmeans import MPCKMeansSolver
from textclust.supervision.pair_differences import Bounds, PairDifferences

RNG = np.random.default_rng
KINDS = ("global", "local")


def problem_of(table, k=2, kind="global", constraints=None, inference="icm"):
    plain = Problem(sp.csr_array(table), Euclidean(), k, np.ones(len(table)))
    pair_differences = (
        None if constraints is None else PairDifferences.of(plain.X, constraints.links)
    )
    return EuclideanLearner.problem(plain, pair_differences, kind == "local", inference)


def random_question(seed, n=14, d=4, k=3):
    """Blobs, and links between some of their points, most of them true."""
    rng = RNG(seed)
    truth = rng.integers(k, size=n)
    X = rng.normal(size=(k, d))[truth] * 2 + rng.normal(size=(n, d))
    pairs = {tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(12)}
    says = {pair: (truth[pair[0]] == truth[pair[1]]) ^ (rng.random() < 0.2) for pair in pairs}
    must = [pair for pair, same in sorted(says.items()) if same]
    cannot = [pair for pair, same in sorted(says.items()) if not same]
    return X, must, cannot


def metrics_of(solution, k):
    return np.broadcast_to(solution.distortion.weights, (k, solution.prototypes.shape[1]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_the_energy_is_the_objective_of_the_paper(kind, seed):
    X, must, cannot = random_question(seed)
    problem = problem_of(X, 3, kind, tc.Constraints(must, cannot))
    found = run(problem, RNG(seed).integers(3, size=len(X)))
    labels, A = found.labels, metrics_of(found, 3)
    expected = slow.objective(X, labels, found.prototypes, must, cannot, 1.0, A, kind == "local")
    assert found.energy == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_it_rests_where_no_document_has_a_cheaper_cluster_and_no_centre_a_better_place(kind, seed):
    X, must, cannot = random_question(seed)
    found = run(
        problem_of(X, 3, kind, tc.Constraints(must, cannot)), RNG(seed).integers(3, size=len(X))
    )
    y, centres, A = found.labels, found.prototypes, metrics_of(found, 3)
    for i in range(len(X)):
        costs = slow.conditional(X, i, y, centres, must, cannot, 1.0, A, kind == "local")
        assert costs[y[i]] <= min(costs) + 1e-9
    for h in set(y.tolist()):
        np.testing.assert_allclose(centres[h], X[y == h].mean(axis=0))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("refine", [False, True])
def test_it_rests_only_where_the_metric_has_nothing_more_to_learn(seed, refine):
    X, must, cannot = random_question(seed, n=120)
    problem = problem_of(X, 3, "global", tc.Constraints(must, cannot))
    found = run(problem, RNG(seed).integers(3, size=len(X)), refine=refine)
    assert found.converged
    there = problem.learner.at(found.distortion.flat, problem)
    assert there.learner.learn(there, Partition(there, found.labels)) is there


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(20))
def test_the_metric_is_that_of_the_paper_wherever_it_does_not_raise_the_objective(kind, seed):
    X, must, cannot = random_question(seed)
    y = RNG(seed).permutation(np.arange(len(X)) % 3)
    problem = problem_of(X, 3, kind, tc.Constraints(must, cannot))
    partition = Partition(problem, y)
    learned = problem.learner.learn(problem, partition).distortion.weights
    centres, ones = np.array([X[y == h].mean(axis=0) for h in range(3)]), np.ones((3, 4))

    def energy(A):
        return slow.objective(X, y, centres, must, cannot, 1.0, A, kind == "local")

    for h, got in enumerate(learned):
        cluster = h if kind == "local" else None
        printed = slow.closed_form(X, y, centres, must, cannot, 1.0, np.ones(4), cluster)
        tried = ones.copy()
        tried[[h] if kind == "local" else slice(None)] = printed
        if energy(tried) < energy(ones):
            np.testing.assert_allclose(got, printed)
    assert energy(np.broadcast_to(learned, (3, 4))) <= energy(ones) + 1e-9


@pytest.mark.parametrize("kind", KINDS)
@RANDOM_PROBLEMS
def test_no_half_step_raises_the_energy(kind, table, k, links, seed, refine):
    found = run_and_check_descent(problem_of(table, k, kind, links), seed, refine)
    assert (found.distortion.weights > 0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inference", ["bp", "lp"])
@pytest.mark.parametrize("seed", range(6))
def test_it_descends_whichever_way_linked_documents_are_labelled(kind, inference, seed):
    X, must, cannot = random_question(seed, n=30)
    problem = problem_of(X, 3, kind, tc.Constraints(must, cannot), inference)
    found = run(problem, RNG(seed).integers(3, size=len(X)))
    assert descends(found.history)
    A = metrics_of(found, 3)
    y, centres = found.labels, found.prototypes
    expected = slow.objective(X, y, centres, must, cannot, 1.0, A, kind == "local")
    assert found.energy == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_parted_must_links_that_outweigh_the_scatter_leave_weights_positive_and_bounded(kind):
    X = np.array([[0.0, 0.0], [0.1, 5.0], [6.0, 0.2], [6.1, 5.1], [0.0, 2.0], [6.0, 2.0]])
    must = [(0, 2), (1, 3), (4, 5), (0, 3)]
    y = (X[:, 0] > 3).astype(int)
    problem = problem_of(X, 2, kind, tc.Constraints(must, weights=[50.0] * 4))
    centres = np.array([X[y == h].mean(axis=0) for h in range(2)])
    unbounded = slow.closed_form(X, y, centres, must, [], 50.0, np.ones(2), least=-1e9)
    assert unbounded.min() < 0
    learned = problem.learner.learn(problem, Partition(problem, y)).distortion.weights
    ceiling = 100 / X.var(axis=0) / (len(X) if kind == "global" else 1)
    assert (learned > 0).all()
    assert (learned <= ceiling * (1 + 1e-9)).all()
    assert descends(run(problem, y).history)


@pytest.mark.parametrize("links", [None, tc.Constraints([(0, 1)], [(2, 3), (4, 9), (1, 5)])])
def test_one_cluster_has_one_metric_whichever_way_it_is_counted(links):
    X = random_question(3)[0]
    y = np.zeros(len(X), dtype=int)
    one, each = (run(problem_of(X, 1, kind, links), y) for kind in KINDS)
    np.testing.assert_allclose(each.distortion.weights, len(X) * one.distortion.weights)


def test_clusters_of_equal_scatter_have_equal_metrics_and_that_of_all():
    half = RNG(0).normal(size=(20, 3)) * [1.0, 2.0, 0.5]
    X = np.vstack([half, half + np.array([30.0, 0.0, 0.0])])
    y = np.repeat([0, 1], 20)
    one, each = (run(problem_of(X, 2, kind), y) for kind in KINDS)
    assert one.labels.tolist() == each.labels.tolist() == y.tolist()
    np.testing.assert_allclose(each.distortion.weights[0], each.distortion.weights[1])
    np.testing.assert_allclose(each.distortion.weights, 40 * one.distortion.weights.repeat(2, 0))


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("kind", KINDS)
def test_without_links_the_weights_are_the_inverse_scatter(container, kind):
    X = random_question(1, n=40)[0]
    model = tc.MKMeans(3, metric=kind, random_state=0).fit(container(X))
    means = np.array([X[model.labels_ == h].mean(axis=0) for h in range(3)])
    np.testing.assert_allclose(model.cluster_centers_, means)
    deviations = (X - means[model.labels_]) ** 2
    if kind == "global":
        np.testing.assert_allclose(model.metric_, 1 / deviations.sum(axis=0))
    else:
        scatter = np.array([deviations[model.labels_ == h].mean(axis=0) for h in range(3)])
        np.testing.assert_allclose(model.metric_, 1 / np.maximum(scatter, 0.01 * X.var(axis=0)))


@pytest.mark.parametrize("kind", KINDS)
def test_without_links_mpc_kmeans_is_m_kmeans(kind):
    X = random_documents(60, 20)
    plain = tc.MKMeans(3, metric=kind, random_state=0).fit(X)
    for constraints in (None, tc.Constraints()):
        model = tc.MPCKMeans(3, metric=kind, random_state=0).fit(X, constraints=constraints)
        assert model.labels_.tolist() == plain.labels_.tolist()
        np.testing.assert_array_equal(model.metric_, plain.metric_)


@pytest.mark.parametrize("use", ["both", "metric"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("refine", [False, True])
def test_m_kmeans_learns_its_metric_from_links(kind, use, refine):
    X, must, cannot = random_question(0, n=60)
    settings = {"init": "perturbed", "n_init": 1, "refine": refine, "random_state": 0}
    model = tc.MKMeans(3, metric=kind, use_constraints=use, **settings)
    without = clone(model).fit(X).metric_
    model.fit(X, constraints=tc.Constraints(must, cannot))
    assert not np.allclose(model.metric_, without)
    pairs = itertools.pairwise([*model.objective_history_, model.objective_])
    assert all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in pairs)
    bounds = (model.solver.resolved().alpha_min, model.alpha_max)
    A = np.broadcast_to(model.metric_, (3, 4))
    y, centres, local = model.labels_, model.cluster_centers_, kind == "local"
    expected = slow.objective(X, y, centres, must, cannot, 1.0, A, local, bounds)
    assert model.objective_ == pytest.approx(expected)


def test_m_kmeans_does_not_start_from_links():
    X, must, cannot = random_question(2, n=60)
    links = tc.Constraints(must, cannot)
    settings = {"init": "perturbed", "n_init": 1, "random_state": 0, "max_iter": 1}
    settings |= {"refine": False, "tol": 0.0, "weight": 0.0}  # of no weight but for the start
    free = tc.MKMeans(3, **settings).fit(X)
    model = tc.MKMeans(3, **settings).fit(X, constraints=links)
    assert model.labels_.tolist() == free.labels_.tolist()
    seeded = tc.MPCKMeans(3, **settings | {"init": "largest"}).fit(X, constraints=links)
    assert model.labels_.tolist() != seeded.labels_.tolist()
    with pytest.raises(InputError, match="init must be one of 'auto'"):
        tc.MKMeans(3, init="largest").fit(X, constraints=links)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_links_that_teach_the_metric_alone_choose_no_clusters(kind, seed):
    X, must, cannot = random_question(seed, n=60)
    links, local = tc.Constraints(must, cannot), kind == "local"
    plain = Problem(X, Euclidean(), 3, np.ones(60))
    problem = EuclideanLearner.problem(
        plain, PairDifferences.of(X, links.links), local, assigning=False
    )
    y, ones = RNG(seed).integers(3, size=60), np.ones((3, 4))
    assert descends(run(problem, y).history)
    means = np.array([X[y == h].mean(axis=0) for h in range(3)])
    near, rows = slow.nearest(X, means, ones, local), problem.interaction.documents
    stay = near.copy()
    stay[rows] = y[rows]

    def energy(labels):
        return slow.objective(X, labels, means, must, cannot, 1.0, ones, local)

    costs = np.array([[slow.distance(X[i], mean, np.ones(4)) for mean in means] for i in rows])
    expected = near if energy(near) <= energy(stay) else stay
    np.testing.assert_array_equal(problem.interaction.infer(costs, y[rows], RNG(0)), expected[rows])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inference", ["icm", "bp", "lp"])
@pytest.mark.parametrize("init", ["auto", "largest", "k-means++"])
def test_a_must_link_of_great_weight_holds_however_long_it_is(kind, inference, init):
    X = random_question(4, n=40)[0]
    far = np.argwhere(np.triu(((X[:, None] - X) ** 2).sum(axis=2)) > 0)
    spread = ((X[far[:, 0]] - X[far[:, 1]]) ** 2).sum(axis=1)
    i, j = map(int, far[spread.argmax()])
    links = tc.Constraints([(i, j)], weights=[1e6])
    settings = {"metric": kind, "inference": inference, "init": init, "n_init": 2}
    model = tc.MPCKMeans(3, **settings, random_state=0)
    labels = model.fit(X, constraints=links).labels_
    assert labels[i] == labels[j]
    as_printed = model.set_params(alpha_min=0.0, alpha_max=1.0).fit(X, constraints=links)
    assert as_printed.link_prices_.tolist() == [0.0]  # the longest must-link costs nothing


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (0.5, 1.0), (0.25, 2.0), (1.0, 1.0), (0.0, 0.0)])
def test_penalties_lie_between_their_bounds(bounds):
    X, must, cannot = random_question(3)
    pair_differences = PairDifferences.of(X, tc.Constraints(must, cannot).links, Bounds(*bounds))
    a = RNG(0).uniform(0.5, 2.0, 4)
    slow_ones = [slow.f_must(X, pair, must, cannot, a, bounds) for pair in must]
    slow_ones += [slow.f_cannot(X, pair, must, cannot, a, bounds) for pair in cannot]
    np.testing.assert_allclose(pair_differences.penalties(a[None])[:, 0], slow_ones)
    longest = slow.longest(X, must, cannot, a)
    assert min(slow_ones) >= bounds[0] * longest - 1e-12
    for pair, slope in zip(
        pair_differences.links.pairs(), pair_differences.slopes(a[None])[:, 0], strict=True
    ):
        inside = slow.distance(X[pair[0]], X[pair[1]], a) < (bounds[1] - bounds[0]) * longest
        assert abs(slope) == float(inside)


def test_a_hand_solved_pair_costs_what_its_bounds_say():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0], [2.0, 0.0]])
    links = tc.Constraints([(0, 1), (0, 2)], [(0, 3), (1, 3)])
    # squared lengths 1, 9 and 4, 1; the longest must-link has 9
    pair_differences = PairDifferences.of(X, links.links, Bounds(0.5, 1.0))
    assert pair_differences.penalties(np.ones((1, 2)))[:, 0].tolist() == [8.0, 4.5, 8.5, 5.5]
    assert pair_differences.slopes(np.ones((1, 2)))[:, 0].tolist() == [-1.0, 0.0, 1.0, 1.0]
    printed = PairDifferences.of(X, links.links)
    assert printed.penalties(np.ones((1, 2)))[:, 0].tolist() == [8.0, 0.0, 4.0, 1.0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_metric_finds_the_feature_that_links_are_about(kind):
    rng = RNG(0)
    truth = np.repeat([0, 1], 40)
    X = np.column_stack([truth + rng.normal(0, 0.15, 80), rng.normal(0, 20, 80)])
    pairs = [tuple(rng.choice(80, 2, replace=False).tolist()) for _ in range(60)]
    must = [pair for pair in pairs if truth[pair[0]] == truth[pair[1]]]
    cannot = [pair for pair in pairs if truth[pair[0]] != truth[pair[1]]]
    links = tc.Constraints(must, cannot)
    model = tc.MPCKMeans(2, metric=kind, random_state=0).fit(X, constraints=links)
    blind = tc.PCKMeans(2, random_state=0).fit(X, constraints=links)
    assert tc.metrics.nmi(truth, model.labels_) > 0.9 > tc.metrics.nmi(truth, blind.labels_)


def test_without_links_the_default_start_sees_past_a_large_feature_of_noise():
    rng = RNG(0)
    truth = np.repeat([0, 1], 50)
    X = np.column_stack([truth + rng.normal(0, 0.15, 100), rng.normal(0, 20, 100)])
    assert tc.metrics.nmi(truth, tc.MKMeans(2, random_state=0).fit(X).labels_) > 0.9


def test_scaling_the_features_scales_the_metric_and_nothing_else():
    X, must, cannot = random_question(5, n=30)
    links, y = tc.Constraints(must, cannot), np.arange(30) % 3
    plain = tc.MPCKMeans(3, init=y, random_state=0).fit(X, constraints=links)
    scaled = tc.MPCKMeans(3, init=y, random_state=0).fit(1e3 * X, constraints=links)
    assert plain.labels_.tolist() == scaled.labels_.tolist()
    np.testing.assert_allclose(scaled.metric_, plain.metric_ / 1e6)


@given(table=counts(min_rows=4))
def test_a_feature_that_never_varies_keeps_its_weight(table):
    assume(np.ptp(table, axis=0).any())
    table = np.column_stack([table, np.full(len(table), 3.0), np.zeros(len(table))])
    found = run(problem_of(table, 2), np.arange(len(table)) % 2)
    np.testing.assert_array_equal(found.distortion.weights[0, -2:], 1.0)


def test_nothing_is_made_dense():
    n, d = 2_000, 50_000
    X = sp.random_array((n, d), density=1e-4, format="csr", random_state=RNG(0)) + sp.csr_array(
        (np.ones(n), (np.arange(n), RNG(1).integers(d, size=n))), shape=(n, d)
    )
    links = tc.Constraints([(i, i + 1) for i in range(50)], [(0, 100)])
    tracemalloc.start()
    tc.MPCKMeans(2, init=np.arange(n) % 2, max_iter=3, refine=False).fit(X, constraints=links)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < n * d * 8 / 10


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"metric": "both"}, "metric must be one of 'global', 'local'"),
        ({"distortion": "cosine"}, "distortion must be one of 'euclidean'"),
        ({"weight": -1.0}, "weight must be a number of at least 0"),
        ({"alpha_min": -1.0}, "alpha_min must be a number of at least 0"),
        ({"alpha_min": 2.0}, "alpha_min=2 is above alpha_max=1"),
        ({"matrix": "sparse"}, "matrix must be one of 'diagonal', 'full'"),
    ],
)
def test_a_bad_parameter_is_named_with_its_rule(parameters, message):
    with pytest.raises(InputError, match=message):
        tc.MPCKMeans(2, **parameters).fit(random_documents(20, 5))


@pytest.mark.parametrize("kind", KINDS)
def test_broken_links_are_reported_at_the_price_the_objective_has_for_them(kind):
    X, must, cannot = random_question(6, n=40)
    model = tc.MPCKMeans(3, metric=kind, weight=0.3, random_state=0)
    model.fit(X, constraints=tc.Constraints(must, cannot))
    assert model.violations_
    A = np.broadcast_to(model.metric_, (3, 4))
    y, centres, local = model.labels_, model.cluster_centers_, kind == "local"
    bounds = (model.solver.resolved().alpha_min, model.alpha_max)
    whole = slow.objective(X, y, centres, must, cannot, 0.3, A, local, bounds)
    rest = slow.objective(X, y, centres, [], [], 0.3, A, local)
    assert sum(broken.price for broken in model.violations_) == pytest.approx(whole - rest)


@pytest.mark.parametrize(
    ("kind", "seed"), [("global", 11), ("global", 34), ("local", 5), ("local", 17)]
)
def test_where_no_links_would_lead_is_at_times_the_best_start(kind, seed, monkeypatch):
    X, must, cannot = random_question(seed, n=60)
    links = tc.Constraints(must, cannot)
    model = tc.MPCKMeans(3, metric=kind, alpha_min=0.0, random_state=0).fit(X, constraints=links)
    monkeypatch.setattr(
        MPCKMeansSolver, "_from_solution", lambda self, found, _: replace(found, energy=np.inf)
    )
    without = tc.MPCKMeans(3, metric=kind, alpha_min=0.0, random_state=0).fit(X, constraints=links)
    assert model.objective_ < without.objective_ - 1e-6


@pytest.mark.parametrize("matrix", ["diagonal", "full"])
@pytest.mark.parametrize("constants", [(0.1,), (1000.1,), (1e6, 0.7)])
def test_a_constant_feature_changes_nothing(matrix, constants):
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(centre, 1.0, (30, 3)) for centre in (0.0, 4.0, 8.0)])
    wide = np.hstack([X, np.tile(constants, (len(X), 1))])
    links = tc.Constraints(must_link=[(0, 1), (30, 31)], cannot_link=[(0, 60)])
    plain, with_constants = (
        tc.MPCKMeans(3, matrix=matrix, n_init=2, random_state=0).fit(rows, constraints=links)
        for rows in (X, wide)
    )
    assert with_constants.labels_.tolist() == plain.labels_.tolist()
    assert with_constants.objective_ == pytest.approx(plain.objective_, rel=1e-6)
    weights = with_constants.metric_
    assert (np.diag(weights) if matrix == "full" else weights)[3:] == pytest.approx(1.0)
    np.testing.assert_allclose(with_constants.cluster_centers_[:, 3:], [constants] * 3)


def test_a_metric_does_not_see_where_the_origin_is():
    rng = np.random.default_rng(4)
    X = np.vstack([rng.normal(centre, 1.0, (30, 3)) for centre in (0.0, 4.0, 8.0)])
    near, far = (tc.MKMeans(3, random_state=0).fit(rows) for rows in (X, X + 1e7))
    assert far.labels_.tolist() == near.labels_.tolist()
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-5)
    np.testing.assert_allclose(far.cluster_centers_, near.cluster_centers_ + 1e7)
    centres = tc.MKMeans(3, init=far.cluster_centers_).fit(X + 1e7)
    assert centres.labels_.tolist() == far.labels_.tolist()


def test_the_least_penalty_follows_the_most():
    X, links = random_documents(30, 5, seed=1).toarray(), tc.Constraints(must_link=[(0, 1)])
    half, given = (
        tc.MPCKMeans(2, alpha_max=0.4, random_state=0, **more).fit(X, constraints=links)
        for more in ({}, {"alpha_min": 0.2})
    )
    assert half.objective_ == given.objective_
