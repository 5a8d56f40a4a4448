"""CLUE and CLUEDO: as the paper prints them, and what they promise beyond it."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.cluster.hierarchy import linkage
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import textclust as tc
from tests import checks
from tests.examples import slow_hu
from tests.strategies import random_documents
from textclust.errors import InputError
from textclust.geometry.capabilities import n_features
from textclust.geometry.learned_space import LearnedSpace
from textclust.learned_metrics import LEARNERS, RCA, CLUEMetric
from textclust.methods.hierarchy.near_groups import near_groups

ESTIMATORS = [tc.CLUE(), tc.CLUE(metric="rca", linkage="single"), tc.CLUEDO(rounds=3)]
# Of the behaviour of all estimators, what does not speak of starts, weights or descent.
SHARED = [
    checks.check_containers_and_dense_give_the_same_labels,
    checks.check_same_seed_same_result_whatever_the_threads,
    checks.check_duplicates_share_a_label,
    checks.check_one_cluster_and_a_cluster_each,
    checks.check_input_is_not_changed,
    checks.check_pickling_keeps_predictions,
    checks.check_read_only_and_wide_index_arrays_are_taken,
    checks.check_a_single_nonzero_row_among_many_features,
]


def blobs(k=4, size=12, d=6, seed=0):
    """Groups that differ in two features, as bars do, while the others are noise."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), size)
    X = rng.uniform(0, 4, (k * size, d))
    X[:, 0], X[:, 1] = (
        truth + rng.normal(0, 0.1, len(truth)),
        truth % 2 + rng.normal(0, 0.1, len(truth)),
    )
    return X, truth


def scaled(X):
    return (X - X.min(axis=0)) / np.ptp(X, axis=0)


def merges_of(Z):
    return linkage(Z, "complete")[:, :2].astype(int).tolist()


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@parametrize_with_checks(ESTIMATORS[::2])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
@pytest.mark.parametrize("check", SHARED, ids=lambda check: check.__name__)
def test_shared_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("seed", range(3))
def test_clue_is_algorithm_1(seed):
    X, truth = blobs(seed=seed)
    examples = [np.flatnonzero(truth == 1)]
    model = tc.CLUE().fit(X, examples=examples)
    Z = scaled(X) @ CLUEMetric(1e-6).fit(scaled(X), examples).components_
    merges = merges_of(Z)
    expected = slow_hu.levels(merges, len(X))[slow_hu.best_level(Z, merges, examples)]
    assert tc.metrics.adjusted_rand_index(expected, model.labels_) == 1.0
    assert model.n_clusters_ == len(set(expected.tolist()))


@pytest.mark.parametrize("seed", range(3))
def test_cluedo_is_algorithm_2(seed):
    X, truth = blobs(size=8, seed=seed)
    rows, examples = scaled(X), [np.flatnonzero(truth == 0).tolist()]

    def learn(X, examples, links):
        return slow_hu.power(slow_hu.matrix("clue", X, examples, 1e-6, links), 0.5)

    links = slow_hu.cluedo_links(rows, examples, merges_of, learn, rounds=5)
    Z = rows @ learn(rows, examples, links)
    merges = merges_of(Z)
    expected = slow_hu.levels(merges, len(X))[slow_hu.best_level(Z, merges, examples)]
    model = tc.CLUEDO(rounds=5).fit(X, examples=examples)
    assert tc.metrics.adjusted_rand_index(expected, model.labels_) == 1.0


def test_cluedo_overfits_less_than_clue():
    X, truth = blobs(k=6, size=10, d=20)
    found = {}
    for model in (tc.CLUE(), tc.CLUEDO()):
        ratios = []
        for each in range(6):
            model.fit(X, examples=[np.flatnonzero(truth == each)])
            ratios.append(tc.metrics.overfitting_ratio(model.transform(X), truth, each))
        found[type(model)] = np.mean(ratios)
    assert found[tc.CLUE] < found[tc.CLUEDO] <= 1.1


