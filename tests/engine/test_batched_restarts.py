"""Batched restarts: each goes downhill to its rest, the lowest is kept, odd rows do no harm."""

from __future__ import annotations

import numpy as np
import pytest

from tests.engine.test_loop import problem_of
from textclust import metrics
from textclust.engine import batched_restarts
from textclust.engine.batched_restarts import best_labels
from textclust.engine.loop import minimise
from textclust.engine.problem import Start

RNG = np.random.default_rng


def directions(n=120, k=6, size=8, noise=0.5, seed=0):
    """Rows scattered around k directions, and which each belongs to."""
    rng = RNG(seed)
    truth = np.arange(n) % k
    return rng.standard_normal((k, size))[truth] + noise * rng.standard_normal((n, size)), truth


def found(vectors, k, seed=0, *, tries=4, weights=None, max_iter=50):
    weights = np.ones(len(vectors)) if weights is None else weights
    return best_labels(vectors, weights, k, RNG(seed), tries=tries, max_iter=max_iter)


def energy(vectors, labels):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    sums = [unit[labels == h].sum(axis=0) for h in np.unique(labels)]
    return len(unit) - sum(np.linalg.norm(total) for total in sums)


def test_clear_directions_are_found():
    vectors, truth = directions(noise=0.1)
    assert metrics.nmi(truth, found(vectors, 6, tries=10)) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_found_rests_in_the_loop_too(seed):
    vectors, _ = directions(noise=1.0)
    labels = found(vectors, 6, seed)
    problem = problem_of(vectors, "cosine", 6)
    rested = minimise(problem, Start(labels=labels), max_iter=1, tol=0.0, rng=RNG(0))
    assert rested.labels.tolist() == labels.tolist()


def test_the_try_of_the_lowest_energy_is_kept(monkeypatch):
    vectors, _ = directions(noise=1.0)
    runs = []
    honest = batched_restarts._Restarts
    monkeypatch.setattr(
        batched_restarts, "_Restarts", lambda *parts: runs.append(honest(*parts)) or runs[0]
    )
    labels = found(vectors, 6, tries=8)
    every = [energy(vectors, column) for column in runs[0].labels.T]
    assert len(set(every)) > 1
    assert energy(vectors, labels) == min(every)
    np.testing.assert_allclose(runs[0].energies + len(vectors), every, rtol=1e-5)


def test_the_table_is_held_in_parts_without_a_trace(monkeypatch):
    vectors, _ = directions(noise=1.0)
    whole = found(vectors, 6)
    monkeypatch.setattr(batched_restarts, "_ENTRIES", 100)
    assert found(vectors, 6).tolist() == whole.tolist()


def test_rows_of_zeros_or_of_no_weight_pull_nothing():
    vectors, _ = directions()
    odd = np.vstack([vectors, np.zeros((5, 8)), 9.0 * np.ones((40, 8))])
    weights = np.repeat([1.0, 1.0, 0.0], [len(vectors), 5, 40])
    assert found(odd, 6, weights=weights)[: len(vectors)].tolist() == found(vectors, 6).tolist()


def test_a_weight_counts_as_that_many_rows():
    vectors, _ = directions()
    heavy = np.ones(len(vectors))
    heavy[:30] = 50.0
    alone = energy(vectors[:30], found(vectors, 2, weights=heavy, tries=10)[:30])
    assert alone < energy(vectors[:30], found(vectors, 2, tries=10)[:30])


def test_an_empty_cluster_is_given_the_document_that_fits_worst():
    X = np.array([[1, 0], [1, 0], [1, 0], [0, 1]], dtype=np.float32)
    tries = batched_restarts._Restarts(X, np.ones(4, np.float32), X[[[0, 1]]].copy(), 1)
    tries.step()
    assert tries.labels[:, 0].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("k", [1, 4])
def test_as_few_and_as_many_clusters_as_can_be(k):
    assert len(np.unique(found(np.eye(4), k))) == k


def test_fewer_kinds_than_clusters_leave_some_empty():
    labels = found(np.repeat(np.eye(2), 5, axis=0), 4)
    assert len({*labels[:5].tolist()} & {*labels[5:].tolist()}) == 0
