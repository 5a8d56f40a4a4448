"""SemiHard against the paper, and what its default promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.background import slow_gao as slow
from tests.strategies import random_documents

RNG = np.random.default_rng
PAPER = {"distortion": "euclidean", "init": "confident", "refine": False, "tol": 0.0}


class Says:
    """A labeller that says what it was given, and is sure of some."""

    def __init__(self, labels, k):
        self.labels, self.k = np.asarray(labels), k

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        sure = np.eye(self.k)[np.maximum(self.labels, 0)]
        return np.where(self.labels[:, None] >= 0, sure, 1 / self.k)


def topics(per_class, k=3, seed=0, width=40):
    """Documents whose class is plain from some of their features, and a few words of noise."""
    rng, y = RNG(seed), np.repeat(np.arange(k), per_class)
    X = rng.poisson(0.1, (len(y), width)).astype(float)
    for row, c in enumerate(y):
        X[row, rng.choice(np.arange(c * 10, c * 10 + 10), 5, replace=False)] += 2.0
    return X, y


@pytest.mark.parametrize("R", [0.0, 0.05, 0.3, 2.0])
@pytest.mark.parametrize("seed", range(4))
def test_steps_are_those_of_the_paper(seed, R):
    X = random_documents(40, 9, 0.5, seed).toarray()
    f = np.where(RNG(seed).random(40) < 0.6, np.arange(40) % 3, -1)
    old = tc.Background(X[:3], [0, 1, 2])
    model = tc.SemiHard(3, labeller=Says(f, 3), R=R, threshold=1.0, **PAPER)
    model.fit(sp.csr_array(X), background=old)
    labels, centres = slow.semi_hard(X, f, model.cluster_weights_, R, 3)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, centres)
    energy = slow.hard_energy(X, centres, labels, f, model.cluster_weights_, R, 3)
    assert model.objective_ == pytest.approx(energy)
    pairs = itertools.pairwise(model.objective_history_)
    assert all(later <= earlier + 1e-9 for earlier, later in pairs)


@pytest.mark.parametrize("distortion", ["cosine", "euclidean", "kl"])
def test_a_very_large_price_leaves_what_the_labeller_says(distortion):
    X = random_documents(50, 12, 0.5, seed=2)
    f = RNG(1).integers(-1, 3, 50)
    model = tc.SemiHard(3, labeller=Says(f, 3), distortion=distortion, R=1e6, random_state=0)
    model.fit(X, background=tc.Background(X[:3], [0, 1, 2]))
    np.testing.assert_array_equal(model.labels_[f >= 0], f[f >= 0])
    np.testing.assert_array_equal(model.known_, f)


@pytest.mark.parametrize("labeller", [None, "naive-bayes", "nearest"])
def test_without_a_price_it_is_kmeans(labeller):
    X, _ = topics(15)
    old = tc.Background(*topics(3, seed=9))
    model = tc.SemiHard(3, labeller=labeller, R=0.0, random_state=0).fit(X, background=old)
    plain = tc.SphericalKMeans(3, random_state=0).fit(X)
    assert tc.metrics.adjusted_rand_index(model.labels_, plain.labels_) == 1.0
    assert model.objective_ == pytest.approx(plain.objective_)


@pytest.mark.parametrize("labeller", [None, "naive-bayes", "nearest"])
def test_documents_come_out_in_the_classes_of_the_background(labeller):
    X, y = topics(20, seed=1)
    old, known = topics(4, seed=2)
    names = [f"t{i}" for i in range(40)]
    kept = np.r_[0:7, 10:18, 20:30]  # of the old features; the new have others in their place
    background = tc.Background(old[:, kept], np.array(list("cab"))[known], [names[i] for i in kept])
    model = tc.SemiHard(3, labeller=labeller, random_state=0)
    model.fit(sp.csr_array(X), background=background, feature_names=names)
    assert model.classes_ == ["a", "b", "c"]
    assert [model.classes_[label] for label in model.labels_] == [list("cab")[c] for c in y]
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_clusters_beyond_the_classes_are_new_and_their_documents_novel():
    X, y = topics(20, k=4, seed=3)
    old, known = topics(6, k=4, seed=4)
    background = tc.Background(old[known < 2], known[known < 2])
    model = tc.SemiHard(4, random_state=0).fit(X, background=background)
    assert model.classes_ == [0, 1, None, None]
    assert tc.metrics.adjusted_rand_index(y, model.labels_) == 1.0
    assert (model.labels_[y < 2] == y[y < 2]).all()
    assert model.novelty_[y >= 2].min() > model.novelty_[y < 2].mean()
    assert (model.novelty_[y >= 2] >= 0.95).all()


def test_with_fewer_clusters_those_classes_stay_that_the_new_documents_have():
    X, y = topics(20, k=4, seed=5)
    old = tc.Background(*topics(6, k=4, seed=6))
    present = np.isin(y, [1, 3])
    model = tc.SemiHard(2, random_state=0).fit(X[present], background=old)
    assert model.classes_ == [1, 3]
    assert [model.classes_[label] for label in model.labels_] == y[present].tolist()


def test_a_class_that_no_new_document_has_keeps_its_empty_cluster():
    X, y = topics(20, seed=7)
    old = tc.Background(*topics(20, seed=8))
    with pytest.warns(match="2 distinct clusters found"):
        model = tc.SemiHard(3, R=50.0, random_state=0).fit(X[y != 1], background=old)
    np.testing.assert_array_equal(model.labels_, y[y != 1])


def test_old_documents_that_change_little_only_name_the_clusters():
    X, _ = topics(20, seed=1)
    old = tc.Background(*topics(2, seed=2))
    model = tc.SemiHard(3, random_state=0).fit(X, background=old)
    plain = tc.SphericalKMeans(3, random_state=0).fit(X)
    assert model.objective_ == plain.objective_


@pytest.mark.filterwarnings("ignore:.*distinct clusters found")
@given(
    seed=st.integers(0, 99),
    k=st.integers(1, 6),
    labeller=st.sampled_from([None, "naive-bayes", "nearest"]),
    distortion=st.sampled_from(["cosine", "euclidean", "kl"]),
)
def test_any_k_survives_rows_of_zeros_and_duplicates(seed, k, labeller, distortion):
    X = random_documents(12, 10, 0.4, seed).toarray()
    X[3], X[5] = 0.0, X[6]
    old = tc.Background(random_documents(8, 10, 0.4, seed + 1), np.arange(8) % 3)
    model = tc.SemiHard(k, labeller=labeller, distortion=distortion, n_init=1, random_state=seed)
    model.fit(X, background=old)
    assert np.isfinite(model.cluster_centers_).all()
    assert model.labels_.min() >= 0
    assert model.labels_.max() < k
    assert ((model.novelty_ >= 0) & (model.novelty_ <= 1)).all()
    steps = itertools.pairwise(model.objective_history_)
    assert all(later <= earlier + 1e-9 * (1 + abs(earlier)) for earlier, later in steps)


@pytest.mark.parametrize("seed", range(4))
def test_labels_are_what_predict_says_where_old_documents_take_part(seed):
    X = random_documents(80, 60, 0.1, seed)
    old = tc.Background(random_documents(20, 60, 0.1, seed + 50), np.arange(20) % 4)
    model = tc.SemiHard(5, R=3.0, random_state=0).fit(X, background=old)
    np.testing.assert_array_equal(model.labels_, model.predict(X))


def test_the_same_state_gives_the_same_result_with_any_number_of_threads():
    X, _ = topics(30, seed=11)
    old = tc.Background(*topics(4, seed=12))
    found = [
        tc.SemiHard(4, n_jobs=jobs, random_state=5).fit(sp.csr_array(X), background=old)
        for jobs in (1, 2)
    ]
    np.testing.assert_array_equal(found[0].labels_, found[1].labels_)
    np.testing.assert_array_equal(found[0].cluster_centers_, found[1].cluster_centers_)


@pytest.mark.parametrize("init", ["auto", "lsa", "k-means++", "farthest"])
@pytest.mark.parametrize("state", range(4))
def test_with_a_labeller_no_cluster_has_the_name_of_another_class(init, state):
    X, y = topics(15, k=4, seed=3)
    old, known = topics(6, k=4, seed=4)
    background = tc.Background(old[known < 3], known[known < 3])
    model = tc.SemiHard(4, labeller="naive-bayes", init=init, random_state=state)
    model.fit(X, background=background)
    assert model.classes_ == [0, 1, 2, None]
    assert (model.labels_ == y).mean() > 0.9


@pytest.mark.parametrize("state", range(6))
def test_a_new_topic_does_not_take_the_name_of_a_class_that_is_absent(state):
    X, y = topics(20, k=4, seed=3)
    old, known = topics(6, k=4, seed=4)
    background = tc.Background(old[known < 3], known[known < 3])
    with pytest.warns(match="distinct clusters found"):
        model = tc.SemiHard(4, R=9.0, random_state=state).fit(X[y != 1], background=background)
    assert {*model.labels_[y[y != 1] == 3].tolist()} == {3}


def test_a_class_that_shares_no_feature_has_no_cluster():
    names = [f"t{i}" for i in range(40)]
    old, known = topics(6, seed=1)
    X, _ = topics(10, seed=2)
    X[:, 10:20] = 0.0
    kept = np.r_[0:10, 20:30]
    far = np.zeros((18, 50))
    far[:, kept], far[known == 1] = old[:, kept], 0.0
    far[known == 1, 40:] = 1.0
    background = tc.Background(far, known, [*names, *(f"old{i}" for i in range(10))])
    model = tc.SemiHard(3, random_state=0).fit(X, background=background, feature_names=names)
    assert model.classes_ == [0, 2, None]


def test_counts_are_a_background_and_an_earlier_fit_is_forgotten():
    X, _ = topics(10, seed=1)
    counts, known = topics(4, seed=2)
    model = tc.SemiHard(3, random_state=0)
    model.fit(X, background=tc.Background(sp.csr_array(counts.astype(np.int64)), known))
    assert model.classes_ == [0, 1, 2]
    assert not hasattr(model.fit(X), "classes_")


def test_a_confident_start_without_anybody_to_be_confident_is_auto():
    X, _ = topics(10, seed=1)
    old = tc.Background(*topics(4, seed=2))
    for background in (None, old):
        found = [
            tc.SemiHard(3, init=init, random_state=0).fit(X, background=background).labels_
            for init in ("confident", "auto")
        ]
        np.testing.assert_array_equal(*found)