@pytest.mark.parametrize("metric", [*LEARNERS, None, RCA(0.1)])
def test_every_metric_finds_clusters_and_places_new_rows(metric):
    X, truth = blobs()
    model = tc.CLUE(metric=metric, n_clusters=4).fit(X, examples=[np.flatnonzero(truth == 2)])
    Z = model.transform(X)
    means = np.array([Z[model.labels_ == h].mean(axis=0) for h in range(4)])
    np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-8)
    nearest = ((Z[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert model.predict(X).tolist() == nearest.tolist()
    assert model.objective_ == pytest.approx(((Z - means[model.labels_]) ** 2).sum())


def test_examples_come_first_and_in_their_order():
    X, truth = blobs()
    examples = [np.flatnonzero(truth == 3), np.flatnonzero(truth == 0)]
    for model in (tc.CLUE(n_clusters=4), tc.CLUEDO(n_clusters=4, finish="kmeans", random_state=0)):
        labels = model.fit(X, examples=examples).labels_
        assert [np.bincount(labels[rows]).argmax() for rows in examples] == [0, 1]
    assert (labels[examples[0]] == 0).all()  # k-means holds them
    assert (labels[examples[1]] == 1).all()


def documents(k=4, size=25, seed=0):
    """Counts of 160 terms, a few of them a group's own."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(k), size)
    rates = np.full((k, 160), 0.05)
    for h in range(k):
        rates[h, 12 * h : 12 * h + 12] = 1.0
    return sp.csr_array(rng.poisson(rates[truth]).astype(float)), truth


def test_text_is_sorted_like_the_examples_without_a_number():
    X, truth = documents()
    examples = [np.flatnonzero(truth == 2), np.flatnonzero(truth == 1)]
    model = tc.CLUEDO(random_state=0).fit(X, examples=examples)
    assert model.n_clusters_ == 4
    assert tc.metrics.nmi(truth, model.labels_) > 0.95
    assert model.cluster_centers_.shape == (4, 160)
    assert (model.labels_[examples[0]] == 0).all()
    assert tc.metrics.nmi(model.labels_, model.predict(X)) > 0.9
    assert model.transform(X).shape[0] == 100


@pytest.mark.parametrize("n_clusters", ["auto", "refound", 2, 9])
@pytest.mark.parametrize("estimator", [tc.CLUE, tc.CLUEDO, partial(tc.CLUEDO, finish="kmeans")])
@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
def test_rows_that_coincide_share_a_cluster(estimator, n_clusters):
    X = np.repeat(np.eye(2), 8, axis=0)
    model = estimator(n_clusters=n_clusters, random_state=0).fit(X, examples=[[0, 1]])
    assert model.labels_.tolist() == [0] * 8 + [1] * 8
    assert model.n_clusters_ == len(model.cluster_centers_) == 2


@pytest.mark.parametrize("latent", [None, 2])
def test_clusters_that_no_row_is_in_are_left_out(latent):
    """The cut has three; k-means holds the example together, and nothing is left for the third."""
    X = np.array([[0.0, 1.0], [1.0, 0.0], [9.0, 3.0], [9.0, 3.0]])
    model = tc.CLUEDO(n_clusters=3, finish="kmeans", latent=latent, random_state=0)
    with pytest.warns(ConvergenceWarning, match="2 distinct clusters found"):
        model.fit(X, examples=[[0, 1]])
    assert model.labels_.tolist() == [0, 0, 1, 1]
    assert model.n_clusters_ == len(model.cluster_centers_) == 2
    assert model.predict(X[2:]).tolist() == [1, 1]


def test_rows_that_say_nothing_join_some_cluster():
    X, truth = documents()
    X = sp.vstack([X, sp.csr_array((3, 160))], format="csr")
    for model in (tc.CLUE(random_state=0), tc.CLUEDO(rounds=2, random_state=0)):
        model.fit(X, examples=[np.flatnonzero(truth == 0), [100]])
        assert (model.labels_ >= 0).all()
        assert np.isfinite(model.cluster_centers_).all()
        assert len(model.predict(X)) == 103


def test_many_rows_are_linked_in_groups():
    X, truth = documents(size=60)
    examples = [np.flatnonzero(truth == 0)]
    whole = tc.CLUE(n_clusters=4, random_state=0, latent=5).fit(X, examples=examples)
    grouped = tc.CLUE(n_clusters=4, random_state=0, latent=5, max_linked=60)
    grouped.fit(X, examples=examples)
    assert tc.metrics.nmi(whole.labels_, grouped.labels_) > 0.8
    vectors = whole.transform(X)
    groups = near_groups(vectors, (truth == 0) - 1, 60, np.random.default_rng(0), 1)
    assert groups.max() < 66
    assert not set(groups[truth == 0]) & set(groups[truth != 0])
    assert set(groups.tolist()) == set(range(groups.max() + 1))


def test_the_number_can_be_said_or_found_again():
    X, truth = documents()
    examples = [np.flatnonzero(truth == 0), np.flatnonzero(truth == 3)]
    assert tc.CLUE(n_clusters=7, random_state=0).fit(X, examples=examples).n_clusters_ == 7
    refound = tc.CLUE(n_clusters="refound", random_state=0).fit(X, examples=examples)
    assert refound.n_clusters_ == 4


@pytest.mark.parametrize("estimator", [tc.CLUE, tc.CLUEDO])
def test_every_parameter_is_named(estimator):
    with pytest.raises(TypeError, match="positional"):
        estimator(5)


@pytest.mark.parametrize("estimator", [tc.CLUE, tc.CLUEDO])
@pytest.mark.parametrize("d", [6, 160])
def test_fewer_clusters_than_examples_are_refused(estimator, d):
    X, examples = random_documents(30, d), [[0, 1], [2, 3]]
    with pytest.raises(InputError, match=r"k=1 is fewer than the 2 example .* at least 2"):
        estimator(n_clusters=1).fit(X, examples=examples)
    assert estimator(n_clusters=2, random_state=0).fit(X, examples=examples).n_clusters_ == 2


@pytest.mark.parametrize(
    ("parameters", "examples", "message"),
    [
        (
            {"n_clusters": "many"},
            [[0]],
            "n_clusters must be a whole number of at least 1 or 'auto'",
        ),
        ({"n_clusters": 99}, [[0]], "n_clusters=99 is more than the n_samples=30"),
        ({"metric": "cosine"}, [[0]], "metric must be one of None, 'clue'"),
        ({"linkage": "centroid"}, [[0]], "linkage must be one of 'average'"),
        ({"max_linked": 1}, [[0]], "max_linked must be a whole number of at least 2"),
        ({}, [[0, 30]], "there is no row 30"),
        ({}, [[0, 1], [1]], "row 1 is already in"),
        ({}, [[]], r"examples\[0\] has no rows"),
        ({}, 5, "examples is 5"),
    ],
)
def test_what_is_wrong_is_reported(parameters, examples, message):
    with pytest.raises(InputError, match=message):
        tc.CLUE(**parameters).fit(random_documents(30, 10), examples=examples)


def test_nothing_to_cluster_is_reported():
    with pytest.raises(InputError, match="every row of X is zero"):
        tc.CLUE().fit(sp.csr_array((5, 200)))


def test_a_learned_space_knows_what_fits_it():
    space = LearnedSpace(np.ones((9, 3)), np.zeros(3), np.eye(3), unit=True)
    assert space.mismatch(2, 3) is None
    assert n_features(space, 3) == 9
    assert "do not fit" in str(space.mismatch(2, 4))
    broken = LearnedSpace(np.full((9, 3), np.nan), np.zeros(3), np.eye(3), unit=True)
    assert "no finite number" in str(broken.mismatch(2, 3))
    assert pickle.loads(pickle.dumps(space)).prepare(np.zeros((2, 9))).tolist() == [[0.0] * 3] * 2
