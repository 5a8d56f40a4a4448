"""Exploring in dense regions: clusters wherever they lie, outliers nowhere (Basu 2005, 8.3)."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

import textclust as tc
from tests.active.slow_density import slow_density
from tests.strategies import CONTAINERS, counts
from textclust.active import density
from textclust.active.distances import DISTANCES
from textclust.active.query_pool import QueryPool

CENTRES = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [60.0, 60.0]])


def gaussians(seed, spreads=(1.0, 1.0, 1.0, 1.0), size=50):
    """Four clouds, the last one far from all others."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(4), size)
    return CENTRES[y] + np.array(spreads)[y, None] * rng.normal(size=(4 * size, 2)), y


def with_outliers(seed, count=10):
    """The four clouds, and around them documents that are like nothing else."""
    X, y = gaussians(seed)
    rng = np.random.default_rng((seed, 1))
    angles = 2 * np.pi * (np.arange(count) + rng.random(count) / 2) / count
    around = 30 + 200 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.concatenate([X, around]), np.concatenate([y, rng.integers(4, size=count)])


def explored(X, y, exploring, seed=0, budget=400):
    """The pairs that were asked about until there was a document of each cluster."""
    asked = []

    def oracle(i, j):
        asked.append((i, j))
        return bool(y[i] == y[j])

    asking = tc.ExploreConsolidate(
        4, budget, distance="euclidean", exploring=exploring, random_state=seed
    )
    asking.explore(X, oracle)
    assert len(asking.dialogue_.skeleton()) == 4
    return asked


def density_of(X, distance="euclidean", seed=0):
    return QueryPool(X, distance, np.random.default_rng(seed)).density


# What it is for


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "spreads", [(1, 1, 1, 1), (1, 1, 1, 0.1), (1, 1, 1, 10), (0.2, 1, 1, 5)], ids=str
)
def test_a_dense_cluster_is_found_wherever_it_lies(seed, spreads):
    X, y = gaussians(seed, spreads)
    farthest, dense = (len(explored(X, y, kind, seed)) for kind in ("farthest", "dense"))
    assert dense <= farthest + 3
    assert dense <= 12  # 6 where every document is of a new cluster


@pytest.mark.parametrize("seed", range(10))
def test_no_outlier_is_asked_about(seed):
    X, y = with_outliers(seed)
    outliers = set(range(200, 210))
    asked = {kind: explored(X, y, kind, seed) for kind in ("farthest", "dense")}
    rows = {kind: {row for pair in pairs for row in pair} for kind, pairs in asked.items()}
    assert rows["farthest"] & outliers
    assert not rows["dense"] & outliers
    assert len(asked["dense"]) < len(asked["farthest"])


def test_an_outlier_is_not_the_first_document_either():
    X, y = with_outliers(0, count=60)
    for seed in range(20):
        assert explored(X, y, "dense", seed)[0][1] < 200


def test_a_sample_of_the_neighbours_will_do(monkeypatch):
    X, y = gaussians(0, size=500)
    exact = density_of(X)
    monkeypatch.setattr(density, "_WORK", 1)
    assert np.corrcoef(np.log(exact), np.log(density_of(X)))[0, 1] > 0.8
    assert len(explored(X, y, "dense")) <= 12


# What it is


@pytest.mark.parametrize("distance", list(DISTANCES))
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("n", [5, 30, 120])
def test_density_is_that_of_the_formula(distance, container, n):
    X = np.random.default_rng(n).poisson(1.0, (n, 30)) + 0.5
    np.testing.assert_allclose(
        density_of(container(X), distance), slow_density(X, distance), rtol=1e-5
    )


def test_a_distance_of_ones_own_has_its_own_density():
    X = np.random.default_rng(0).normal(size=(60, 3))

    def straight(X, point):
        return np.sqrt(((X - point) ** 2).sum(axis=1))

    np.testing.assert_allclose(density_of(X, straight), density_of(X))


@given(counts(max_rows=14), st.integers(0, 3))
def test_density_is_positive_bounded_and_one_at_the_median(X, seed):
    pool = QueryPool(sp.csr_array(X), "cosine", np.random.default_rng(seed))
    there = pool.density[pool.order]
    assert (there > 0).all()
    assert (there <= 10).all()
    assert not len(there) or np.median(there) >= 1 - 1e-9
    assert not np.delete(pool.density, pool.order).any()


@given(st.integers(0, 50), st.sampled_from([0.001, 1.0, 1000.0]))
def test_density_knows_neither_the_unit_nor_the_order_nor_the_place(seed, unit):
    rng = np.random.default_rng(seed)
    X, turn = rng.normal(size=(40, 3)), rng.permutation(40)
    plain = density_of(X)
    np.testing.assert_allclose(density_of(unit * X[turn] + 5 * unit), plain[turn], rtol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 30])
def test_copies_of_one_document_are_all_alike(n):
    np.testing.assert_array_equal(density_of(np.ones((n, 3))), np.ones(n))


def test_many_copies_do_not_outweigh_everything():
    X = np.concatenate([np.random.default_rng(0).normal(size=(50, 2)), np.full((20, 2), 0.5)])
    found = density_of(X)
    assert found.max() == 10.0
    assert np.isfinite(found).all()


def test_nothing_of_all_documents_by_all_documents_is_held():
    X = np.random.default_rng(0).normal(size=(5000, 20))
    tracemalloc.start()
    density_of(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5000 * 5000  # an eighth of a table of distances
