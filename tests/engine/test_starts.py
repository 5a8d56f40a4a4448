"""Starts: in the method's own geometry, repeatable, and fit for odd collections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.test_loop import problem_of
from tests.strategies import DISTORTIONS, counts, random_documents
from textclust.engine import STARTS
from textclust.engine import latent_starts as latent
from textclust.engine.latent_starts import dimensions, latent_starts, latent_vectors
from textclust.engine.problem import Problem
from textclust.engine.restarts import candidate_starts
from textclust.engine.starts import farthest_first, kmeans_plus_plus, perturbed_centroid
from textclust.errors import InputError
from textclust.supervision.potentials import Unary

DRAWN = (kmeans_plus_plus, farthest_first, perturbed_centroid)
RNG = np.random.default_rng


def prototypes(problem, start):
    return problem.distortion.prototypes(*start.moments)


@pytest.mark.parametrize("name", DISTORTIONS)
@pytest.mark.parametrize("init", ["auto", *STARTS])
def test_every_start_gives_k_finite_prototypes_and_repeats(name, init):
    problem = problem_of(random_documents(80, 120).toarray(), name, 4)
    first = candidate_starts(problem, init, 2, RNG(5))
    again = candidate_starts(problem, init, 2, RNG(5))
    for one, other in zip(first, again, strict=True):
        assert one.moments.sums.shape == (4, 120)
        assert np.isfinite(prototypes(problem, one)).all()
        np.testing.assert_array_equal(prototypes(problem, one), prototypes(problem, other))


def test_plus_plus_measures_in_the_cosine_geometry():
    """Two directions at very different lengths: euclidean draws would pick the long ones."""
    table = np.array([[1.0, 0.0]] * 20 + [[0.0, 1.0]] + [[1000.0, 0.0]] * 20)
    problem = problem_of(table, "cosine", 2)
    for seed in range(10):
        found = prototypes(problem, kmeans_plus_plus(problem, RNG(seed)))
        assert sorted(found.argmax(axis=1).tolist()) == [0, 1]


def test_farthest_first_takes_the_outlier():
    table = np.vstack([np.ones((9, 2)), [[50.0, 50.0]]])
    problem = problem_of(table, "euclidean", 2)
    found = prototypes(problem, farthest_first(problem, RNG(0)))
    assert [50.0, 50.0] in found.tolist()


def test_the_perturbed_centroids_lie_around_the_global_one():
    table = random_documents().toarray()
    problem = problem_of(table, "euclidean", 3)
    found = prototypes(problem, perturbed_centroid(problem, RNG(0)))
    mean = table.mean(axis=0)
    assert (np.abs(found - mean) <= 0.1 * mean + 1e-12).all()
    assert len(np.unique(found, axis=0)) == 3


def starts_from(table, name="euclidean", k=4, seed=0):
    problem = problem_of(table, name, k)
    return prototypes(problem, perturbed_centroid(problem, RNG(seed)))


def test_the_perturbed_centroids_of_centred_data_lie_apart():
    """Noise that multiplies the mean would put all of them at the origin."""
    table = RNG(0).normal(0.0, [1.0, 10.0, 0.1], (200, 3))
    table -= table.mean(axis=0)
    found = starts_from(table)
    spread = table.std(axis=0)
    assert (found.std(axis=0) > 0.01 * spread).all()
    assert (np.abs(found) <= 0.1 * spread).all()


@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_the_perturbed_centroids_follow_a_change_of_unit_and_of_origin(shift):
    table = RNG(0).normal(0.0, 1.0, (50, 3))
    scale = np.array([1e-6, 1.0, 1e6])
    np.testing.assert_allclose(
        starts_from(scale * (table + shift)), scale * (starts_from(table) + shift), rtol=1e-9
    )


@pytest.mark.parametrize("name", DISTORTIONS)
@given(table=counts(), seed=st.integers(0, 9))
def test_no_perturbed_centroid_of_counts_is_negative(name, table, seed):
    problem = problem_of(table, name, 3)
    start = perturbed_centroid(problem, RNG(seed))
    assert (start.moments.sums >= 0).all()
    assert np.isfinite(prototypes(problem, start)).all()


def test_sparse_rows_and_dense_rows_are_perturbed_alike():
    X = sp.csr_array(random_documents(60, 30) * -1.5)
    sparse = problem_of(X, "euclidean", 3, RNG(0).random(60))
    dense = replace(sparse, X=X.toarray())
    np.testing.assert_allclose(
        prototypes(sparse, perturbed_centroid(sparse, RNG(0))),
        prototypes(dense, perturbed_centroid(dense, RNG(0))),
    )


@pytest.mark.parametrize("draw", [kmeans_plus_plus, farthest_first])
def test_a_row_of_zeros_or_of_no_weight_is_never_a_start(draw):
    table = np.vstack([np.zeros((30, 5)), np.eye(5), np.eye(5)])
    weights = np.ones(40)
    weights[35:] = 0
    problem = problem_of(table, "cosine", 5, weights)
    for seed in range(5):
        found = prototypes(problem, draw(problem, RNG(seed)))
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0)


@pytest.mark.parametrize(
    ("n", "d", "expected"),
    [
        (300, 4000, [5, 10, 20]),
        (3000, 9000, [50, 100]),
        (90, 500, [5, 10]),
        (4, 500, [3]),
        (1, 9, []),
    ],
)
def test_the_latent_sizes_grow_with_the_collection(n, d, expected):
    assert dimensions(n, d) == expected


def test_latent_vectors_keep_inner_products_of_a_low_rank_matrix():
    rng = RNG(0)
    X = rng.random((30, 3)) @ rng.random((3, 50))
    vectors = latent_vectors(X, 3, RNG(1))
    np.testing.assert_allclose(vectors @ vectors.T, X @ X.T, rtol=1e-4)  # single precision


def test_the_latent_start_samples_large_collections(monkeypatch):
    monkeypatch.setattr("textclust.engine.latent_starts._SAMPLE", 50)
    monkeypatch.setattr("textclust.engine.latent_starts._SAMPLE_PER_CLUSTER", 10)
    seen = []
    honest = latent_vectors
    monkeypatch.setattr(
        "textclust.engine.latent_starts.latent_vectors",
        lambda X, *rest: seen.append(X.shape[0]) or honest(X, *rest),
    )
    problem = problem_of(random_documents(200, 150).toarray(), "cosine", 3)
    assert list(latent_starts(problem, RNG(0), 2))
    assert seen == [50]


def test_the_latent_tries_heed_what_bears_on_the_labels(monkeypatch):
    """Batched restarts take no potentials, so they are made only where there are none."""
    calls = []
    honest = latent.best_labels
    monkeypatch.setattr(
        latent, "best_labels", lambda *parts, **rest: calls.append(1) or honest(*parts, **rest)
    )
    table = random_documents(80, 120).toarray()
    assert list(latent_starts(problem_of(table, "cosine", 2), RNG(0), 2))
    assert calls
    calls.clear()
    rows, only_one = np.arange(40), np.array([[0.0, np.inf], [np.inf, 0.0]])
    bound = problem_of(table, "cosine", 2, unary=Unary(rows, only_one[rows % 2]))
    for start in latent_starts(bound, RNG(0), 2):
        assert (start.moments.masses >= 20).all()
    assert not calls


def test_given_centres_and_labels_are_starts():
    problem = problem_of(random_documents(20, 6).toarray(), "euclidean", 2)
    centres = RNG(0).random((2, 6))
    start = next(candidate_starts(problem, centres, "auto", RNG(0)))
    assert prototypes(problem, start).tolist() == centres.tolist()
    labels = np.arange(20) % 2
    start = next(candidate_starts(problem, labels, "auto", RNG(0)))
    assert start.labels.tolist() == labels.tolist()


@pytest.mark.parametrize("init", [np.zeros((3, 6)), np.zeros(7, int), np.full(20, 9)])
def test_a_start_of_the_wrong_shape_says_what_would_fit(init):
    problem: Problem = problem_of(random_documents(20, 6).toarray(), "euclidean", 2)
    with pytest.raises(InputError, match="init"):
        candidate_starts(problem, init, "auto", RNG(0))
