"""D(x, mu_h) - tau log p(h | x) by its affine form, and by the definition."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

import textclust as tc
from tests.geometry.moving import check_a_move_costs_what_joining_and_leaving_cost
from tests.methods import slow_hmrf as slow
from tests.strategies import CONTAINERS, counts
from textclust import geometry
from textclust.geometry.affine import costs
from textclust.geometry.assignment import moments
from textclust.geometry.capabilities import mismatch, of_clusters, without_direction
from textclust.geometry.energies import optimum
from textclust.geometry.with_label_model import WithLabelModel

K, TAU = 3, 0.2
NAMES = ("cosine", "euclidean")


def some_model(name, table, seed, container=sp.csr_array):
    """A label model on top of a distortion, prepared rows, and the same rows dense."""
    rng, d = np.random.default_rng(seed), table.shape[1]
    within = geometry.get(name)
    distortion = WithLabelModel(within, rng.normal(0, 3, (K, d)), rng.normal(size=K), TAU)
    X = distortion.prepare(container(table))
    return distortion, X, np.asarray(within.prepare(table))


def slow_costs(distortion, rows, prototypes):
    """The definition, one document and one cluster at a time."""
    found = np.zeros((len(rows), len(prototypes)))
    for i, x in enumerate(rows):
        scores = [
            B @ x + b for B, b in zip(distortion.coefficients, distortion.intercepts, strict=True)
        ]
        for h, mu in enumerate(prototypes):
            found[i, h] = slow.cost(x, mu, distortion.within.name)
            found[i, h] -= distortion.tau * log_softmax(scores)[h]
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("container", CONTAINERS)
@given(table=counts(min_rows=3), seed=st.integers(0, 99))
def test_affine_costs_are_the_distance_and_what_the_label_model_says(name, container, table, seed):
    distortion, X, rows = some_model(name, table, seed, container)
    labels = np.arange(len(table)) % K
    prototypes = distortion.prototypes(*moments(X, labels, np.ones(len(table)), K))

    found = costs(X, distortion.affine(prototypes)) + distortion.own_costs(X)[:, None]

    np.testing.assert_allclose(found, slow_costs(distortion, rows, prototypes), atol=1e-9)


@given(table=counts(), seed=st.integers(0, 99))
def test_scores_far_apart_neither_overflow_nor_cost_less_than_the_distance(table, seed):
    distortion, X, rows = some_model("cosine", table, seed)
    sure = WithLabelModel(distortion.within, 1e4 * distortion.coefficients, np.zeros(K), TAU)
    prototypes = np.eye(K, table.shape[1])
    found = costs(X, sure.affine(prototypes)) + sure.own_costs(X)[:, None]
    assert np.isfinite(found).all()
    assert (found >= 1 - rows @ prototypes.T - 1e-8).all()


@pytest.mark.parametrize("name", NAMES)
@given(table=counts(min_rows=3), seed=st.integers(0, 99))
def test_joined_is_the_energy_of_the_changed_cluster(name, table, seed):
    distortion, X, rows = some_model(name, table, seed)
    n, rng = len(table), np.random.default_rng(seed)
    labels, weights = np.arange(n) % K, rng.uniform(0.1, 3.0, n)
    clusters = moments(X, labels, weights, K)
    own = distortion.own_costs(X)

    found = distortion.joined(X, weights, *clusters)

    for i, h in np.ndindex(n, K):
        counted = np.where(labels == h, weights, 0.0)
        counted[i] += weights[i]
        best = distortion.prototypes((counted @ rows)[None], np.array([counted.sum()]))
        each = slow_costs(distortion, rows, np.repeat(best, K, axis=0))[:, h] - own
        assert found[i, h] == pytest.approx(counted @ each, abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
@given(table=counts(min_rows=3), seed=st.integers(0, 99))
def test_a_move_costs_what_joining_and_leaving_cost(name, table, seed):
    distortion, X, _ = some_model(name, table, seed)
    check_a_move_costs_what_joining_and_leaving_cost(distortion, X, K, seed)


@pytest.mark.parametrize("name", NAMES)
@given(table=counts(min_rows=3), seed=st.integers(0, 99))
def test_energies_and_own_costs_add_up_to_the_costs(name, table, seed):
    distortion, X, rows = some_model(name, table, seed)
    n = len(table)
    labels = np.arange(n) % K
    clusters = moments(X, labels, np.ones(n), K)
    prototypes = distortion.prototypes(*clusters)
    total = optimum(distortion, *clusters).energies.sum() + distortion.own_costs(X).sum()
    each = slow_costs(distortion, rows, prototypes)[np.arange(n), labels]
    assert total == pytest.approx(each.sum())


def test_a_hand_worked_document():
    """On the first axis, with odds of 3 to 1 for the second cluster."""
    B = np.array([[0.0, 0.0], [np.log(3), 0.0]])
    distortion = WithLabelModel(geometry.get("cosine"), B, np.zeros(2), 0.5)
    X = np.array([[1.0, 0.0]])
    found = costs(X, distortion.affine(np.eye(2))) + distortion.own_costs(X)[:, None]
    np.testing.assert_allclose(found, [[0.5 * np.log(4), 1 + 0.5 * np.log(4 / 3)]])


@given(table=counts(min_rows=3), seed=st.integers(0, 99))
def test_some_of_the_clusters_keep_their_part_of_the_form(table, seed):
    distortion, X, _ = some_model("cosine", table, seed)
    prototypes = distortion.prototypes(
        *moments(X, np.arange(len(table)) % K, np.ones(len(table)), K)
    )
    chosen = np.random.default_rng(seed).permutation(K)[:2]
    part = of_clusters(distortion, chosen)
    np.testing.assert_allclose(
        costs(X, part.affine(prototypes[chosen])),
        costs(X, distortion.affine(prototypes))[:, chosen],
    )
    assert part.tau == distortion.tau


def test_rows_without_direction_are_those_of_the_distortion_within():
    table = np.array([[1.0, 0.0], [0.0, 0.0]])
    distortion, X, _ = some_model("cosine", table, 0)
    assert without_direction(distortion, X).tolist() == [False, True]
    distortion, X, _ = some_model("euclidean", table, 0)
    assert not without_direction(distortion, X).any()


def test_a_label_model_of_other_clusters_or_terms_is_noticed():
    distortion, *_ = some_model("cosine", np.ones((2, 4)), 0)
    assert mismatch(distortion, K, 4) is None
    for k, d in ((K + 1, 4), (K, 5)):
        assert "does not fit" in mismatch(distortion, k, d)
    whole = WithLabelModel(distortion.within, np.ones((K, 4), dtype=int), np.ones(K), TAU)
    assert "does not fit" in mismatch(whole, K, 4)


# On disk


@pytest.fixture(scope="module")
def guided(sample):
    """The sample with every tenth post as a seed."""
    posts = tc.read_documents(sample)
    seeds = {posts.ids[row]: posts.labels[row] for row in range(0, len(posts), 10)}
    return tc.cluster(posts, 3, seeds=seeds, method="guided", random_state=0)


def test_a_label_model_survives_in_a_model_file(guided, tmp_path):
    assert isinstance(guided.space.distortion, WithLabelModel)
    after = tc.load(guided.save(tmp_path / "m"))
    before, loaded = guided.space.distortion, after.space.distortion
    np.testing.assert_array_equal(loaded.coefficients, before.coefficients)
    np.testing.assert_array_equal(loaded.intercepts, before.intercepts)
    assert (loaded.tau, loaded.within.name) == (before.tau, "cosine")
    new = ["a bike with a camera", "the moon tonight", ""]
    np.testing.assert_array_equal(after.predict(new).labels, guided.predict(new).labels)
    np.testing.assert_array_equal(after.predict(new).costs, guided.predict(new).costs)
    assert after.to_dict() == guided.to_dict()
    assert after.explain(5) == guided.explain(5)


def test_a_model_file_without_its_label_model_is_refused(guided, tmp_path):
    folder = guided.save(tmp_path / "m")
    described = json.loads((folder / "model.json").read_text())["distortion"]
    assert described["name"] == "with label model"
    assert described["within"] == {"name": "cosine"}
    with np.load(folder / "arrays.npz") as arrays:
        assert {"distortion_coefficients", "distortion_intercepts"} <= set(arrays.files)
    (folder / "arrays.npz").write_bytes(b"")
    with pytest.raises(tc.ModelError):
        tc.load(folder)
