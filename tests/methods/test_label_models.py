"""Label models against their formulas, one by one, and the pool of them."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.methods import slow_label_models as slow
from tests.strategies import random_documents
from textclust.geometry.cosine import Cosine
from textclust.methods.label_models import (
    LABEL_MODELS,
    PRIOR_WEIGHTS,
    anchors,
    calibration,
    evidence,
    gaussians,
    learning,
    linear,
    neighbours,
    pool,
    retraining,
    spherical,
    stacking,
    words,
)
from textclust.methods.label_models.documents import Documents, balanced, memberships
from textclust.methods.label_models.opinions import opinions_of

RNG = np.random.default_rng
SINGLE = {"rtol": 1e-4, "atol": 1e-4}  # where products are in single precision


def some_documents(n=40, d=12, k=3, seed=0, container=sp.csr_array):
    """Documents of several weights, some clusters of them, and a few seeds of every class."""
    rng = RNG(seed)
    X = Cosine().prepare(container(random_documents(n, d, 0.5, seed).toarray()))
    documents = Documents(X, rng.uniform(0.5, 2.0, n), rng.integers(k, size=n), k, seed)
    y = np.full(n, -1)
    y[rng.permutation(n)[: 4 * k]] = np.arange(4 * k) % k
    return documents, y


def plain_documents():
    """Three classes that have no term in common, three seeds of each, and their clusters."""
    X = sp.csr_array(np.kron(np.eye(3), np.ones((20, 10))) + 0.05 * RNG(0).random((60, 30)))
    truth = np.repeat(np.arange(3), 20)
    documents = Documents(Cosine().prepare(X), np.ones(60), (truth + 1) % 3, 3, 0)
    return documents, np.where(np.arange(60) % 20 < 3, truth, -1), truth


def dense(documents):
    return documents.X @ np.eye(documents.X.shape[1])


def within_rows(scores):
    """Only differences within a row mean something."""
    return scores - scores.mean(axis=1, keepdims=True)


@pytest.fixture(params=[sp.csr_array, np.asarray], ids=["sparse", "dense"])
def given_documents(request):
    return some_documents(container=request.param)


# The models


def test_labels_spread_as_by_the_equations_of_all_documents(given_documents):
    documents, y = given_documents
    y[np.flatnonzero(y == 0)[1:]] = -1  # classes count the same, however many seeds they have
    links = documents.anchors.links @ np.eye(documents.anchors.links.shape[1])
    expected = slow.spread(slow.anchor_graph(links), y, 3, anchors._SPREAD)
    np.testing.assert_allclose(neighbours.spread(documents, y), expected, atol=1e-10)
    np.testing.assert_allclose(
        neighbours.spread_labels(documents, y), np.log(expected + 1e-6), atol=1e-6
    )


def test_a_document_is_linked_with_its_five_nearest_anchors_and_all_count_the_same():
    documents, _ = some_documents(60)
    links = documents.anchors.links
    assert links.shape == (60, 20)
    assert (np.diff(links.indptr) == 5).all()
    np.testing.assert_allclose(links.sum(axis=1), 1.0)
    graph = slow.anchor_graph(links @ np.eye(20))
    np.testing.assert_allclose(graph.sum(axis=1), 1.0)


def test_where_no_label_arrives_all_classes_have_the_same_share():
    documents, _ = some_documents()
    found = neighbours.spread(documents, np.full(len(documents), -1))
    np.testing.assert_array_equal(found, 1.0 / documents.k)


@pytest.mark.parametrize("steps", [10, 100])
def test_conjugate_gradients_come_to_the_normal_equations(given_documents, steps):
    documents, _ = given_documents
    rng = RNG(5)
    labels, weights = rng.integers(3, size=len(documents)), rng.uniform(0.2, 3.0, len(documents))
    with patch.object(linear, "_STEPS", steps):
        model = linear.fit_linear(documents, labels, weights)
    counted = weights * documents.weights
    B, b = slow.ridge(dense(documents), labels, counted, 3, linear._RIDGE_OF_ALL)
    np.testing.assert_allclose(model.intercepts, b)
    np.testing.assert_allclose(model.coefficients, B, atol=1e-5)
    expected = dense(documents) @ B.T + b
    np.testing.assert_allclose(model.scores(documents), expected, **SINGLE)


@pytest.mark.parametrize("begin", [False, True], ids=["from nothing", "from a model near it"])
def test_terms_count_as_much_as_they_are_telling(given_documents, begin):
    documents, y = given_documents
    shares = RNG(5).dirichlet(np.ones(3), size=len(documents))
    near = linear.LinearModel(RNG(6).normal(size=(3, 12)), np.zeros(3)) if begin else None
    with patch.object(linear, "_STEPS", 100), patch.object(linear, "_STEPS_FROM_NEAR", 100):
        model = linear.telling_classifier(documents, y, shares, near)
    X = dense(documents)
    relevance = slow.telling(X, documents.weights, shares, linear._SMOOTHING)
    labels = np.where(y >= 0, y, shares.argmax(axis=1))
    counted = np.where(y >= 0, 3.0, shares.max(axis=1)) * documents.weights
    for h in range(3):
        B, b = slow.ridge(X * relevance[h], labels, counted, 3, linear._RIDGE_OF_ALL)
        np.testing.assert_allclose(model.coefficients[h], relevance[h] * B[h], atol=1e-4)
        np.testing.assert_allclose(model.intercepts, b)


def test_a_class_that_is_most_probable_for_none_keeps_the_document_with_most_of_it():
    shares = np.array([[0.6, 0.3, 0.1], [0.5, 0.2, 0.3], [0.8, 0.1, 0.1], [0.1, 0.9, 0.0]])
    known = np.array([-1, -1, 0, -1])
    assert linear._most_probable(known, shares).tolist() == [0, 2, 0, 1]
    assert linear._most_probable(np.array([0, 0, 0, 1]), shares).tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("sign", [1, -1], ids=["counts", "no counts"])
def test_models_that_learn_from_each_other_mend_what_the_pool_has_wrong(sign):
    documents, y, truth = plain_documents()
    documents = replace(documents, X=sign * documents.X)
    wrong = RNG(1).random(60) < 0.2
    pooled = np.log(0.2 + 0.4 * memberships(np.where(wrong & (y < 0), (truth + 1) % 3, truth), 3))
    assert (pooled.argmax(axis=1) != truth).sum() > 5
    model = retraining.retrained(documents, y, pooled)
    np.testing.assert_array_equal(model.scores(documents).argmax(axis=1), truth)


def test_ten_steps_are_near_the_end_where_there_are_many_terms():
    documents, _ = some_documents(200, 800)
    labels = RNG(0).integers(3, size=200)
    model = linear.fit_linear(documents, labels, np.ones(200))
    B, b = slow.ridge(dense(documents), labels, documents.weights, 3, linear._RIDGE_OF_ALL)
    np.testing.assert_allclose(model.scores(documents), dense(documents) @ B.T + b, atol=0.005)


def test_the_classifier_knows_the_seeds_alone_each_class_the_same(given_documents):
    documents, y = given_documents
    y[np.flatnonzero(y == 0)[1:]] = -1  # one seed of this class, four of the others
    seeds = np.flatnonzero(y >= 0)
    counted = balanced(y[seeds]) * documents.weights[seeds]
    X = dense(documents)
    B, b = slow.ridge(X[seeds], y[seeds], counted, 3, linear._RIDGE_OF_SEEDS)
    found = linear.ridge_classifier(documents, y)
    np.testing.assert_allclose(found, X @ B.T + b, atol=2e-3)


def test_naive_bayes_learns_from_all_documents_as_nigam_has_it(given_documents):
    documents, y = given_documents
    expected = slow.naive_bayes_em(
        dense(documents), documents.weights, y, 3, words._SMOOTHING, words._ITERATIONS
    )
    found = words.naive_bayes_em(documents, y)
    np.testing.assert_allclose(within_rows(found), within_rows(expected), **SINGLE)


def test_naive_bayes_says_nothing_of_features_that_are_no_counts():
    X = RNG(0).normal(size=(20, 4))
    documents = Documents(Cosine().prepare(X), np.ones(20), np.arange(20) % 2, 2, 0)
    y = np.where(np.arange(20) < 6, np.arange(20) % 2, -1)
    assert words.naive_bayes_em(documents, y) is None
    assert set(opinions_of(documents, y)) == set(LABEL_MODELS) - {"words"}


def test_terms_beside_vectors_are_counted_as_if_they_were_alone():
    documents, y = some_documents()
    rng = RNG(1)
    vectors = rng.normal(size=(len(documents), 4))
    wide = replace(documents, X=sp.csr_array(sp.hstack([0.6 * documents.X, vectors], "csr")))
    counts = wide.counts
    shares = memberships(documents.clusters, documents.k)

    assert counts is not None
    np.testing.assert_allclose(counts.X.toarray()[:, :12], documents.X.toarray(), atol=1e-12)
    assert counts.X.nnz == documents.X.nnz
    np.testing.assert_allclose(
        words.naive_bayes_em(wide, y), words.naive_bayes_em(documents, y), atol=0.02
    )
    telling = linear._telling(wide, shares)
    assert (telling[:, 12:] == 1.0).all()
    alone = linear._telling(documents, shares)
    assert (np.argsort(telling[0, :12]) == np.argsort(alone[0])).all()


def test_the_discriminant_is_of_gaussians_with_one_covariance(given_documents):
    documents, y = given_documents
    shares = slow.one_hot(y, 3) * (balanced(y) * documents.weights)[:, None]
    expected = slow.gaussian_scores(documents.latent, shares, gaussians._BY_SEEDS)
    found = gaussians.linear_discriminant(documents, y)
    np.testing.assert_allclose(within_rows(found), within_rows(expected), atol=1e-5)


def test_gaussians_learn_from_all_documents_by_em(given_documents):
    documents, y = given_documents
    documents = replace(documents, weights=np.ones(40))
    start = neighbours.spread(documents, y)
    with patch.object(gaussians, "_ITERATIONS", 4):
        found = gaussians.latent_gaussians(documents, y)
    expected = slow.gaussians_em(documents.latent, start, y, gaussians._BY_ALL, 4)
    np.testing.assert_allclose(within_rows(found), within_rows(expected), atol=1e-5)


def test_the_mixture_from_seeds_is_soft_movmf(given_documents):
    documents, y = given_documents
    y[np.flatnonzero(y == 2)[2:]] = -1
    documents = replace(documents, weights=np.ones(40))
    expected = slow.vmf_from_seeds(
        dense(documents), y, 3, spherical._CONCENTRATION, spherical._ITERATIONS
    )
    found = spherical.seeded_centroids(documents, y)
    np.testing.assert_allclose(within_rows(found), within_rows(expected), rtol=1e-3, atol=1e-3)


@given(k=st.integers(2, 5), seed=st.integers(0, 99))
def test_classes_are_matched_with_clusters_as_well_as_any_permutation_does(k, seed):
    documents, y = some_documents(30, 6, k, seed)
    y[RNG(seed).random(30) < 0.4] = -1
    order = spherical.matching(documents, y)
    assert sorted(order.tolist()) == list(range(k))
    fit = slow.fit_of_clusters(
        dense(documents), documents.prototypes, documents.clusters, y, spherical._SIMILARITY
    )
    assert sum(fit[h, order[h]] for h in range(k)) == pytest.approx(slow.best_total(fit))


def test_named_clusters_are_the_clusters_under_the_names_of_their_seeds():
    X = np.repeat(np.eye(3), 4, axis=0)
    documents = Documents(X, np.ones(12), np.repeat([2, 0, 1], 4), 3, 0)
    y = np.full(12, -1)
    y[[0, 5]] = [1, 0]
    scores = spherical.named_clusters(documents, y)
    assert scores.argmax(axis=1).tolist() == [1] * 4 + [0] * 4 + [2] * 4


@pytest.mark.parametrize("name", LABEL_MODELS)
def test_every_model_finds_classes_that_are_plain(name):
    documents, y, truth = plain_documents()
    scores = LABEL_MODELS[name](documents, y)
    assert scores.shape == (60, 3)
    assert scores.argmax(axis=1).tolist() == truth.tolist()


@pytest.mark.parametrize("name", LABEL_MODELS)
def test_every_model_has_finite_scores_where_a_class_has_no_seed_and_rows_are_zero(name):
    documents, y = some_documents()
    X = documents.X.copy()
    X.data[X.indptr[7] : X.indptr[8]] = 0.0
    weights = np.where(np.arange(40) == 7, 0.0, documents.weights)
    y[y == 1] = -1
    scores = LABEL_MODELS[name](replace(documents, X=X, weights=weights), y)
    assert np.isfinite(scores).all()


# What they share


def test_seeds_count_so_that_classes_count_the_same():
    assert balanced(np.array([0, -1, 2, 2, 2, -1])).tolist() == [2.0, 0.0, *[2 / 3] * 3, 0.0]


@given(y=st.lists(st.integers(-1, 4), min_size=1, max_size=30).map(np.array))
def test_seeds_count_one_on_average(y):
    counts, known = balanced(y), y >= 0
    assert (counts[~known] == 0).all()
    if known.any():
        assert counts[known].mean() == pytest.approx(1.0)
        sums = [counts[y == label].sum() for label in np.unique(y[known])]
        np.testing.assert_allclose(sums, sums[0])


def test_memberships_are_one_for_the_label_and_nothing_for_none():
    assert memberships(np.array([1, -1, 0]), 2).tolist() == [[0, 1], [0, 0], [1, 0]]


@given(seed=st.integers(0, 99), k=st.integers(2, 6), confidence=st.floats(0.0, 1.0))
def test_a_temperature_makes_scores_as_sure_as_is_asked_for(seed, k, confidence):
    scores = RNG(seed).normal(0, 10 ** RNG(seed).uniform(-2, 2), (50, k))
    found = calibration.temperature(scores, confidence)
    wanted = min(max(confidence, 1.2 / k), 0.97)
    sure = np.mean([slow.softmax(row / found).max() for row in scores])
    assert sure == pytest.approx(wanted, abs=1e-3)


@given(seed=st.integers(0, 99))
def test_probabilities_are_the_softmax_however_large_the_scores(seed):
    scores = RNG(seed).normal(0, 300, (10, 4))
    expected = np.array([slow.softmax(row) for row in scores])
    np.testing.assert_allclose(calibration.probabilities(scores), expected, atol=1e-12)
    logs = calibration.log_probabilities(scores)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs), expected, atol=1e-12)


# The pool


def some_opinions(seed, n=25, k=3, m=4):
    """Log-probabilities of several models, the first ones the better, and labels."""
    rng = RNG(seed)
    y = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    tables = {}
    for number in range(m):
        scores = rng.normal(size=(n, k)) + (m - 1 - number) * 0.6 * slow.one_hot(y, k)
        tables[f"model {number}"] = calibration.log_probabilities(scores)
    return tables, y, {name: (number + 1) / 10 for number, name in enumerate(tables)}


@pytest.mark.parametrize("seed", range(4))
def test_the_weights_of_the_pool_are_where_its_loss_is_lowest(seed):
    opinions, y, prior = some_opinions(seed)
    tables, shares = list(opinions.values()), np.array(list(prior.values()))
    with patch("scipy.optimize.minimize", wraps=scipy.optimize.minimize) as watched:
        weights = np.array(
            list(stacking.stacked_weights(opinions, y, prior, evidence._STRENGTH).values())
        )
    loss, start = watched.call_args.args
    scale = start[0] / shares[0]

    def by_the_book(w):
        return slow.stacking_loss(w, tables, y, shares, scale, evidence._STRENGTH)

    def of_one_factor(logarithm):
        return slow.surprise(np.exp(logarithm) * shares, tables, y) + 0.5 * logarithm**2

    grid = np.linspace(-3, 3, 61)
    best = min(of_one_factor(point) for point in grid)
    assert of_one_factor(np.log(scale)) <= best + 1e-4

    point = RNG(seed).uniform(0.1, 2.0, len(shares))
    assert loss(point)[0] == pytest.approx(by_the_book(point))
    slope = scipy.optimize.approx_fprime(point, by_the_book, 1e-6)
    np.testing.assert_allclose(loss(point)[1], slope, rtol=1e-4, atol=1e-3)

    assert (weights >= 0).all()
    slope = scipy.optimize.approx_fprime(weights, by_the_book, 1e-7)
    assert (np.abs(slope[weights > 0]) < 0.02).all()
    assert (slope[weights == 0] > -0.02).all()


def test_a_model_that_is_right_outweighs_those_that_guess():
    opinions, y, _ = some_opinions(0, n=60)
    found = stacking.stacked_weights(opinions, y, dict.fromkeys(opinions, 0.25), evidence._STRENGTH)
    assert max(found, key=found.get) == "model 0"


def test_before_there_is_evidence_weights_sum_to_one_and_unsteady_models_count_less():
    even = evidence._prior(dict.fromkeys(PRIOR_WEIGHTS, 0.8), 4)
    assert sum(even.values()) == pytest.approx(1.0)
    unsteady = evidence._prior({**dict.fromkeys(PRIOR_WEIGHTS, 0.8), "words": 0.3}, 4)
    assert unsteady["words"] < 0.1 * even["words"]
    assert set(LABEL_MODELS) == set(PRIOR_WEIGHTS)


def test_agreement_is_the_share_of_pairs_of_votes_that_are_the_same():
    votes = [np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), np.array([0, 1, 1, 1])]
    assert evidence._agreement(votes) == pytest.approx((0.75 + 0.75 + 0.5) / 3)


@given(seed=st.integers(0, 99))
def test_seeds_are_held_out_in_turn_and_never_all_of_a_class(seed):
    y = RNG(seed).integers(-1, 4, 30)
    folds = evidence._folds(y, RNG(seed))
    assert (folds[y < 0] == -1).all()
    for label in np.unique(y[y >= 0]):
        sizes = np.bincount(folds[y == label] + 1)[1:]
        if (y == label).sum() > 1:
            assert len(sizes) > 1
            assert max(sizes) - min(sizes) <= 1
        else:
            assert not len(sizes)


def test_the_pool_is_the_weighted_sum_of_what_its_models_say():
    documents, y, _ = plain_documents()
    documents = replace(documents, clusters=RNG(0).integers(3, size=60))  # of no use
    found = pool.pooled(documents, y, np.full(60, -1), RNG(0))
    assert len([weight for weight in found.weights.values() if weight > 0]) > 1
    opinions = opinions_of(documents, y)
    total = sum(found.weights[name] * opinions[name] for name in opinions)
    expected = calibration.log_probabilities(total)
    np.testing.assert_allclose(found.log_probabilities, expected, atol=1e-9)
    assert found.accuracy == 1.0


def test_clusters_that_are_the_classes_are_left_as_they_are():
    documents, y, truth = plain_documents()
    found = pool.pooled(documents, y, np.full(60, -1), RNG(0))
    assert found.weights == {name: float(name == "clusters") for name in LABEL_MODELS}
    assert found.log_probabilities.argmax(axis=1).tolist() == truth.tolist()
    assert found.accuracy == 1.0


def test_with_one_seed_of_each_class_nothing_is_held_out():
    documents, y = some_documents()
    y[:] = -1
    y[:3] = np.arange(3)
    found = pool.pooled(documents, y, np.full(40, -1), RNG(0))
    assert found.accuracy is None
    assert sum(found.weights.values()) == pytest.approx(1.0)


# Learning


@given(seeds=st.integers(0, 40), others=st.integers(0, 40))
def test_seeds_are_learned_from_first_but_leave_half_to_the_others(seeds, others):
    y = np.repeat([0, -1], [seeds, others])
    with patch.object(learning, "_LEARNED_FROM", 20):
        rows = learning._sample(y, RNG(0))
    assert len(set(rows.tolist())) == len(rows) == min(20, seeds + others)
    known = (y[rows] >= 0).sum()
    assert known == seeds if seeds <= 10 else known >= 10
    assert len(rows) - known >= min(others, 10)


def test_a_cluster_without_seeds_is_stood_for_by_its_most_central_documents():
    angles = np.concatenate([np.linspace(-0.3, 0.3, 9), np.pi / 2 + np.linspace(-0.3, 0.3, 9)])
    X = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    documents = Documents(X, np.ones(18), np.repeat([1, 0], 9), 2, 0)
    y = np.full(18, -1)
    y[0] = 0
    weak = learning._by_clusters(documents, y)
    assert np.flatnonzero(weak == 1).tolist() == [11, 12, 13, 14, 15]
    assert set(weak.tolist()) == {-1, 1}


@pytest.mark.parametrize(
    ("alone", "expected"), [(True, [11, 12, 14, 15]), (False, [])], ids=["alone", "beside others"]
)
def test_a_class_with_one_seed_learns_from_a_cluster_that_it_has_for_itself(alone, expected):
    angles = np.concatenate([np.linspace(-0.3, 0.3, 9), np.pi / 2 + np.linspace(-0.3, 0.3, 9)])
    X = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    documents = Documents(X, np.ones(18), np.repeat([1, 0], 9), 2, 0)
    y = np.where(np.arange(18) < 9, 0, -1)
    y[13] = 1
    y[17] = -1 if alone else 0
    assert np.flatnonzero(learning._by_clusters(documents, y) == 1).tolist() == expected
