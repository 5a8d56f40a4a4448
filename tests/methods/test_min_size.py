"""Bounds on the sizes of clusters, by every method that has them and from end to end."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import clone
from textclust.cli.main import run

import textclust as tc
from tests import checks
from tests.strategies import random_documents
from textclust.errors import InputError
from textclust.methods import METHODS

MIN_SIZE = 10
BOUNDED = [
    tc.KMeans(n_init=1, min_size=MIN_SIZE),
    tc.SphericalKMeans(n_init=1, min_size=MIN_SIZE),
    tc.KMeans(distortion="kl", n_init=1, min_size=MIN_SIZE),
    tc.SeededKMeans(n_init=1, min_size=MIN_SIZE),
    tc.ConstrainedKMeans(n_init=1, min_size=MIN_SIZE),
    tc.GuidedClustering(n_init=1, min_size=MIN_SIZE),
    tc.PCKMeans(n_init=1, min_size=MIN_SIZE),
    tc.HMRFKMeans(n_init=1, min_size=MIN_SIZE),
    tc.HMRFKMeans(learn=True, n_init=1, min_size=MIN_SIZE),
    tc.HMRFKMeans(distortion="kl", learn=True, n_init=1, min_size=MIN_SIZE),
    tc.COPKMeans(n_init=1, min_size=MIN_SIZE),
    tc.MPCKMeans(n_init=1, min_size=MIN_SIZE),
    tc.MKMeans(n_init=1, min_size=MIN_SIZE),
]
CHECKS = [
    checks.check_the_objective_never_rises_and_ends_the_history,
    checks.check_same_seed_same_result_whatever_the_threads,
    checks.check_same_labels_with_and_without_the_native_core,
    checks.check_clusters_come_largest_first,
    checks.check_input_is_not_changed,
    checks.check_pickling_keeps_predictions,
]


@pytest.mark.parametrize("estimator", BOUNDED, ids=repr)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_checks_of_every_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", BOUNDED, ids=repr)
def test_clusters_are_large_enough_at_a_high_price(estimator):
    X = random_documents(90, 40, seed=4)
    model = clone(estimator).set_params(n_clusters=5, random_state=0, min_size=18, size_price=1e6)
    model.fit(X)
    assert np.bincount(model.labels_).tolist() == [18] * 5
    assert not model.lacking_.any()


@pytest.mark.parametrize("price", ["auto", 0.0])
def test_a_bound_that_is_met_anyway_changes_nothing(price):
    X = random_documents(90, 40, seed=4)
    free = tc.SphericalKMeans(5, random_state=0).fit(X)
    bounded = tc.SphericalKMeans(5, random_state=0, min_size=1, size_price=price).fit(X)
    np.testing.assert_array_equal(free.labels_, bounded.labels_)
    assert free.objective_ == pytest.approx(bounded.objective_)
    assert free.lacking_ is None
    assert bounded.lacking_.tolist() == [0.0] * 5


def test_seeds_stay_and_links_are_broken_only_for_less_than_their_price():
    X = random_documents(60, 30)
    y = np.full(60, -1)
    y[:30] = 0
    y[30:32] = 1
    held = tc.ConstrainedKMeans(2, min_size=30, size_price=1e6, random_state=0).fit(X, y)
    assert (held.labels_[:30] == 0).all()
    assert np.bincount(held.labels_).tolist() == [30, 30]
    guided = tc.GuidedClustering(2, min_size=30, size_price=1e6, random_state=0).fit(X, y)
    assert (guided.labels_[:32] == y[:32]).all()
    assert np.bincount(guided.labels_).tolist() == [30, 30]
    links = tc.Constraints(must_link=[(0, i) for i in range(1, 40)], weights=[1e9] * 39)
    linked = tc.HMRFKMeans(2, min_size=30, random_state=0).fit(X, constraints=links)
    assert len(set(linked.labels_[:40].tolist())) == 1
    assert linked.lacking_.tolist() == [0.0, 10.0]


def test_what_a_cluster_lacks_is_counted_by_weight():
    X = random_documents(40, 20)
    model = tc.KMeans(2, min_size=40, size_price=1e6, random_state=0)
    labels = model.fit(X, sample_weight=np.full(40, 2.0)).labels_
    assert np.bincount(labels).tolist() == [20, 20]


def test_older_documents_do_not_count():
    X = random_documents(40, 20)
    old = random_documents(40, 20, seed=1)
    names = [f"w{i}" for i in range(20)]
    background = tc.Background(old, ["a"] * 38 + ["b"] * 2, names)
    model = tc.GuidedClustering(2, min_size=20, size_price=1e6, random_state=0)
    model.fit(X, background=background, feature_names=names)
    assert np.bincount(model.labels_).tolist() == [20, 20]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"min_size": 0}, "min_size must be a whole number of at least 1 or None; got 0"),
        ({"size_price": -1.0}, "size_price must be a number of at least 0"),
        ({"min_size": 13}, "min_size=13 needs 65 documents for n_clusters=5, and there are 60"),
    ],
)
def test_impossible_sizes_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        tc.KMeans(5, **settings).fit(random_documents(60, 10))


def test_methods_without_a_bound_refuse_it():
    without = {name for name, method in METHODS.items() if not method.allows({"min_size": 2})}
    expected = {"kernel", "adaptive-kernel", "vmf", "hmrf-em", "overlapping", "hac"}
    assert without == expected | {"semihard", "semifuzzy", "clue", "cluedo"}
    with pytest.raises(InputError, match="min_size must be one of None"):
        tc.OverlappingKMeans(2, min_size=2).fit(random_documents(20, 10))


def test_the_result_says_whether_sizes_are_met(sample, tmp_path):
    r = tc.cluster(sample, 3, min_size=75)
    assert r.sizes == [75, 75, 75]
    assert r.outcome.sizes.too_small == {}
    assert "Every cluster has at least 75 documents" in r.outcome.sentences()
    strict = tc.cluster(sample, 3, min_size=75, size_price=0.001)
    small = strict.outcome.sizes.too_small
    assert small
    assert all(strict.sizes[h] == size < 75 for h, size in small.items())
    (sentence,) = strict.outcome.sentences()
    assert sentence.startswith(f"{len(small)} of 3 clusters ")
    assert sentence.endswith("each one more would cost 0.001 or more")
    strict.save(tmp_path / "model")
    loaded = tc.load(tmp_path / "model")
    assert loaded.outcome.sizes == strict.outcome.sizes
    assert sentence in strict.report(tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_command_line_has_it(sample, tmp_path, capsys):
    assert run(["cluster", str(sample), "-k", "3", "--min-size", "75", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [cluster["size"] for cluster in found["clusters"]] == [75, 75, 75]
    assert found["sizes"]["too_small"] == []
    assert run(["cluster", str(sample), "-k", "3", "--min-size", "76"]) == 2
    assert "--min-size 76 needs 228 documents for --k 3" in capsys.readouterr().err
    assert run(["cluster", str(sample), "-k", "3", "--min-size", "9", "--method", "vmf"]) == 2
    assert "--min-size" in capsys.readouterr().err
